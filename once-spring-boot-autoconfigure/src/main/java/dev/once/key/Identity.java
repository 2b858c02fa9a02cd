package dev.once.key;

import java.util.HexFormat;
import java.util.List;

import dev.once.OnceException;
import dev.once.UnstableTypeException;
import org.jspecify.annotations.Nullable;

/**
 * Which effect a call means, as it was at the moment of the call: its key, and the
 * readable forms of what the key was made of. Everything readable is read back from the
 * encoding that was hashed, so it can neither drift from the key nor show a secret.
 */
public final class Identity {

	/** The most characters of {@link #target()}. */
	public static final int MAX_TARGET = 400;

	/** The most characters of {@link #grain()}. */
	public static final int MAX_GRAIN = 64;

	/** The most characters of {@link #label()}. */
	public static final int MAX_LABEL = 200;

	static final byte VERSION = 1;

	private static final int MAX_EXPLAINED = 200;

	private static final byte[] INPUTS_PREFIX = { VERSION, Kind.INPUTS.code };

	private static final HexFormat HEX = HexFormat.of();

	private static final int KEY_BYTES = 16;

	private final EffectKeys keys;

	private final String action;

	private final List<String> targetNames;

	private final List<String> inputNames;

	private final @Nullable String rawGrain;

	private final byte[] encoding;

	private final int targetsAt;

	private final InputsInKey inputsInKey;

	/** The list of the inputs, whether it is in the key or not. */
	private final byte[] inputs;

	private final String key;

	private @Nullable String target;

	private Identity(Builder builder, byte[] encoding, int targetsAt, byte[] inputs) {
		this.keys = builder.keys;
		this.action = builder.action;
		this.targetNames = List.copyOf(builder.targets.names);
		this.inputNames = List.copyOf(builder.inputs.names);
		this.rawGrain = builder.grain;
		this.inputsInKey = builder.inputsInKey;
		this.encoding = encoding;
		this.targetsAt = targetsAt;
		this.inputs = inputs;
		this.key = hex(builder.keys.digest(encoding, 0, encoding.length));
	}

	/** The action. */
	public String action() {
		return this.action;
	}

	/** The effect key: 32 hexadecimal digits. */
	public String key() {
		return this.key;
	}

	/** A digest of the inputs alone, whether they are in the key or not: 32 digits. */
	public String inputDigest() {
		return hex(this.keys.digest(INPUTS_PREFIX, this.inputs, 0, this.inputs.length));
	}

	/**
	 * The target as readable text of at most {@value #MAX_TARGET} characters, several
	 * parts with a bar between, empty where the grain alone names the effect. Distinct
	 * targets of an action have distinct texts, except that the text does not show a
	 * type: 17 and "17" have one text and two keys.
	 */
	public String target() {
		String target = this.target;
		if (target == null) {
			target = target(MAX_TARGET);
			this.target = target;
		}
		return target;
	}

	private String target(int max) {
		TargetText target = TargetText.of(this.encoding, this.targetsAt + Encoder.HEADER, this.targetNames.size(), max);
		return CleanText.of(target.text(), max, target.ambiguous(), this::targetDigest);
	}

	private byte[] targetDigest() {
		int end = Readable.next(this.encoding, this.targetsAt);
		return this.keys.digest(this.encoding, this.targetsAt, end - this.targetsAt);
	}

	/** The grain as text of at most {@value #MAX_GRAIN} characters; null if none. */
	public @Nullable String grain() {
		if (this.rawGrain == null) {
			return null;
		}
		return CleanText.of(this.rawGrain, MAX_GRAIN, false, this::grainDigest);
	}

	private byte[] grainDigest() {
		int at = Readable.next(this.encoding, this.targetsAt);
		return this.keys.digest(this.encoding, at, Readable.next(this.encoding, at) - at);
	}

	/** The inputs by name as JSON, secrets as "(secret)". */
	public String inputs() {
		Readable readable = new Readable(this.inputs, 0, Integer.MAX_VALUE);
		readable.json(this.inputNames);
		return readable.text();
	}

	/**
	 * The inputs by name as JSON, or null if that would be longer than {@code maxChars}:
	 * they are kept whole or not at all.
	 */
	public @Nullable String inputs(int maxChars) {
		Readable readable = new Readable(this.inputs, 0, maxChars);
		readable.json(this.inputNames);
		return readable.overLimit() ? null : readable.text();
	}

	/**
	 * The readable name of the effect for logs and lists, such as
	 * {@code charge/inv-17/2026-W34}: at most {@value #MAX_LABEL} characters.
	 */
	public String label() {
		String grain = grain();
		int room = MAX_LABEL - this.action.length() - 1 - ((grain != null) ? grain.length() + 1 : 0);
		String target = (target().length() <= room) ? target() : target(room);
		return this.action + (target.isEmpty() ? "" : "/" + target) + ((grain != null) ? "/" + grain : "");
	}

