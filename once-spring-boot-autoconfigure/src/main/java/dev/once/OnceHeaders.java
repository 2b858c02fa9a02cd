package dev.once;

/**
 * Names of the message headers in which a sender tells a listener what a message is for,
 * so that one that is delivered again is recognised. All values are text.
 */
public final class OnceHeaders {

	/** The job that the message is for. */
	public static final String JOB = "once-job";

	/** Name of the occurrence that the message is for. */
	public static final String OCCURRENCE = "once-occurrence";

	/** When that is due, as {@link java.time.Instant} writes and parses it. */
	public static final String DUE = "once-due";

	private OnceHeaders() {
	}

}
