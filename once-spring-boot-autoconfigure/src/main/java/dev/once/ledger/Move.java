package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A change of one ledger row. Each move is one statement and a compare-and-set: it names
 * the attempt it is about and changes nothing when the row has moved on. None of them
 * takes attention {@code contradiction} from a row: the effect may have happened twice,
 * and a person has to see that (E4).
 */
public sealed interface Move {

	/**
	 * The effect key.
	 */
	String key();

	/**
	 * The revision.
	 */
	int revision();

	/**
	 * E1, first attempt: nothing to {@code submitted}. Answered {@link Moved.Met} when
	 * the key has a row, {@link Moved.Fenced} when the token is no longer the job's,
	 * {@link Moved.Blocked} when {@code changedFact} waits and another key of the same
	 * action, target and grain is {@code submitted} or {@code unknown}.
	 *
	 * @param facts what names the effect
	 * @param attemptId the new attempt's random id
	 * @param fence the run, or {@code null} outside a run
	 * @param window how long the request may leave
	 * @param settleAfter how long after that a "not found" proves nothing
	 * @param waiting whether an open effect with other inputs holds this one up
	 */
	record Submit(EffectFacts facts, String attemptId, @Nullable Fence fence, Duration window, Duration settleAfter,
			Waiting waiting) implements Move {

		@Override
		public String key() {
			return this.facts.key();
		}

		@Override
		public int revision() {
			return this.facts.revision();
		}

	}

	/**
	 * Whether an open effect of the same target, with other inputs, holds a submit up.
	 */
	enum Waiting {

		/**
		 * It does.
		 */
		FOR_OPEN_FACTS,

		/**
		 * It does not.
		 */
		FOR_NOTHING

	}

	/**
	 * E1, a further attempt: {@code seenState} under {@code seenAttemptId} to
	 * {@code submitted}, attempt + 1, {@code attention}, {@code detail},
	 * {@code nextAttemptAt} and {@code nextResolveAt} cleared, {@code resolveTries} 0.
	 * From {@code claimed}: only without attention and when the next attempt is due. From
	 * {@code unknown} (E8): only when window and settle-after end within
	 * {@code remembers} of the first submit.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param seenState the state that was read
	 * @param seenAttemptId the attempt that was read
	 * @param attemptId the new attempt's random id
	 * @param fence the run, or {@code null} outside a run
	 * @param window how long the request may leave
	 * @param settleAfter how long after that a "not found" proves nothing
	 * @param remembers how long the far side deduplicates, required from {@code unknown}
	 */
	record Resubmit(String key, int revision, EffectState seenState, String seenAttemptId, String attemptId,
			@Nullable Fence fence, Duration window, Duration settleAfter,
			@Nullable Duration remembers) implements Move {

	}

	/**
	 * E4: {@code submitted} or {@code unknown} under the attempt to {@code done},
	 * {@code performed}, with attention and detail cleared, those of an earlier
	 * contradiction aside. A row that was put back to {@code claimed} and not attempted
	 * since becomes {@code done} as well, with attention {@code contradiction} and no
	 * detail.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt whose answer came
	 * @param answer the answer
	 */
	record Settle(String key, int revision, String attemptId, Answer answer) implements Move {

	}

	/**
	 * E5, not sent: {@code submitted} or {@code unknown} under the attempt to
	 * {@code claimed}. A process that slept past its window finds its row marked unknown,
	 * and still knows that it sent nothing.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt
	 * @param nextAttemptIn how long to wait before the next one, or {@code null}
	 * @param detail cleaned and cut text, or {@code null}
	 */
	record Release(String key, int revision, String attemptId, @Nullable Duration nextAttemptIn,
			@Nullable String detail) implements Move {

	}

	/**
	 * E5, refused: {@code submitted} or {@code unknown} under the attempt to
	 * {@code claimed}, refusals + 1.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt
	 * @param nextAttemptIn how long to wait before the next one, or {@code null}
	 * @param attention {@link Attention#REFUSED} after the last one, else {@code null}
	 * @param detail cleaned and cut text, or {@code null}
	 */
	record Refuse(String key, int revision, String attemptId, @Nullable Duration nextAttemptIn,
			@Nullable Attention attention, @Nullable String detail) implements Move {

	}

	/**
	 * E5, anything else: {@code submitted} under the attempt to {@code unknown}, to be
	 * resolved at once.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt
	 * @param detail cleaned and cut text, or {@code null}
	 */
	record Lose(String key, int revision, String attemptId, @Nullable String detail) implements Move {

	}

	/**
	 * E7, before the far side is asked: {@code unknown}, or {@code submitted} past its
	 * window, to {@code unknown}, when {@code nextResolveAt} is {@code null} or past.
	 * Ends all extending, and keeps others from asking for {@code patience}. The row's
	 * {@code readAt} in the answer is when the asking began.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt asked about
	 * @param patience how long nobody else asks
	 */
	record Ask(String key, int revision, String attemptId, Duration patience) implements Move {

	}

	/**
	 * E7, it happened: {@code unknown} under the attempt to {@code done},
	 * {@code resolved}, attention and detail cleared.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt asked about
	 * @param answer the far side's answer
	 */
	record Happened(String key, int revision, String attemptId, Answer answer) implements Move {

	}

	/**
	 * E7, it did not happen: {@code unknown} under the attempt to {@code claimed},
	 * resolve tries 0, no attention, free at once. Changes nothing unless {@code askedAt}
	 * is after {@code windowUntil + settleAfter} of the row and, where {@code shows} is
	 * given, now is not after {@code firstSubmittedAt + shows}: the far side looked at
	 * some time between the two.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt asked about
	 * @param askedAt when the asking began, on the database's clock
	 * @param shows how long the far side shows an effect, or {@code null} for ever
	 */
	record DidNotHappen(String key, int revision, String attemptId, Instant askedAt,
			@Nullable Duration shows) implements Move {

	}

	/**
	 * E7, nothing is proven: {@code unknown} under the attempt stays so.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the attempt asked about
	 * @param nextResolveIn until the next asking, or {@code null} for none
	 * @param tries what is added to the resolve tries
	 * @param attention {@link Attention#UNDETERMINED} after the last one, else
	 * {@code null}
	 */
	record KeepUnknown(String key, int revision, String attemptId, @Nullable Duration nextResolveIn, int tries,
			@Nullable Attention attention) implements Move {

	}

	/**
	 * E3, L4: moves the window's end of a live attempt to now + {@code window}, at most
	 * {@code maxWindow} after its submit, only while it is {@code submitted} and its
	 * window has not ended.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param attemptId the live attempt
	 * @param window the window's length
	 * @param maxWindow the longest window
	 */
	record Extend(String key, int revision, String attemptId, Duration window, Duration maxWindow) implements Move {

	}

	/**
	 * E4, a contradiction on a row that was attempted again: attention
	 * {@code contradiction} whatever the state.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param detail cleaned and cut text
	 */
	record Contradict(String key, int revision, String detail) implements Move {

	}

}
