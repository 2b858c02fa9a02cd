package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What became of a job's firing.
 */
public sealed interface Firing {

	/**
	 * Its body ran and returned.
	 *
	 * @param result what it returned
	 * @param state how far its occurrence is: running for a part of a run that goes on
	 * @param againIn how long until an open one is run again, or {@code null} where no
	 * time is set
	 */
	record Ran(@Nullable Object result, OccurrenceState state, @Nullable Duration againIn) implements Firing {

	}

	/**
	 * Another run holds the job's lease, be it for the same occurrence or not.
	 */
	record Suppressed() implements Firing {

	}

	/**
	 * Another run holds the job's lease or goes first, and its occurrence waits in the
	 * job's queue.
	 */
	record Queued() implements Firing {
	}

	/**
	 * It came while another run was live, and was refused.
	 *
	 * @param why why, for people
	 */
	record Refused(String why) implements Firing {
	}

	/**
	 * Its occurrence is known and no run carries it out: it is finished, open and waits,
	 * abandoned or refused.
	 *
	 * @param row the occurrence
	 */
	record Known(OccurrenceRow row) implements Firing {

	}

	/**
	 * Its occurrence is older than what has been purged: nobody knows whether it ran.
	 *
	 * @param purgedUntil the purge's high-water mark
	 */
	record Purged(Instant purgedUntil) implements Firing {

	}

	/**
	 * The application is shutting down.
	 */
	record Stopping() implements Firing {

	}

}
