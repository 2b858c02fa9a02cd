package dev.once.occurrence;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a person may ask of a job (P2). Everything asked is recorded with who asked, and
 * why.
 */
public interface JobDesk {

	/**
	 * Sees that the latest due occurrence of a job is done: runs it unless it is running
	 * or finished.
	 * @param job the job's name
	 * @param who the authenticated principal
	 * @param why why it is asked for, or {@code null}
	 * @return what became of it, as soon as a run of it has begun
	 * @throws UnknownJobException when no code of this application declares the job
	 * @throws dev.once.OnceException when the job has no due times, with the mend
	 */
	Answer runNow(String job, String who, @Nullable String why);

	/**
	 * Runs the latest due occurrence's work once more, as an occurrence of its own with
	 * the same due time.
	 * @param job the job's name
	 * @param name what tells the further run apart: {@code [a-z0-9][a-z0-9-]*}, at most
	 * 40 characters
	 * @param who the authenticated principal
	 * @param why why it is asked for
	 * @return what became of it, as soon as a run of it has begun
	 * @throws UnknownJobException when no code of this application declares the job
	 * @throws dev.once.OnceException when the job has no due times, with the mend
	 */
	Answer runAgain(String job, String name, String who, String why);

	/**
	 * Runs the body of the last finished occurrence again with a token that is not the
	 * job's, so that every effect is turned away, and waits for its end.
	 * @param job the job's name
	 * @param who the authenticated principal
	 * @param why why it is asked for, or {@code null}
	 * @return what its effects met
	 * @throws UnknownJobException when no code of this application declares the job
	 * @throws dev.once.OnceException when nothing of the job has finished yet, or a run
	 * of it is live
	 */
	Drilled drill(String job, String who, @Nullable String why);

	/**
	 * What became of a run that was asked for.
	 */
	sealed interface Answer {

		/**
		 * Name of the occurrence.
		 */
		String occurrence();

		/**
		 * A run of it has begun.
		 *
		 * @param occurrence the occurrence
		 * @param token the run's fencing token
		 */
		record Started(String occurrence, long token) implements Answer {
		}

		/**
		 * A run is live, of this occurrence or of another one. Nothing was started.
		 *
		 * @param occurrence the occurrence
		 * @param running name of the one that is carried out, or {@code null} where that
		 * has none
		 */
		record Running(String occurrence, @Nullable String running) implements Answer {
		}

		/**
		 * It is finished. Nothing was started.
		 *
		 * @param occurrence the occurrence
		 * @param at when it was finished, or {@code null} where that is not known
		 */
		record AlreadyDone(String occurrence, @Nullable Instant at) implements Answer {
		}

		/**
		 * It cannot be run. Nothing was started.
		 *
		 * @param occurrence the occurrence
		 * @param why why not, with the mend
		 */
		record NotRun(String occurrence, String why) implements Answer {
		}

	}

	/**
	 * What the effects of a drill met.
	 *
	 * @param occurrence the occurrence whose body ran again
	 * @param effects how many calls for effects there were
	 * @param turnedAway how many of them met the row of their own key
	 * @param thrown what the body threw, types only, or {@code null}
	 */
	record Drilled(String occurrence, int effects, int turnedAway, @Nullable String thrown) {
	}

}