	/** What the key is made of, in several lines for people; secrets are masked. */
	public String explain() {
		StringBuilder text = new StringBuilder("effect key, encoding version ").append(VERSION);
		line(text, "action", "", Tag.TEXT, this.action);
		parts(text, "target", this.targetNames, this.encoding, this.targetsAt);
		String grain = grain();
		line(text, "grain", "", (grain != null) ? Tag.TEXT : Tag.NULL, (grain != null) ? grain : "(null)");
		String role = (this.inputsInKey == InputsInKey.YES) ? "input" : "input (not in the key)";
		parts(text, role, this.inputNames, this.inputs, 0);
		text.append("\n  input digest: ").append(inputDigest());
		text.append("\n  key: ").append(this.key);
		return text.toString();
	}

	private static void parts(StringBuilder text, String role, List<String> names, byte[] bytes, int listAt) {
		int at = listAt + Encoder.HEADER;
		for (String name : names) {
			Readable readable = new Readable(bytes, at, MAX_EXPLAINED);
			readable.plain();
			String value = CleanText.clean(readable.text(), MAX_EXPLAINED);
			line(text, role, name, Readable.tag(bytes, at), readable.overLimit() ? value + "..." : value);
			at = Readable.next(bytes, at);
		}
	}

	private static void line(StringBuilder text, String role, String name, Tag tag, String value) {
		text.append("\n  ").append(role);
		if (!name.isEmpty()) {
			text.append(" '").append(CleanText.clean(name, MAX_EXPLAINED)).append('\'');
		}
		text.append(": ").append(tag.word).append(' ').append(CleanText.clean(value, MAX_EXPLAINED + 3));
	}

	/** The bytes whose digest is the key. */
	byte[] encoding() {
		return this.encoding.clone();
	}

	private static String hex(byte[] digest) {
		return HEX.formatHex(digest, 0, KEY_BYTES);
	}

	/** The {@link #label()}. */
	@Override
	public String toString() {
		return label();
	}

	private enum InputsInKey {

		YES, NO

	}

	/** What the bytes of a hash mean: the second byte of everything that is hashed. */
	private enum Kind {

		KEY('K'), INPUTS('I'), SECRET('S');

		private final byte code;

		Kind(char code) {
			this.code = (byte) code;
		}

	}

	/**
	 * Takes the parts of an effect. Each value is read when it is given, so that a later
	 * change of the object changes nothing. The order of the parts counts, their names do
	 * not: they may be renamed. Not thread-safe.
	 */
	public static final class Builder {

		/** Version and kind. */
		private static final int PREFIX = 2;

		/**
		 * As if the effect had none: a changed policy does not rename what has no inputs.
		 */
		private static final byte[] NO_INPUTS = { Tag.LIST.code, 0, 0, 0, 0 };

		private final EffectKeys keys;

		private final String action;

		private final Parts targets = new Parts();

		private final Parts inputs = new Parts();

		private @Nullable String grain;

		private InputsInKey inputsInKey = InputsInKey.YES;

		Builder(EffectKeys keys, String action) {
			this.keys = keys;
			this.action = action;
		}

		/**
		 * Adds a part of the target.
		 * @throws UnstableTypeException if the value has no stable form
		 */
		public Builder target(String name, @Nullable Object value) {
			add(this.targets, "target", name, value, FloatingPoint.REFUSED);
			return this;
		}

		/**
		 * Adds a part of the target that is stored nowhere and enters by keyed hash.
		 * @throws OnceException if {@code once.key.secret} is not set
		 */
		public Builder secretTarget(String name, @Nullable Object value) {
			addSecret(this.targets, "target", name, value, FloatingPoint.REFUSED);
			return this;
		}

		/** Sets the grain, such as {@code 2026-W34}; null for none. */
		public Builder grain(@Nullable String grain) {
			this.grain = grain;
			return this;
		}

		/**
		 * Adds an input.
		 * @throws UnstableTypeException if the value has no stable form
		 */
		public Builder input(String name, @Nullable Object value) {
			return input(name, value, FloatingPoint.REFUSED);
		}

		/**
		 * Adds an input that may be, or hold, a float or double.
		 * @throws UnstableTypeException if the value has no stable form
		 */
		public Builder input(String name, @Nullable Object value, FloatingPoint floatingPoint) {
			add(this.inputs, "input", name, value, floatingPoint);
			return this;
		}

		/**
		 * Adds an input that is stored nowhere and enters by keyed hash.
		 * @throws OnceException if {@code once.key.secret} is not set
		 */
		public Builder secretInput(String name, @Nullable Object value) {
			return secretInput(name, value, FloatingPoint.REFUSED);
		}

