package dev.once.ledger;

import java.util.Locale;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Says in the log what a person may want to know of an effect: repeats, changed facts,
 * what came of asking the far side, contradictions. Lines name effects by label, key and
 * digest; what the arguments, answers and errors said stands in none of them.
 */
public final class EffectLog implements EffectListener {

	private static final Log repeatLogger = LogFactory.getLog("once.repeat");

	private static final Log changedLogger = LogFactory.getLog("once.changed");

	private static final Log resolvedLogger = LogFactory.getLog("once.resolved");

	private static final Log contradictionLogger = LogFactory.getLog("once.contradiction");

	@Override
	public void repeated(EffectRow row, Ending ending, Caller caller) {
		boolean again = caller == Caller.RUN_AGAIN;
		if (again ? repeatLogger.isDebugEnabled() : repeatLogger.isInfoEnabled()) {
			String line = "Repeat of " + name(row.facts()) + ": met " + state(row) + ", " + became(row, ending);
			if (again) {
				repeatLogger.debug(line);
			}
			else {
				repeatLogger.info(line);
			}
		}
	}

	@Override
	public void changed(EffectFacts facts) {
		if (changedLogger.isInfoEnabled()) {
			changedLogger.info("Changed fact: " + name(facts) + " has inputs with digest " + facts.inputDigest()
					+ "; its target was acted on with other inputs before");
		}
	}

	@Override
	public void resolved(EffectRow row, Resolved how) {
		if (how == Resolved.UNDETERMINED) {
			resolvedLogger.warn("Nobody could say whether " + name(row.facts()) + " happened, after "
					+ row.resolveTries() + " tries: it stays " + state(row) + " and needs a person");
		}
		else if (resolvedLogger.isInfoEnabled()) {
			resolvedLogger.info("Asked about " + name(row.facts()) + ": " + found(how) + ", it is " + state(row));
		}
	}

	@Override
	public void contradiction(EffectFacts facts, @Nullable EffectRow row) {
		contradictionLogger.error("Contradiction: an answer came for " + name(facts)
				+ ", for an attempt that had been resolved as \"did not happen\"; the effect is now "
				+ ((row != null) ? state(row) : "no longer in the ledger")
				+ ". Look at the far side whether it happened twice");
	}

	private static String name(EffectFacts facts) {
		String revision = (facts.revision() > 1) ? ", revision " + facts.revision() : "";
		return "action '" + facts.action() + "', effect '" + facts.label() + "', key " + facts.key() + revision;
	}

	private static String state(EffectRow row) {
		String outcome = (row.outcome() != null) ? word(row.outcome()) + ", " : "";
		String attention = (row.attention() != null) ? ", attention " + word(row.attention()) : "";
		return word(row.state()) + " (" + outcome + "attempt " + row.attempt().number() + attention + ")";
	}

	private static String became(EffectRow row, Ending ending) {
		return switch (ending) {
			case DUPLICATE -> isGivenUp(row) ? "turned away as a duplicate of what was given up"
					: "turned away as a duplicate, the recorded answer stands";
			case IN_PROGRESS -> "turned away, another attempt is in flight";
			case WAITING -> "waits for its next attempt";
			case REFUSED -> "turned away, the far side refused and a person is needed";
			case UNKNOWN -> "turned away, nobody knows yet whether it happened";
			case PERFORMED, NOT_SENT, FENCED -> word(ending);
		};
	}

	private static boolean isGivenUp(EffectRow row) {
		return row.outcome() == EffectOutcome.ABANDONED || row.outcome() == EffectOutcome.DENIED;
	}

	private static String found(Resolved how) {
		return switch (how) {
			case HAPPENED -> "it happened";
			case DID_NOT_HAPPEN -> "it did not happen";
			case CANNOT_TELL, UNDETERMINED -> "nothing is proven yet";
		};
	}

	static String word(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
