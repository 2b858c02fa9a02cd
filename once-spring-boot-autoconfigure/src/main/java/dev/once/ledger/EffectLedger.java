package dev.once.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.once.lease.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The port to the ledger table. Every move is durably committed before it is answered,
 * and never joins the caller's transaction.
 */
public interface EffectLedger {

	/**
	 * Makes moves, of the same or of different kinds, and answers each by itself in the
	 * order asked.
	 * @param moves the moves
	 * @return an answer for each
	 * @throws StoreException when the outcome is not known (E2): some may have been
	 * committed
	 */
	List<Moved> apply(List<? extends Move> moves);

	/**
	 * Makes one move.
	 * @param move the move
	 * @return its answer
	 * @throws StoreException when the outcome is not known (E2)
	 */
	default Moved apply(Move move) {
		return apply(List.of(move)).get(0);
	}

	/**
	 * E3, L4: extends the windows of live attempts, over the connection reserved for
	 * renewing, skipping rows that another transaction has locked ({@link Moved.Met}).
	 * @param extensions the extensions
	 * @return an answer for each
	 * @throws StoreException when the outcome is not known
	 */
	List<Moved> extend(List<Move.Extend> extensions);

	/**
	 * E2: reads a row back on a new connection, under a lock, so that a transaction that
	 * is still committing it is waited for.
	 * @param key the effect key
	 * @param revision the revision
	 * @throws StoreException when it cannot be read
	 */
	Optional<EffectRow> readBack(String key, int revision);

	/**
	 * Reads a row.
	 * @param key the effect key
	 * @param revision the revision
	 */
	Optional<EffectRow> find(String key, int revision);

	/**
	 * The rows that are {@code submitted} past their window, or {@code unknown} without
	 * attention and due to be asked about, oldest first.
	 * @param limit how many at most
	 */
	List<EffectRow> due(int limit);

	/**
	 * Finds effects with the same target and the same inputs under other actions' names.
	 * @param facts what names the effect
	 * @return one for each such action, whatever application it is of
	 */
	List<Twin> twins(EffectFacts facts);

	/**
	 * What the ledger holds, without reading its {@code done} rows.
	 */
	Standing standing();

	/**
	 * An effect under another action's name.
	 *
	 * @param action the action
	 * @param label its readable identity
	 */
	record Twin(String action, String label) {

	}

	/**
	 * What the ledger holds.
	 *
	 * @param open number of rows by state, {@code done} left out
	 * @param attention number of rows by attention
	 * @param oldestUnknown age of the oldest {@code unknown} row since its submit, or
	 * {@code null} when there is none
	 */
	record Standing(Map<EffectState, Long> open, Map<Attention, Long> attention, @Nullable Duration oldestUnknown) {

	}

}
