package dev.once.autoconfigure;

import dev.once.OnceException;

/**
 * A property of Once's has no meaning. It stops the start.
 */
final class InvalidSettingException extends OnceException {

	private final String what;

	private final String mend;

	/**
	 * Refuses a property.
	 * @param what the property and what is wrong, without a full stop
	 * @param mend what to do about it, without a full stop
	 */
	InvalidSettingException(String what, String mend) {
		super(what + ". " + mend);
		this.what = what;
		this.mend = mend;
	}

	String what() {
		return this.what;
	}

	String mend() {
		return this.mend;
	}

}
