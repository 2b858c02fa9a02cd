package dev.once.aop;

import dev.once.OnceException;

/**
 * A method cannot be guarded as it is declared. It stops the start.
 */
public final class InvalidGuardException extends OnceException {

	private final String where;

	private final String what;

	private final String mend;

	/**
	 * Refuses a method.
	 * @param where bean and method
	 * @param what what is wrong, without a full stop
	 * @param mend what to do about it, without a full stop
	 */
	public InvalidGuardException(String where, String what, String mend) {
		super(where + ": " + what + ". " + mend + ".");
		this.where = where;
		this.what = what;
		this.mend = mend;
	}

	/**
	 * Bean and method.
	 */
	public String where() {
		return this.where;
	}

	/**
	 * What is wrong.
	 */
	public String what() {
		return this.what;
	}

	/**
	 * What to do about it.
	 */
	public String mend() {
		return this.mend;
	}

}
