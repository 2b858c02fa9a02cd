package dev.once.caretaker;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

import dev.once.DueTime;
import dev.once.OnceException;
import dev.once.approval.Decision;
import dev.once.approval.DecisionKind;
import dev.once.approval.DecisionStore;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.occurrence.DuePoint;
import dev.once.occurrence.Firing;
import dev.once.occurrence.JobDesk;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.Runs;
import dev.once.occurrence.Timetable;
import dev.once.occurrence.UnknownJobException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Does what people ask of jobs, on the threads that bring occurrences back.
 */
public final class RunDesk implements JobDesk {

	private static final Log logger = LogFactory.getLog(RunDesk.class);

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

	private final OccurrenceStore occurrences;

	private final LeaseStore leases;

	private final DecisionStore decisions;

	private final Runs runs;

	private final ComingBack.Jobs jobs;

	private final ComingBack comingBack;

	/**
	 * Creates it.
	 * @param occurrences the table of occurrences
	 * @param leases the lease table
	 * @param decisions the table of decisions
	 * @param runs runs what is asked for
	 * @param jobs the jobs that this context can run
	 * @param comingBack has the threads
	 */
	public RunDesk(OccurrenceStore occurrences, LeaseStore leases, DecisionStore decisions, Runs runs,
			ComingBack.Jobs jobs, ComingBack comingBack) {
		this.occurrences = occurrences;
		this.leases = leases;
		this.decisions = decisions;
		this.runs = runs;
		this.jobs = jobs;
		this.comingBack = comingBack;
	}

	@Override
	public Answer runNow(String job, String who, @Nullable String why) {
		DuePoint latest = latest(job);
		DueTime due = new DueTime(latest.dueAt(), latest.zone(), latest.name());
		record(DecisionKind.RUN_NOW, job, latest.name(), who, why);
		return run(job, due);
	}

	@Override
	public Answer runAgain(String job, String name, String who, String why) {
		if (!NAME.matcher(name).matches()) {
			throw new OnceException(
					"The name of a further run takes 1 to 40 lower-case letters, digits and dashes, with "
							+ "a letter or digit first: it is a part of the occurrence's name");
		}
		if (why.isBlank()) {
			throw new OnceException("A further run repeats what was done, and needs a reason: say why");
		}
		DuePoint latest = latest(job);
		String occurrence = latest.name() + "/" + name;
		record(DecisionKind.RUN_AGAIN, job, occurrence, who, why);
		return run(job, new DueTime(latest.dueAt(), latest.zone(), occurrence));
	}

	private DuePoint latest(String job) {
		checkKnown(job);
		Timetable timetable = this.jobs.call(job).policy().timetable();
		if (timetable == null) {
			throw new OnceException(
					"Job '" + job + "' has no due times of its own, so that nobody knows which occurrence "
							+ "is meant: call the code that triggers it");
		}
		// L5
		Instant now = this.leases.find(job).map(LeaseRow::readAt).orElseGet(Instant::now);
		return timetable.latest(now)
			.orElseThrow(() -> new OnceException("Job '" + job + "' has not been due yet: there is nothing to see to"));
	}

	private void checkKnown(String job) {
		Collection<String> known = this.jobs.names();
		if (!known.contains(job)) {
			throw new UnknownJobException("No code of this application declares a job of that name. Declared are: "
					+ (known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))));
		}
	}

	private void record(DecisionKind kind, String job, String occurrence, String who, @Nullable String why) {
		this.decisions.append(Decision.ofJob(UUID.randomUUID().toString(), kind, job, occurrence, who, why, null));
	}

	private Answer run(String job, DueTime due) {
		CompletableFuture<Answer> answer = new CompletableFuture<>();
		String occurrence = Objects.requireNonNull(due.occurrence());
		this.comingBack.handOver(() -> {
			try {
				Firing firing = this.runs.runNow(job, due,
						(token) -> answer.complete(new Answer.Started(occurrence, token)), this.jobs.work(job));
				if (!answer.isDone()) {
					answer.complete(answer(job, occurrence, firing));
				}
			}
			catch (Throwable ex) {
				if (!answer.completeExceptionally(ex)) {
					logger.error("Occurrence '" + occurrence + "' of job '" + job + "', asked for by a person, failed",
							ex);
				}
			}
		});
		try {
			return answer.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw ex;
		}
	}

	private Answer answer(String job, String occurrence, Firing firing) {
		if (firing instanceof Firing.Known known && known.row().state() == OccurrenceState.FINISHED) {
			return new Answer.AlreadyDone(occurrence, known.row().endedAt());
		}
		if (firing instanceof Firing.Suppressed) {
			return new Answer.Running(occurrence, running(job, occurrence));
		}
		if (firing instanceof Firing.Queued) {
			return new Answer.NotRun(occurrence,
					"others of the job wait and go first; it is run after them if asked for " + "again then");
		}
		if (firing instanceof Firing.Purged) {
			return new Answer.NotRun(occurrence,
					"it is older than what has been purged, so that nobody knows whether it ran");
		}
		return new Answer.NotRun(occurrence, (firing instanceof Firing.Stopping)
				? "the application is shutting down; ask another node" : "it cannot be run as it stands");
	}

	private @Nullable String running(String job, String occurrence) {
		Optional<OccurrenceRow> asked = this.occurrences.find(job, occurrence)
			.filter((row) -> row.state() == OccurrenceState.RUNNING);
		return asked.or(() -> this.occurrences.list(job, OccurrenceState.RUNNING, 1).stream().findFirst())
			.map(OccurrenceRow::occurrence)
			.orElse(null);
	}

	@Override
	public Drilled drill(String job, String who, @Nullable String why) {
		checkKnown(job);
		List<OccurrenceRow> finished = this.occurrences.list(job, OccurrenceState.FINISHED, 1);
		if (finished.isEmpty()) {
			throw new OnceException("Nothing of job '" + job + "' has finished yet: there is nothing to run again");
		}
		if (this.leases.find(job).filter(LeaseRow::isHeld).isPresent()) {
			throw new OnceException(
					"A run of job '" + job + "' is live, and a drill beside it would run the body twice at "
							+ "once: ask again when it has ended");
		}
		OccurrenceRow row = finished.get(0);
		record(DecisionKind.DRILL, job, row.occurrence(), who, why);
		return this.runs.drill(row, this.jobs.work(row));
	}

}
