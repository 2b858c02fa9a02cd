package dev.once.key;

import java.util.ArrayList;
import java.util.List;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

/** The parts of one role, encoded one after the other. */
final class Parts {

	private static final int HASH_BYTES = 32;

	final Encoder encoder = new Encoder(128);

	final List<String> names = new ArrayList<>(4);

	private @Nullable List<Secret> secrets;

	Parts() {
		this.encoder.begin(Tag.LIST);
	}

	void name(String action, String role, String name) {
		if (this.names.contains(name)) {
			throw new OnceException("The effect '" + action + "' has two parts named '" + name + "' as " + role
					+ "; rename one of them");
		}
		this.names.add(name);
	}

	/** Drops the last part, which could not be read. */
	void takeBack(int start) {
		this.encoder.truncate(start);
		this.names.remove(this.names.size() - 1);
	}

	String listed() {
		return String.join(", ", this.names);
	}

	/** Leaves room for a hash that can be made only when all targets are known. */
	void secret(Encoder plain) {
		if (Readable.isNothing(plain.array(), 0)) {
			// There is nothing to hide, and a target of nothing is to be seen
			this.encoder.raw(plain.array(), 0, plain.size());
			return;
		}
		if (this.secrets == null) {
			this.secrets = new ArrayList<>(2);
		}
		int start = this.encoder.begin(Tag.SECRET);
		this.secrets.add(new Secret(this.names.size() - 1, this.encoder.size(), plain));
		this.encoder.raw(new byte[HASH_BYTES], 0, HASH_BYTES);
		this.encoder.end(start);
	}

	byte[] encode(KeyedHash hash) {
		this.encoder.end(0);
		byte[] bytes = this.encoder.toBytes();
		if (this.secrets != null) {
			for (Secret secret : this.secrets) {
				byte[] hashed = hash.of(secret.position, secret.plain);
				System.arraycopy(hashed, 0, bytes, secret.at, HASH_BYTES);
			}
		}
		return bytes;
	}

	private record Secret(int position, int at, Encoder plain) {

	}

	interface KeyedHash {

		byte[] of(int position, Encoder plain);

	}

}
