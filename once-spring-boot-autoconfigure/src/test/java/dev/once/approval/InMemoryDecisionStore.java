package dev.once.approval;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.once.lease.SettableClock;

/**
 * The table of decisions in memory, to which the databases are held.
 */
public final class InMemoryDecisionStore implements DecisionStore {

	private final Map<String, DecisionRow> rows = new LinkedHashMap<>();

	private final SettableClock clock;

	public InMemoryDecisionStore(SettableClock clock) {
		this.clock = clock;
	}

	@Override
	public synchronized void append(Decision decision) {
		this.rows.putIfAbsent(decision.id(), new DecisionRow(decision, this.clock.now()));
	}

	@Override
	public synchronized List<DecisionRow> latest(String job, int limit) {
		List<DecisionRow> ofJob = this.rows.values()
			.stream()
			.filter((row) -> job.equals(row.decision().job()))
			.toList();
		return ofJob.stream()
			.sorted((one, other) -> Integer.compare(ofJob.indexOf(other), ofJob.indexOf(one)))
			.limit(limit)
			.toList();
	}

}
