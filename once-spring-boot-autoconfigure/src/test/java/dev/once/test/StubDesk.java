package dev.once.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import dev.once.occurrence.JobDesk;
import org.jspecify.annotations.Nullable;

/**
 * A desk that notes what it is asked, and answers what a test says.
 */
public final class StubDesk implements JobDesk {

	/** What it was asked: operation, job, name, who and why. */
	private final List<List<@Nullable String>> asked = new ArrayList<>();

	private Supplier<Answer> answer = () -> new Answer.Started("a", 1);

	private Supplier<Drilled> drilled = () -> new Drilled("a", 0, 0, null);

	public void answers(Supplier<Answer> answer) {
		this.answer = answer;
	}

	public void drills(Supplier<Drilled> drilled) {
		this.drilled = drilled;
	}

	/** What it was asked since this was called last. */
	public synchronized List<List<@Nullable String>> asked() {
		List<List<@Nullable String>> asked = List.copyOf(this.asked);
		this.asked.clear();
		return asked;
	}

	@Override
	public Answer runNow(String job, String who, @Nullable String why) {
		note("run-now", job, null, who, why);
		return this.answer.get();
	}

	@Override
	public Answer runAgain(String job, String name, String who, String why) {
		note("run-again", job, name, who, why);
		return this.answer.get();
	}

	@Override
	public Drilled drill(String job, String who, @Nullable String why) {
		note("drill", job, null, who, why);
		return this.drilled.get();
	}

	private synchronized void note(@Nullable String... words) {
		this.asked.add(Arrays.asList(words));
	}

}
