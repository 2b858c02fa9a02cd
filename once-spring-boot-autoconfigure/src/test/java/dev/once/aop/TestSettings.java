package dev.once.aop;

import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;

import dev.once.ChangedFact;
import dev.once.FarSide;
import dev.once.OnMissed;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.ledger.Contracts;
import dev.once.ledger.FarSideContract;
import org.jspecify.annotations.Nullable;

/**
 * Settings without properties: what the annotations say, and defaults.
 */
final class TestSettings implements GuardSettings {

	private final Map<String, Overlap> overlaps = new HashMap<>();

	Unobservable unobservableEffects = Unobservable.REFUSED;

	private SelfInvocation selfInvocation = SelfInvocation.FAIL;

	boolean keySecret;

	DirectDue directDue = new DirectDue.Unknown();

	int maxValue = 1_000_000;

	Runnable whenRead = () -> {
	};

	TestSettings overlap(String job, Overlap overlap) {
		this.overlaps.put(job, overlap);
		return this;
	}

	TestSettings selfInvocation(SelfInvocation selfInvocation) {
		this.selfInvocation = selfInvocation;
		return this;
	}

	@Override
	public FarSideContract farSide(String name, @Nullable FarSide declared) {
		FarSideContract of = Contracts.PAYMENTS;
		Duration remembers = (declared != null && !declared.remembers().isEmpty())
				? Duration.ofHours(Integer.parseInt(declared.remembers().replace("h", ""))) : null;
		return new FarSideContract(name, of.hosts(), of.window(), of.maxWindow(), of.settleAfter(), remembers,
				of.shows(), of.refusalKey(), of.refusedOn(), of.notSentOn(), of.attempts(), of.backoff());
	}

	@Override
	public EffectTerms effect(String action, @Nullable OnceEffect declared) {
		if (declared == null) {
			return new EffectTerms(null, ChangedFact.WAIT, Choice.DEFAULT, false, Unobservable.REFUSED);
		}
		return new EffectTerms(declared.farSide().isEmpty() ? null : declared.farSide(), declared.changedFact(),
				(declared.changedFact() == ChangedFact.WAIT) ? Choice.DEFAULT : Choice.CHOSEN, declared.askFirst(),
				declared.unobservable());
	}

	@Override
	public JobTerms job(String job, @Nullable OnceJob declared, String where) {
		Overlap overlap = this.overlaps.get(job);
		if (overlap == null && declared != null && declared.overlap().length == 1) {
			overlap = declared.overlap()[0];
		}
		if (overlap == null) {
			throw new InvalidGuardException(where, "it chooses no overlap", "Choose once.jobs." + job + ".overlap");
		}
		int attempts = (declared != null && declared.attempts() != 0) ? declared.attempts() : 3;
		return new JobTerms(overlap, 10, (declared != null) ? declared.onMissed() : OnMissed.REPORT,
				Duration.ofSeconds(30), Choice.DEFAULT, null, attempts, Duration.ofSeconds(60));
	}

	@Override
	public JobTerms undeclaredJob() {
		return new JobTerms(Overlap.COALESCE, 10, OnMissed.REPORT, Duration.ofSeconds(30), Choice.DEFAULT, null, 3,
				Duration.ofSeconds(60));
	}

	@Override
	public ZoneId zone() {
		return ZoneId.of("Europe/Zurich");
	}

	@Override
	public Choice zoneChoice() {
		return Choice.DEFAULT;
	}

	@Override
	public DirectDue directDue() {
		return this.directDue;
	}

	@Override
	public Unobservable unobservableEffects() {
		return this.unobservableEffects;
	}

	@Override
	public SelfInvocation selfInvocation() {
		this.whenRead.run();
		return this.selfInvocation;
	}

	@Override
	public String application() {
		return "test";
	}

	@Override
	public boolean hasKeySecret() {
		return this.keySecret;
	}

	@Override
	public int maxValue() {
		return this.maxValue;
	}

}
