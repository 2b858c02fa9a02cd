package dev.once.sample.crash;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.PassedDueTimes;
import org.jspecify.annotations.Nullable;

/**
 * A table of occurrences with a point before and after the commits that claim and release
 * a lease with them.
 */
class CrashingOccurrences implements OccurrenceStore {

	private final OccurrenceStore occurrences;

	private final KillSwitch killSwitch;

	CrashingOccurrences(OccurrenceStore occurrences, KillSwitch killSwitch) {
		this.occurrences = occurrences;
		this.killSwitch = killSwitch;
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		this.killSwitch.pass(KillPoint.BEFORE_CLAIM);
		List<Claim> claims = this.occurrences.claim(requests);
		this.killSwitch.pass(KillPoint.AFTER_CLAIM);
		return claims;
	}

	@Override
	public List<Ended> end(List<End> ends) {
		this.killSwitch.pass(KillPoint.BEFORE_RELEASE);
		List<Ended> ended = this.occurrences.end(ends);
		this.killSwitch.pass(KillPoint.AFTER_RELEASE);
		return ended;
	}

	@Override
	public boolean abandon(OccurrenceRow row, String detail) {
		return this.occurrences.abandon(row, detail);
	}

	@Override
	public Optional<OccurrenceRow> find(String job, String occurrence) {
		return this.occurrences.find(job, occurrence);
	}

	@Override
	public List<OccurrenceRow> comingBack(Collection<String> jobs, int limit) {
		return this.occurrences.comingBack(jobs, limit);
	}

	@Override
	public PutOffAnswer putOff(PutOff putOff) {
		return this.occurrences.putOff(putOff);
	}

	@Override
	public PassedDueTimes.Judged look(String job, PassedDueTimes dueTimes) {
		return this.occurrences.look(job, dueTimes);
	}

	@Override
	public Standing standing() {
		return this.occurrences.standing();
	}

	@Override
	public List<OccurrenceRow> list(String job, @Nullable OccurrenceState state, int limit) {
		return this.occurrences.list(job, state, limit);
	}

}
