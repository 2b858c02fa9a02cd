package dev.once.jdbc;

import java.time.Instant;

import dev.once.approval.DecisionStore;
import dev.once.approval.InMemoryDecisionStore;
import dev.once.lease.SettableClock;

class InMemoryDecisionStoreTests extends DecisionStoreContractTests {

	private final SettableClock clock = new SettableClock();

	private final DecisionStore decisions = new InMemoryDecisionStore(this.clock);

	@Override
	DecisionStore decisions() {
		return this.decisions;
	}

	@Override
	Instant now() {
		return this.clock.now();
	}

}
