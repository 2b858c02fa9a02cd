package dev.once.ledger;

import java.time.Duration;
import java.util.Set;

import dev.once.ledger.FarSideContract.RefusalKey;

/**
 * The contract of a payment provider, and changes of it.
 */
public final class Contracts {

	/** Window 30 s, at most 10 min, settle-after 1 min, 4 attempts 1 min apart. */
	public static final FarSideContract PAYMENTS = new FarSideContract("payments", Set.of(), Duration.ofSeconds(30),
			Duration.ofMinutes(10), Duration.ofMinutes(1), null, null, RefusalKey.SAME, Set.of(), Set.of(), 4,
			Duration.ofMinutes(1));

	private Contracts() {
	}

	public static FarSideContract remembering(Duration remembers) {
		FarSideContract of = PAYMENTS;
		return new FarSideContract(of.name(), of.hosts(), of.window(), of.maxWindow(), of.settleAfter(), remembers,
				of.shows(), of.refusalKey(), of.refusedOn(), of.notSentOn(), of.attempts(), of.backoff());
	}

	public static FarSideContract showing(Duration shows) {
		FarSideContract of = PAYMENTS;
		return new FarSideContract(of.name(), of.hosts(), of.window(), of.maxWindow(), of.settleAfter(), of.remembers(),
				shows, of.refusalKey(), of.refusedOn(), of.notSentOn(), of.attempts(), of.backoff());
	}

	public static FarSideContract withFreshKeyAfterRefusal(FarSideContract of) {
		return new FarSideContract(of.name(), of.hosts(), of.window(), of.maxWindow(), of.settleAfter(), of.remembers(),
				of.shows(), RefusalKey.FRESH, of.refusedOn(), of.notSentOn(), of.attempts(), of.backoff());
	}

	public static FarSideContract listing(Set<Class<? extends Throwable>> refusedOn,
			Set<Class<? extends Throwable>> notSentOn) {
		FarSideContract of = PAYMENTS;
		return new FarSideContract(of.name(), of.hosts(), of.window(), of.maxWindow(), of.settleAfter(), of.remembers(),
				of.shows(), of.refusalKey(), refusedOn, notSentOn, of.attempts(), of.backoff());
	}

}
