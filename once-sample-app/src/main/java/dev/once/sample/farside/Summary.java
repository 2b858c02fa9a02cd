package dev.once.sample.farside;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The record of one action in figures.
 *
 * @param requests requests that asked for the effect, look-ups not counted
 * @param applied effects that happened
 * @param repeated requests turned away by their key
 * @param refused requests turned away with an error status
 * @param lookups look-ups
 * @param distinctKeys different keys among the applied
 * @param distinctTargets different targets among the applied
 * @param duplicates applied requests whose key or target had been applied before
 */
record Summary(long requests, long applied, long repeated, long refused, long lookups, long distinctKeys,
		long distinctTargets, long duplicates) {

	static Summary of(FarSideAction action, List<RecordedRequest> record) {
		List<RecordedRequest> own = record.stream().filter((request) -> request.action() == action).toList();
		long applied = count(own, Verdict.APPLIED);
		long repeated = count(own, Verdict.REPEATED);
		long refused = count(own, Verdict.REFUSED);
		Set<String> keys = new HashSet<>();
		Set<String> targets = new HashSet<>();
		long duplicates = 0;
		for (RecordedRequest request : own) {
			if (request.verdict() == Verdict.APPLIED) {
				boolean knownKey = request.key() != null && !keys.add(request.key());
				boolean knownTarget = !targets.add(Objects.requireNonNull(request.target()));
				if (knownKey || knownTarget) {
					duplicates++;
				}
			}
		}
		return new Summary(applied + repeated + refused, applied, repeated, refused,
				count(own, Verdict.SHOWN) + count(own, Verdict.ABSENT), keys.size(), targets.size(), duplicates);
	}

	private static long count(List<RecordedRequest> record, Verdict verdict) {
		return record.stream().filter((request) -> request.verdict() == verdict).count();
	}

}
