package dev.once.sample.story;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import dev.once.Outcome;
import dev.once.occurrence.JobDesk;
import dev.once.occurrence.JobDesk.Answer;
import dev.once.sample.billing.BackOffice;
import dev.once.sample.billing.Books;
import dev.once.sample.billing.SecondClick;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * Tells what happens to twenty invoices, one of whose answers is lost.
 */
@Component
@ConditionalOnBean(FarSideProcess.class)
class Story implements ApplicationRunner {

	/** The invoice whose answer is lost. */
	static final String LOST = "inv-007";

	/** How long the provider's look-ups lag behind. */
	static final long LIST_LATE_MILLIS = 4000;

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

	private final ConfigurableApplicationContext context;

	private final FarSideProcess process;

	private final SecondClick secondClick;

	private final BackOffice backOffice;

	private final Books books;

	private final JobDesk desk;

	private int step;

	private boolean failed;

	Story(ConfigurableApplicationContext context, FarSideProcess process, SecondClick secondClick,
			BackOffice backOffice, Books books, JobDesk desk) {
		this.context = context;
		this.process = process;
		this.secondClick = secondClick;
		this.backOffice = backOffice;
		this.books = books;
		this.desk = desk;
	}

	@Override
	public void run(ApplicationArguments arguments) {
		Environment environment = this.context.getEnvironment();
		StoryMode mode = StoryMode.of(environment);
		String own = "http://localhost:" + environment.getProperty("local.server.port");
		try {
			tell(new FarSideView(RestClient.create(this.process.url().toString())),
					new ActuatorView(RestClient.create(own + "/actuator")));
		}
		catch (RuntimeException ex) {
			this.failed = true;
			line("FAILED: " + ex);
		}
		if (mode == StoryMode.EXIT) {
			int code = this.failed ? 1 : 0;
			// On a thread of its own: the context closes only when its start has ended
			new Thread(() -> System.exit(SpringApplication.exit(this.context, (ExitCodeGenerator) () -> code)),
					"story-end")
				.start();
			return;
		}
		line("");
		line("It stays up for a look; Ctrl-C ends it and the far side.");
		line("    " + own + "/actuator/once");
		line("    " + own + "/actuator/health/once");
		line("    " + own + "/actuator/metrics/once.effects?tag=action:charge");
		line("    " + this.process.url() + "/record");
	}

	private void tell(FarSideView farSide, ActuatorView actuator) {
		line("");
		line("The billing assistant, and what Once makes of it");
		line("------------------------------------------------");
		step("The far side is process " + this.process.pid() + " at " + this.process.url());
		line("    It writes every request it accepts to " + this.process.record());
		line("    It has been told to charge " + LOST + " and then drop the connection, and its look-ups lag by "
				+ LIST_LATE_MILLIS / 1000 + " s");

		await(() -> farSide.figure("payments", "applied") == 20 && actuator.open("unknown") == 1
				&& actuator.open("submitted") == 0);
		step("The job has charged what was due, and one answer was lost");
		figure("payments applied, says the far side", 20, () -> farSide.figure("payments", "applied"));
		figure("effects unknown, says the actuator", 1, () -> actuator.open("unknown"));

		step("A person clicks a second time, on an invoice that is charged and on the one that is unknown");
		Outcome<?> second = this.secondClick.charge("inv-003");
		line("    inv-003: " + (second instanceof Outcome.Done<?> done && done.repeated()
				? "done before; the recorded answer came back" : "FAILED, " + second));
		Outcome<?> unknown = this.secondClick.charge(LOST);
		line("    " + LOST + ": " + (unknown instanceof Outcome.Unresolved
				? "nobody knows yet; it is not sent again before the far side has been asked" : "FAILED, " + unknown));
		this.failed |= !(second instanceof Outcome.Done) || !(unknown instanceof Outcome.Unresolved);
		figure("payment requests at the far side, still", 20, () -> farSide.figure("payments", "requests"));
		figure("duplicates turned away, says the meter", 1,
				() -> actuator.meter("once.effects", "action:charge", "outcome:duplicate"));

		await(() -> actuator.open("unknown") == 0);
		step("The resolver has asked the far side about " + LOST
				+ ", too early at first, and again when a \"not found\" would have counted");
		line("    look-ups at the far side: " + farSide.figure("payments", "lookups"));
		figure("answers found by asking, says the actuator", 1, () -> actuator.resolved("happened"));

		step("Three statements are asked for at once: one runs, the others wait in the job's queue for their turn");
		List.of("customer-001", "customer-002", "customer-003")
			.parallelStream()
			.forEach(this.backOffice::exportStatement);
		await(() -> this.books.count("statement") >= 3);
		figure("statements exported", 3, () -> this.books.count("statement"));

		step("A person asks for the end-of-day close, and asks again");
		Answer first = this.desk.runNow("close-day", "story", null);
		await(() -> this.books.count("close") == 1
				&& this.desk.runNow("close-day", "story", null) instanceof Answer.AlreadyDone);
		this.failed |= !(first instanceof Answer.Started);
		line("    " + first.occurrence() + ": " + ((first instanceof Answer.Started)
				? "started, and the second time it was already done" : "FAILED, " + first));
		figure("days closed", 1, () -> this.books.count("close"));

		await(() -> farSide.figure("figures", "applied") == 1);
		step("The end");
		figure("invoices charged", 20, () -> farSide.figure("payments", "applied"));
		figure("charged twice", 0, () -> farSide.figure("payments", "duplicates"));
		figure("receipts mailed", 20, () -> farSide.figure("mails", "applied"));
		figure("mailed twice", 0, () -> farSide.figure("mails", "duplicates"));
		figure("daily figures posted", 1, () -> farSide.figure("figures", "applied"));
		figure("effects still open", 0,
				() -> actuator.open("claimed") + actuator.open("submitted") + actuator.open("unknown"));
		line("");
		line(this.failed ? "FAILED: a figure is not what it should be" : "Every effect happened once.");
	}

	private void step(String text) {
		line("");
		line(++this.step + ". " + text);
	}

	private void figure(String what, long expected, LongSupplier read) {
		long value = read.getAsLong();
		boolean right = value == expected;
		this.failed |= !right;
		line("    " + what + ": " + value + (right ? "" : "   FAILED, it should be " + expected));
	}

	private void await(BooleanSupplier condition) {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end > 0) {
				throw new IllegalStateException("Waited " + PATIENCE.toSeconds() + " s in vain");
			}
			try {
				Thread.sleep(BETWEEN_LOOKS.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
		}
	}

	@SuppressWarnings("java:S106")
	private static void line(String text) {
		System.out.println(text);
	}

}
