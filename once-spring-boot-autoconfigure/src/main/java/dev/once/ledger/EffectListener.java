package dev.once.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Is told what the protocol did. It must not throw and must not block.
 */
public interface EffectListener {

	/**
	 * A call ended.
	 * @param facts what names the effect
	 * @param ending what became of the call
	 */
	default void ended(EffectFacts facts, Ending ending) {
	}

	/**
	 * A call met the row of its own key and did nothing new.
	 * @param row the row as met
	 * @param ending what became of the call
	 * @param caller who called
	 */
	default void repeated(EffectRow row, Ending ending, Caller caller) {
	}

	/**
	 * A target is acted on with other inputs than before (R1).
	 * @param facts what names the new effect
	 */
	default void changed(EffectFacts facts) {
	}

	/**
	 * The far side was asked about an effect.
	 * @param row the row asked about
	 * @param how what came of it
	 */
	default void resolved(EffectRow row, Resolved how) {
	}

	/**
	 * An answer came for an attempt that had been resolved as "did not happen" (E4).
	 * @param facts what names the effect
	 * @param row the row as it stands, or {@code null} when it is gone
	 */
	default void contradiction(EffectFacts facts, @Nullable EffectRow row) {
	}

	/**
	 * Who calls for an effect.
	 */
	enum Caller {

		/**
		 * Somebody who may not know that it was called for before.
		 */
		ANYBODY,

		/**
		 * The body of an occurrence that is run again, whose repeats are a matter of
		 * course (O4).
		 */
		RUN_AGAIN

	}

	/**
	 * What came of asking the far side.
	 */
	enum Resolved {

		/**
		 * It happened.
		 */
		HAPPENED,

		/**
		 * It did not, and that counts.
		 */
		DID_NOT_HAPPEN,

		/**
		 * Nothing is proven yet.
		 */
		CANNOT_TELL,

		/**
		 * A person has been asked.
		 */
		UNDETERMINED

	}

}
