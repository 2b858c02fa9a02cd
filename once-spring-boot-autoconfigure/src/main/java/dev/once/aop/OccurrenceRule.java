package dev.once.aop;

import java.time.ZoneId;
import java.util.Collections;
import java.util.List;

import dev.once.DueTime;
import dev.once.Grain;
import dev.once.JobRun;
import dev.once.OnceScope;
import dev.once.key.OccurrenceText;
import dev.once.lease.TimeSource;
import dev.once.occurrence.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * Which occurrence a call of a job carries out (O1).
 */
sealed interface OccurrenceRule {

	/**
	 * Finds the occurrence of a call in the current scope.
	 * @param args the call's arguments
	 * @param times says when calls are due
	 * @param time the process's time
	 * @throws dev.once.OnceException when it cannot be named; nothing was run
	 */
	Called of(@Nullable Object[] args, CallTimes times, TimeSource time);

	/**
	 * Whether its calls have names even if they do not come from a timer, so that their
	 * arguments are recorded for the run that comes back.
	 */
	boolean namesDirectCalls();

	/**
	 * What a call carries out.
	 *
	 * @param occurrence the occurrence's name, or {@code null} where the lease alone
	 * guards the call
	 * @param due when it is due, or {@code null} where nobody says: an occurrence is due
	 * when it is called, then
	 */
	record Called(@Nullable String occurrence, @Nullable DueTime due) {

		static Called named(String occurrence, DueTime due) {
			return new Called(occurrence, new DueTime(due.at(), due.zone(), occurrence));
		}

	}

	/**
	 * Triggered work: its arguments name it, and it is due when it is first called.
	 *
	 * @param job the job's name
	 * @param expression what names it
	 */
	record ByArguments(String job, KeyExpression expression) implements OccurrenceRule {

		@Override
		public Called of(@Nullable Object[] args, CallTimes times, TimeSource time) {
			Object value = this.expression.evaluate(args, new KeyExpression.Whose.Job(this.job));
			String name = OccurrenceText.of((value instanceof List<?> parts) ? parts : Collections.singletonList(value),
					"What '" + this.expression + "' gives as the occurrence of job '" + this.job + "'");
			DueTime due = due(times);
			return (due != null) ? Called.named(name, due) : new Called(name, null);
		}

		@Override
		public boolean namesDirectCalls() {
			return true;
		}

	}

	/**
	 * Work that is due at a time.
	 *
	 * @param job the job's name
	 * @param grain how much of the due time the name keeps
	 * @param schedules the job's own
	 */
	record ByDueTime(String job, Grain grain, List<Schedule> schedules) implements OccurrenceRule {

		@Override
		public Called of(@Nullable Object[] args, CallTimes times, TimeSource time) {
			if (this.grain != Grain.OCCURRENCE) {
				DueTime known = known();
				DueTime due = inZone((known != null) ? known : times.direct(this.job, this.grain, time));
				return Called.named(times.text(this.grain, due), due);
			}
			DueTime due = told(times);
			if (due == null) {
				return new Called(null, known());
			}
			if (due.occurrence() != null) {
				return Called.named(due.occurrence(), due);
			}
			return this.schedules.isEmpty() ? Called.named(due.at().toString(), due) : bySchedule(due, times.zone());
		}

		// The same as the timer's, whoever calls
		private Called bySchedule(DueTime due, ZoneId fallback) {
			for (Schedule schedule : this.schedules) {
				String name = schedule.name(due.at(), fallback);
				if (name != null) {
					return Called.named(name, new DueTime(schedule.due(due.at()), zone(due, schedule), name));
				}
			}
			return new Called(null, inZone(due));
		}

		private DueTime inZone(DueTime due) {
			return this.schedules.isEmpty() ? due
					: new DueTime(due.at(), zone(due, this.schedules.get(0)), due.occurrence());
		}

		private static @Nullable ZoneId zone(DueTime due, Schedule schedule) {
			return (due.zone() == null && schedule instanceof Schedule.Cron cron) ? cron.zone() : due.zone();
		}

		@Override
		public boolean namesDirectCalls() {
			return this.grain != Grain.OCCURRENCE;
		}

	}

	/**
	 * Work that takes arguments which do not name it: two calls that are due at one time
	 * may be two things, and the lease alone guards them.
	 */
	record ByLease() implements OccurrenceRule {

		@Override
		public Called of(@Nullable Object[] args, CallTimes times, TimeSource time) {
			return new Called(null, due(times));
		}

		@Override
		public boolean namesDirectCalls() {
			return false;
		}

	}

	/**
	 * When the call is due as anybody says: a timer, its caller, the run around it or
	 * whoever started the process.
	 */
	static @Nullable DueTime due(CallTimes times) {
		DueTime due = told(times);
		return (due != null) ? due : known();
	}

	/**
	 * When the call is due as a timer, its caller or whoever started the process says.
	 */
	private static @Nullable DueTime told(CallTimes times) {
		OnceScope scope = OnceScope.current();
		if (scope.due() == null && scope.run() == null && times.direct() instanceof DirectDue.Given given) {
			return DueTime.of(given.at());
		}
		return scope.due();
	}

	/**
	 * When the call is due as a timer, its caller or the run around it says.
	 */
	private static @Nullable DueTime known() {
		OnceScope scope = OnceScope.current();
		JobRun run = scope.run();
		if (scope.due() != null || run == null || run.due() == null) {
			return scope.due();
		}
		// Another job's occurrence names nothing here
		return new DueTime(run.due().at(), run.due().zone(), null);
	}

}
