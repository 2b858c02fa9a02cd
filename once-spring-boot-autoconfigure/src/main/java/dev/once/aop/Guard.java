package dev.once.aop;

import java.time.ZoneId;
import java.util.List;

import dev.once.Grain;
import dev.once.ledger.LocalBoundary;
import dev.once.occurrence.JobPolicy;
import dev.once.occurrence.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * What the interceptor does for a method.
 *
 * @param job the job that the method's call is, or {@code null}
 * @param effect the effect that it is, or {@code null}
 */
record Guard(@Nullable Job job, @Nullable Effect effect) {

	/**
	 * A job.
	 *
	 * @param name its name
	 * @param site where it is declared
	 * @param terms how its firings are treated
	 * @param policy how those are that cannot run at once
	 * @param schedules when it fires
	 * @param grain how much of the due time names an occurrence
	 * @param rule names its occurrences
	 * @param arguments records what a run that comes back is called with, or {@code null}
	 * where there is nothing to record
	 */
	record Job(String name, Site site, JobTerms terms, JobPolicy policy, List<Schedule> schedules, Grain grain,
			OccurrenceRule rule, @Nullable RecordedArguments arguments) {

		GuardedJob forPeople(ZoneId zone, Choice zoneChoice) {
			return new GuardedJob(this.name, this.site.brief(), this.schedules, zone, zoneChoice, this.grain,
					this.policy, this.terms.lease(), this.terms.leaseChoice());
		}

	}

	/**
	 * An effect.
	 *
	 * @param site where it is declared
	 * @param parts what its key is made of
	 * @param form how the method gives the answer
	 * @param action what all calls of its action have in common
	 * @param local its transaction, or {@code null} for an external effect
	 */
	record Effect(Site site, KeyParts parts, ReturnForm form, GuardedAction action, @Nullable LocalBoundary local) {

		GuardedEffect forPeople() {
			return new GuardedEffect(this.parts.action(), this.site.brief(),
					this.parts.targets().stream().map(KeyPart::name).toList(),
					this.parts.inputs().stream().map(KeyPart::name).toList(), this.action.farSideName(),
					this.action.terms().changedFact(), this.action.terms().changedFactChoice(),
					this.action.secondStoppedBy());
		}

	}

}
