package dev.once.ledger;

/**
 * The ledger's answer to a {@link Move}.
 */
public sealed interface Moved {

	/**
	 * A {@link Move.Submit} inserted its row.
	 *
	 * @param fact whether the target had been acted on with other inputs before
	 */
	record Submitted(Fact fact) implements Moved {

	}

	/**
	 * Whether a target had been acted on with other inputs before (R1).
	 */
	enum Fact {

		/**
		 * It had not.
		 */
		NEW,

		/**
		 * It had: a changed fact.
		 */
		CHANGED

	}

	/**
	 * The row was changed.
	 *
	 * @param row as it stands now
	 */
	record Applied(EffectRow row) implements Moved {

	}

	/**
	 * The row was not what the move expects; nothing was changed.
	 *
	 * @param row as it was met
	 */
	record Met(EffectRow row) implements Moved {

	}

	/**
	 * The key has no row; nothing was changed.
	 */
	record Absent() implements Moved {

	}

	/**
	 * The run's token is no longer the job's; nothing was changed.
	 */
	record Fenced() implements Moved {

	}

	/**
	 * Another effect of the same target is open; nothing was changed.
	 *
	 * @param other that effect
	 */
	record Blocked(EffectRow other) implements Moved {

	}

}
