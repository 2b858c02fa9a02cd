package dev.once.key;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

/**
 * Derives the identities of effects; one for each application. Thread-safe.
 */
public final class EffectKeys {

	private static final int MAX_ACTION = 64;

	static final int MIN_SECRET = 16;

	private static final byte[] NOTHING = {};

	private final MessageDigest sha256;

	private final @Nullable Mac hmac;

	/**
	 * Makes keys.
	 * @param secret the bytes of {@code once.key.secret}, 16 or more, the same on every
	 * node; null if no part of any effect is secret
	 * @throws OnceException if the secret is shorter
	 */
	public EffectKeys(byte @Nullable [] secret) {
		if (secret != null && secret.length < MIN_SECRET) {
			throw new OnceException("once.key.secret has " + secret.length + " bytes; set it to " + MIN_SECRET
					+ " random bytes or more, the same on every node");
		}
		try {
			this.sha256 = MessageDigest.getInstance("SHA-256");
			this.hmac = (secret != null) ? hmac(secret) : null;
		}
		catch (GeneralSecurityException ex) {
			throw new OnceException("This Java runtime has no SHA-256; use one that has", ex);
		}
	}

	private static Mac hmac(byte[] secret) throws GeneralSecurityException {
		Mac hmac = Mac.getInstance("HmacSHA256");
		hmac.init(new SecretKeySpec(secret, "HmacSHA256"));
		return hmac;
	}

	/**
	 * Starts the identity of an effect.
	 * @param action the effect's action
	 * @throws OnceException if the action does not match {@code [a-z][a-z0-9-]*} or has
	 * more than 64 characters
	 */
	public Identity.Builder identity(String action) {
		if (!isAction(action)) {
			throw new OnceException("The action '" + CleanText.clean(action, MAX_ACTION + 1) + "' (" + action.length()
					+ " characters) is not a name that Once can keep; use lower-case letters, digits "
					+ "and hyphens, a letter first, at most " + MAX_ACTION + " characters");
		}
		return new Identity.Builder(this, action);
	}

	private static boolean isAction(String action) {
		if (action.isEmpty() || action.length() > MAX_ACTION || action.charAt(0) < 'a' || action.charAt(0) > 'z') {
			return false;
		}
		for (int i = 1; i < action.length(); i++) {
			char unit = action.charAt(i);
			if ((unit < 'a' || unit > 'z') && (unit < '0' || unit > '9') && unit != '-') {
				return false;
			}
		}
		return true;
	}

	/**
	 * What changes with the secret and does not tell it: 8 hex digits of a keyed hash of
	 * a constant.
	 * @return the digits, or {@code null} without a secret
	 */
	public @Nullable String secretCheck() {
		if (!hasSecret()) {
			return null;
		}
		byte[] constant = "check of once.key.secret".getBytes(StandardCharsets.US_ASCII);
		return HexFormat.of().formatHex(keyedHash(constant, constant.length), 0, 4);
	}

	boolean hasSecret() {
		return this.hmac != null;
	}

	byte[] digest(byte[] bytes, int from, int length) {
		return digest(NOTHING, bytes, from, length);
	}

	byte[] digest(byte[] prefix, byte[] bytes, int from, int length) {
		MessageDigest digest = newDigest();
		digest.update(prefix, 0, prefix.length);
		digest.update(bytes, from, length);
		return digest.digest();
	}

	/** A keyed hash; only to be called if there is a secret. */
	byte[] keyedHash(byte[] bytes, int length) {
		if (this.hmac == null) {
			throw new IllegalStateException("There is no secret");
		}
		Mac mac = copy(this.hmac);
		mac.update(bytes, 0, length);
		return mac.doFinal();
	}

	// A copy of a fresh digest costs a fraction of asking the security providers for one

	private MessageDigest newDigest() {
		try {
			return (MessageDigest) this.sha256.clone();
		}
		catch (CloneNotSupportedException ex) {
			try {
				return MessageDigest.getInstance("SHA-256");
			}
			catch (NoSuchAlgorithmException gone) {
				throw new IllegalStateException(gone);
			}
		}
	}

	private static Mac copy(Mac mac) {
		try {
			return (Mac) mac.clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new OnceException("The security provider " + mac.getProvider().getName()
					+ " has an HmacSHA256 that cannot be copied; put SunJCE before it", ex);
		}
	}

}
