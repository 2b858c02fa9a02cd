package dev.once;

/**
 * The call came while another run of its job was live, and was refused: by
 * {@link Overlap#FAIL}, or because the queue of {@link Overlap#QUEUE} is full. Nothing
 * was run.
 */
public final class JobRefusedException extends JobNotRunException {

	private static final long serialVersionUID = 1L;

	public JobRefusedException(String message) {
		super(message, null);
	}

	/**
	 * Work that its arguments name may be asked for again; a due time is not made up for.
	 */
	@Override
	public boolean retryable() {
		return true;
	}

}
