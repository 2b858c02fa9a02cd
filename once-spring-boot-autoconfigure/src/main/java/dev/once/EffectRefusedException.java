package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The far side definitely refused: nothing happened. Thrown by a body to say so, and to a
 * caller that meets an effect whose last attempt was refused.
 */
public final class EffectRefusedException extends EffectUnsettledException {

	private final boolean last;

	/**
	 * Says that the far side refused and that a later attempt may succeed.
	 * @param message why
	 */
	public EffectRefusedException(String message) {
		this(message, null, null, false);
	}

	/**
	 * Says that the far side refused and that a later attempt may succeed.
	 * @param message why
	 * @param cause the far side's answer, or {@code null}
	 */
	public EffectRefusedException(String message, @Nullable Throwable cause) {
		this(message, cause, null, false);
	}

	/**
	 * Says that the far side refused.
	 * @param message why
	 * @param cause the far side's answer, or {@code null}
	 * @param retryAfter when the far side wants to be asked again, or {@code null} for
	 * the contract's backoff
	 * @param last whether no further attempt makes sense before a person has looked
	 */
	public EffectRefusedException(String message, @Nullable Throwable cause, @Nullable Duration retryAfter,
			boolean last) {
		super(message, cause, retryAfter);
		this.last = last;
	}

	@Override
	public boolean retryable() {
		return !this.last;
	}

}
