package dev.once.aop;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.once.DueTime;
import dev.once.JobOutcome;
import dev.once.JobRun;
import dev.once.OnceException;
import dev.once.OnceOperations.AnsweringJobBody;
import dev.once.OnceOperations.JobBody;
import dev.once.OnceOperations.NamedJob;
import dev.once.key.OccurrenceText;
import dev.once.occurrence.JobCall;
import dev.once.occurrence.JobPolicy;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.Runs;
import org.jspecify.annotations.Nullable;

/**
 * A job that is described by calls, whose occurrences are named from outside.
 */
final class DescribedJob implements NamedJob {

	private final String name;

	private final GuardedMethods methods;

	private final Runs runs;

	private Duration lease;

	private int attempts;

	private @Nullable DueTime occurrence;

	DescribedJob(String name, GuardedMethods methods, Runs runs) {
		SiteRules.checkName("job", name, "Job of OnceOperations");
		if (methods.declares(name)) {
			throw new OnceException("Job '" + name
					+ "' of OnceOperations is declared by a bean's @OnceJob too, so that "
					+ "the occurrences of one would be taken for the other's. Name two jobs, or call that method "
					+ "within OnceOperations.at(due, ...)");
		}
		this.name = name;
		this.methods = methods;
		this.runs = runs;
		this.lease = methods.undeclaredJob().lease();
		this.attempts = methods.undeclaredJob().attempts();
	}

	@Override
	public NamedJob occurrence(String name, Instant due) {
		this.occurrence = new DueTime(due, null,
				OccurrenceText.of(List.of(name), "The occurrence's name of job '" + this.name + "'"));
		return this;
	}

	@Override
	public NamedJob lease(Duration lease) {
		if (lease.compareTo(JobTerms.SHORTEST_LEASE) < 0) {
			throw new OnceException(
					"The lease of job '" + this.name + "' is " + lease + ", and 5 s is the shortest. Raise it");
		}
		this.lease = lease;
		return this;
	}

	@Override
	public NamedJob attempts(int attempts) {
		if (attempts < 1) {
			throw new OnceException(
					"An occurrence of job '" + this.name + "' is given " + attempts + " attempts. Give it 1 or more");
		}
		this.attempts = attempts;
		return this;
	}

	@Override
	@SuppressWarnings("unchecked")
	public JobOutcome<@Nullable Void> run(JobBody body) throws Exception {
		return (JobOutcome<@Nullable Void>) (JobOutcome<?>) fire(() -> {
			body.run(JobRun.current());
			return null;
		});
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T extends @Nullable Object> JobOutcome<T> call(AnsweringJobBody<T> body) throws Exception {
		return (JobOutcome<T>) fire(() -> body.run(JobRun.current()));
	}

	private JobOutcome<@Nullable Object> fire(Runs.Body body) throws Exception {
		DueTime due = (this.occurrence != null) ? this.occurrence : OccurrenceRule.due(this.methods.times());
		JobCall call = new JobCall(this.name, this.lease, this.methods.application(), this.attempts,
				this.methods.undeclaredJob().backoff(), (this.occurrence != null) ? this.occurrence.occurrence() : null,
				due, new Again.WhenDue(), null, JobPolicy.OF_CALLERS);
		try {
			return JobCalls.settled(call, this.runs.fire(call, body));
		}
		catch (Exception | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

}
