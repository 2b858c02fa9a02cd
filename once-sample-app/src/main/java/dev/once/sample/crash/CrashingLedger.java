package dev.once.sample.crash;

import java.util.List;
import java.util.Optional;

import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectRow;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import org.jspecify.annotations.Nullable;

/**
 * A ledger with a point before and after each of its commits.
 */
class CrashingLedger implements EffectLedger {

	private final EffectLedger ledger;

	private final KillSwitch killSwitch;

	CrashingLedger(EffectLedger ledger, KillSwitch killSwitch) {
		this.ledger = ledger;
		this.killSwitch = killSwitch;
	}

	@Override
	public List<Moved> apply(List<? extends Move> moves) {
		this.killSwitch.bodyEnds();
		KillPoint before = before(moves.get(0));
		if (before != null) {
			this.killSwitch.pass(before);
		}
		List<Moved> moved = this.ledger.apply(moves);
		if (before != null) {
			this.killSwitch.pass(KillPoint.values()[before.ordinal() + 1]);
		}
		if (before == KillPoint.BEFORE_SUBMIT) {
			this.killSwitch.bodyBegins();
		}
		return moved;
	}

	private static @Nullable KillPoint before(Move move) {
		if (move instanceof Move.Submit || move instanceof Move.Resubmit) {
			return KillPoint.BEFORE_SUBMIT;
		}
		if (move instanceof Move.Settle) {
			return KillPoint.BEFORE_SETTLE;
		}
		if (move instanceof Move.Lose) {
			return KillPoint.BEFORE_LOSE;
		}
		if (move instanceof Move.Ask) {
			return KillPoint.BEFORE_ASK;
		}
		boolean resolved = move instanceof Move.Happened || move instanceof Move.DidNotHappen
				|| move instanceof Move.KeepUnknown;
		return resolved ? KillPoint.BEFORE_RESOLVED : null;
	}

	@Override
	public List<Moved> extend(List<Move.Extend> extensions) {
		return this.ledger.extend(extensions);
	}

	@Override
	public Optional<EffectRow> readBack(String key, int revision) {
		return this.ledger.readBack(key, revision);
	}

	@Override
	public Optional<EffectRow> find(String key, int revision) {
		return this.ledger.find(key, revision);
	}

	@Override
	public List<EffectRow> due(int limit) {
		return this.ledger.due(limit);
	}

	@Override
	public List<Twin> twins(EffectFacts facts) {
		return this.ledger.twins(facts);
	}

	@Override
	public Standing standing() {
		return this.ledger.standing();
	}

}