		/**
		 * Adds an input that is stored nowhere, enters by keyed hash and may be, or hold,
		 * a float or double.
		 * @throws OnceException if {@code once.key.secret} is not set
		 */
		public Builder secretInput(String name, @Nullable Object value, FloatingPoint floatingPoint) {
			addSecret(this.inputs, "input", name, value, floatingPoint);
			return this;
		}

		/** Leaves the inputs out of the key; they keep their own digest. */
		public Builder withoutInputsInKey() {
			this.inputsInKey = InputsInKey.NO;
			return this;
		}

		/**
		 * Makes the identity.
		 * @throws OnceException if there is neither a target part nor a grain, or all
		 * parts are null or hold nothing but nulls
		 */
		public Identity build() {
			byte[] targetList = this.targets.encode(this::targetHash);
			if (this.targets.names.isEmpty() && this.grain == null) {
				throw new OnceException("The effect '" + this.action
						+ "' has no target, so all its calls would be one effect; name what it acts on");
			}
			if (!this.targets.names.isEmpty() && Readable.isNothing(targetList, 0)) {
				throw new OnceException("The target of the effect '" + this.action + "' (" + this.targets.listed()
						+ ") is null, so all such calls would be one effect; "
						+ "pass a value, and if it comes from an expression compile with -parameters");
			}
			byte[] inputList = this.inputs.encode((position, plain) -> inputHash(targetList, position, plain));
			byte[] inputsInKey = (this.inputsInKey == InputsInKey.YES) ? inputList : NO_INPUTS;
			int grainLength = Encoder.HEADER + ((this.grain != null) ? 2 * this.grain.length() : 0);
			Encoder encoder = new Encoder(PREFIX + Encoder.HEADER + 2 * this.action.length() + targetList.length
					+ grainLength + inputsInKey.length);
			begin(encoder, Kind.KEY);
			encoder.named(Tag.TEXT, this.action);
			int targetsAt = encoder.size();
			encoder.raw(targetList, 0, targetList.length);
			if (this.grain != null) {
				encoder.named(Tag.TEXT, this.grain);
			}
			else {
				encoder.empty(Tag.NULL);
			}
			encoder.raw(inputsInKey, 0, inputsInKey.length);
			return new Identity(this, encoder.toBytes(), targetsAt, inputList);
		}

		private static void begin(Encoder encoder, Kind kind) {
			encoder.put(VERSION);
			encoder.put(kind.code);
		}

		private void add(Parts parts, String role, String name, @Nullable Object value, FloatingPoint floatingPoint) {
			parts.name(this.action, role, name);
			int start = parts.encoder.size();
			try {
				parts.encoder.value(value, floatingPoint);
			}
			catch (RuntimeException ex) {
				parts.takeBack(start);
				throw unreadable(role, name, ex, (ex instanceof NoStableForm) ? ex.getCause() : ex);
			}
		}

		private void addSecret(Parts parts, String role, String name, @Nullable Object value,
				FloatingPoint floatingPoint) {
			if (!this.keys.hasSecret()) {
				throw new OnceException("The " + role + " '" + name + "' of the effect '" + this.action
						+ "' is secret, but once.key.secret is not set; set it to " + EffectKeys.MIN_SECRET
						+ " random bytes or more, the same on every node");
			}
			Encoder plain = new Encoder(64);
			try {
				plain.value(value, floatingPoint);
			}
			catch (RuntimeException ex) {
				// Without its cause, which may quote the secret
				throw unreadable(role, name, ex, null);
			}
			parts.name(this.action, role, name);
			parts.secret(plain);
		}

		private OnceException unreadable(String role, String name, RuntimeException ex, @Nullable Throwable cause) {
			String where = "The " + role + " '" + name + "' of the effect '" + this.action + "'";
			if (ex instanceof NoStableForm unstable) {
				return new UnstableTypeException(unstable.about(where), cause);
			}
			return new OnceException(where + " cannot be read: going through it threw " + ex.getClass().getName(),
					cause);
		}

		private byte[] targetHash(int position, Encoder plain) {
			Encoder message = secretMessage('T', plain);
			message.putInt(position);
			message.raw(plain.array(), 0, plain.size());
			return this.keys.keyedHash(message.array(), message.size());
		}

		/**
		 * Bound to the target, so that equal secrets of two targets are not seen to be
		 * equal.
		 */
		private byte[] inputHash(byte[] targetList, int position, Encoder plain) {
			Encoder message = secretMessage('I', plain);
			message.raw(targetList, 0, targetList.length);
			message.putInt(position);
			message.raw(plain.array(), 0, plain.size());
			return this.keys.keyedHash(message.array(), message.size());
		}

		private Encoder secretMessage(char role, Encoder plain) {
			Encoder message = new Encoder(plain.size() + 256);
			begin(message, Kind.SECRET);
			message.put(role);
			message.named(Tag.TEXT, this.action);
			return message;
		}

	}

}
