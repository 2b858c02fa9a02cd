package dev.once.ledger;

import java.util.List;

import dev.once.ledger.ModelState.Fault;

import static dev.once.ledger.ModelWorld.FOR_EVER;

/**
 * The worlds in which the protocol must hold, and those that are known to break it.
 */
final class ProtocolWorlds {

	private static final Fault[] ANY = Fault.values();

	private ProtocolWorlds() {
	}

	/**
	 * Whatever happens in these, every invariant holds.
	 */
	static List<Case> meant() {
		return List.of(new Case("run, resolver", ModelWorld.run().upTo(6, 2, 2).faults(1, ANY).endsWell(), 200_000),
				new Case("run, resolver, far side deduplicates",
						ModelWorld.run().remembers(FOR_EVER).upTo(6, 2, 2).faults(1, ANY), 245_000),
				new Case("run, resolver, two crashes or ambiguous commits",
						ModelWorld.run().upTo(6, 2, 2).faults(2, Fault.CRASH, Fault.AMBIGUOUS_COMMIT), 165_000),
				new Case("run, nobody to ask",
						ModelWorld.run().withoutResolver().upTo(6, 2, 2).faults(2, ANY).endsWell(), 195_000),
				new Case("run, nobody to ask, far side deduplicates",
						ModelWorld.run().withoutResolver().remembers(FOR_EVER).upTo(5, 2, 2).faults(1, ANY), 215_000),
				new Case("run, nobody to ask, far side remembers for a time (E8)",
						ModelWorld.run()
							.withoutResolver()
							.farSide(0, 1, 1)
							.remembers(5)
							.upTo(7, 2, 3)
							.faults(1, ANY)
							.endsWell(),
						345_000),
				new Case("standalone, resolver", ModelWorld.standalone().upTo(6, 2, 2).faults(1, ANY), 245_000),
				new Case("standalone, nobody to ask",
						ModelWorld.standalone().withoutResolver().upTo(6, 3, 2).faults(1, ANY), 190_000),
				new Case("standalone, nobody to ask, far side remembers for a time (E8)",
						ModelWorld.standalone()
							.withoutResolver()
							.farSide(0, 1, 1)
							.remembers(5)
							.upTo(6, 2, 2)
							.faults(1, Fault.CRASH, Fault.AMBIGUOUS_COMMIT, Fault.NOT_SENT, Fault.REFUSAL),
						140_000),
				new Case("threads of one run, resolver",
						ModelWorld.threads()
							.upTo(6, 2, 2)
							.faults(1, Fault.CRASH, Fault.NOT_SENT, Fault.REFUSAL, Fault.CANNOT_TELL),
						95_000),
				new Case("three attempts", ModelWorld.run().farSide(0, 0, 0).upTo(6, 3, 3).faults(0), 61_000),
				new Case("extended windows",
						ModelWorld.run()
							.window(3, 6)
							.farSide(0, 1, 1)
							.upTo(8, 2, 2)
							.faults(1, Fault.EXTENSION, Fault.CRASH)
							.endsWell(),
						170_000),
				new Case("window extended, then a fault",
						ModelWorld.standalone()
							.window(2, 4)
							.farSide(0, 1, 1)
							.upTo(6, 2, 2)
							.faults(2, Fault.EXTENSION, Fault.AMBIGUOUS_COMMIT),
						335_000),
				new Case("a fresh key after a refusal (E10)",
						ModelWorld.run()
							.withoutResolver()
							.remembers(FOR_EVER)
							.freshKeyAfterRefusal()
							.upTo(5, 3, 3)
							.faults(1, Fault.REFUSAL),
						285_000),
				new Case("far side shows an effect for a time",
						ModelWorld.run().shows(5).upTo(7, 2, 2).faults(0).endsWell(), 54_000),
				new Case("settle-after: nothing to wait for but the delay",
						ModelWorld.run().farSide(0, 1, 1).upTo(5, 2, 2).faults(0), 9_000),
				new Case("settle-after: longer than lag and delay",
						ModelWorld.run().farSide(1, 1, 3).upTo(7, 2, 2).faults(0), 28_000),
				new Case("settle-after too short, far side deduplicates",
						ModelWorld.run().farSide(1, 1, 0).remembers(FOR_EVER).upTo(6, 2, 2).faults(0), 44_000),
				new Case("hole, far side deduplicates",
						ModelWorld.run().remembers(FOR_EVER).pausesInGap().upTo(6, 2, 2).faults(0), 78_000),
				new Case("HTTP client sends twice, far side deduplicates",
						ModelWorld.run().remembers(FOR_EVER).clientSendsTwice().upTo(6, 2, 2).faults(0), 29_000));
	}

	/**
	 * In these the far side's contract is not kept, or the process is stopped where Once
	 * cannot help: what DESIGN says that it does not promise.
	 */
	static List<Case> broken() {
		return List.of(
				new Case("settle-after covers the index lag, not the delay on top",
						ModelWorld.run().farSide(1, 1, 1).upTo(6, 2, 2).faults(0), 5_000),
				new Case("index lag longer than settle-after",
						ModelWorld.run().farSide(2, 1, 2).upTo(7, 2, 2).faults(0), 10_000),
				new Case("hole: pause between the last check and the socket",
						ModelWorld.run().pausesInGap().upTo(6, 2, 2).faults(0), 22_000),
				new Case("HTTP client sends twice", ModelWorld.run().clientSendsTwice().upTo(6, 2, 2).faults(0), 20));
	}

	/**
	 * A world by its name.
	 *
	 * @param name the name
	 * @param world the world
	 * @param atLeast how many states it has at least
	 */
	record Case(String name, ModelWorld world, int atLeast) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
