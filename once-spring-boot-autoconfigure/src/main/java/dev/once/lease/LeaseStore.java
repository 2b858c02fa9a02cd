package dev.once.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The port to the lease table. Every method takes many rows and answers each by itself,
 * in the order asked.
 */
public interface LeaseStore {

	/**
	 * L1: inserts the job's row, or takes over a row whose lease has passed on the
	 * database's clock, with the current row's token + 1, or changes nothing.
	 * @param requests the leases wanted
	 * @return an answer for each
	 * @throws StoreException when the outcome is not known
	 */
	List<Claim> claim(List<Request> requests);

	/**
	 * L3, L4: extends the leases that still belong to their runs, over the connection
	 * reserved for it, skipping rows that another transaction has locked.
	 * @param holds the leases held
	 * @return an answer for each
	 * @throws StoreException when the outcome is not known
	 */
	List<Renewal> renew(List<Hold> holds);

	/**
	 * L2: ends the leases that still belong to their runs: clears owner and run, keeps
	 * the token.
	 * @param holds the leases held
	 * @return whether each was still held by its run
	 * @throws StoreException when the outcome is not known
	 */
	List<Release> release(List<Hold> holds);

	/**
	 * Notes how jobs are declared: inserts a missing row with token 0 and a lease that
	 * has ended, updates one that says something else, and writes nothing where it says
	 * the same. Where the schedule or its zone is new, the job's due times are looked at
	 * from now on (O5).
	 * @param registrations how jobs are declared
	 * @return what each job's row said before, empty where there was none
	 * @throws StoreException when the outcome is not known
	 */
	List<Optional<Registration>> register(List<Registration> registrations);

	/**
	 * Reads a job's row.
	 * @param job the job's name
	 */
	Optional<LeaseRow> find(String job);

	/**
	 * Reads all rows.
	 */
	List<LeaseRow> findAll();

	/**
	 * A lease that is wanted.
	 *
	 * @param job the job's name
	 * @param owner the application context's id
	 * @param runId the run's id
	 * @param length how long it lasts without a renewal
	 * @param declaredBy name of the application that declares the job, for people
	 */
	record Request(String job, String owner, String runId, Duration length, String declaredBy) {

	}

	/**
	 * How a job is declared.
	 *
	 * @param job the job's name
	 * @param declaredBy name of the application that declares it, for people
	 * @param schedule what names its occurrences, or {@code null} where it has none
	 * @param zone the zone in which they are named, or {@code null}
	 * @param keyCheck what changes with the secret of keys, or {@code null} without one
	 */
	record Registration(String job, @Nullable String declaredBy, @Nullable String schedule, @Nullable String zone,
			@Nullable String keyCheck) {

	}

	/**
	 * Answer to a claim.
	 */
	sealed interface Claim {

		/**
		 * The lease is the run's.
		 *
		 * @param hold the lease
		 */
		record Granted(Hold hold) implements Claim {

		}

		/**
		 * Another run holds it.
		 *
		 * @param holder the row as it was read
		 */
		record Declined(LeaseRow holder) implements Claim {

		}

	}

	/**
	 * Answer to a renewal.
	 */
	enum Renewal {

		/**
		 * The lease lasts longer now.
		 */
		RENEWED,

		/**
		 * Somebody else has the row locked: come back to it.
		 */
		BUSY,

		/**
		 * The token is no longer the job's.
		 */
		FENCED

	}

	/**
	 * Answer to a release.
	 */
	enum Release {

		/**
		 * The lease has ended.
		 */
		RELEASED,

		/**
		 * It was no longer the run's.
		 */
		FENCED

	}

}
