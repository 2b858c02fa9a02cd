package dev.once.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import dev.once.OnceException;
import dev.once.UnstableTypeException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A secret part tells effects apart and is seen nowhere.
 */
class SecretTests {

	private static final String CANARY = "s3cr3t-CANARY-42";

	private final EffectKeys keys = new EffectKeys("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

	@Test
	void aSecretTellsTwoEffectsApart() {
		assertThat(reset("a").key()).isEqualTo(reset("a").key()).isNotEqualTo(reset("b").key());
		assertThat(reset("a").inputDigest()).isEqualTo(reset("a").inputDigest()).isNotEqualTo(reset("b").inputDigest());
		assertThat(reset("a").key())
			.isNotEqualTo(this.keys.identity("reset").target("email", "a@b.example").input("token", "a").build().key());
		assertThat(card("4111").key()).isNotEqualTo(card("4112").key());
		assertThat(card("4111").target()).matches("\\(secret [0-9a-f]{16}\\)").isNotEqualTo(card("4112").target());
	}

	@Test
	void aSecretIsSeenNowhere() {
		Identity identity = this.keys.identity("reset")
			.target("email", "a@b.example")
			.secretTarget("card", List.of(CANARY))
			.secretInput("token", CANARY)
			.build();
		String hex = HexFormat.of().formatHex(CANARY.getBytes(StandardCharsets.UTF_16BE));
		assertThat(HexFormat.of().formatHex(identity.encoding())).doesNotContain(hex);
		assertThat(identity.inputs()).isEqualTo("{\"token\":\"(secret)\"}");
		assertThat(Stream.of(identity.key(), identity.target(), identity.label(), identity.explain(),
				identity.toString(), identity.inputDigest()))
			.noneMatch((text) -> text.contains(CANARY) || text.contains(hex));
	}

	@Test
	void aSecretIsNotInAnExceptionEither() {
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> reset(new Leaky()))
			.withMessageContaining("The input 'token' of the effect 'reset'")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining(CANARY));
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> reset(List.of(CANARY, new Object())))
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining(CANARY));
	}

	@Test
	void aSecretOfFewDigitsIsNotFoundByTryingThemAll() throws Exception {
		byte[] stored = new EffectKeys("another secret of the deployment".getBytes(StandardCharsets.US_ASCII))
			.identity("reset")
			.target("email", "a@b.example")
			.secretInput("token", "042042")
			.build()
			.encoding();
		// Everything but the property is known: the format, the other parts, the digits
		byte[] known = reset("000000").encoding();
		int at = known.length - 32;
		assertThat(Arrays.copyOf(stored, at)).isEqualTo(Arrays.copyOf(known, at));
		byte[] hash = Arrays.copyOfRange(stored, at, stored.length);
		MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
		for (int pin = 0; pin < 1_000_000; pin++) {
			String digits = Integer.toString(1_000_000 + pin).substring(1);
			assertThat(MessageDigest.isEqual(sha256.digest(digits.getBytes(StandardCharsets.UTF_16BE)), hash))
				.isFalse();
		}
		assertThat(reset("042042").key()).isNotEqualTo(
				HexFormat.of().formatHex(Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(stored), 16)));
	}

	@Test
	void equalSecretsOfTwoTargetsOrActionsAreNotSeenToBeEqual() {
		Identity one = this.keys.identity("reset").target("email", "a").secretInput("pin", "1234").build();
		Identity other = this.keys.identity("reset").target("email", "b").secretInput("pin", "1234").build();
		Identity action = this.keys.identity("unlock").target("email", "a").secretInput("pin", "1234").build();
		assertThat(Stream.of(one, other, action).map(Identity::inputDigest).distinct()).hasSize(3);
		Identity twice = this.keys.identity("reset")
			.target("email", "a")
			.secretInput("pin", "1234")
			.secretInput("again", "1234")
			.build();
		String encoding = HexFormat.of().formatHex(twice.encoding());
		String hash = encoding.substring(encoding.length() - 64);
		assertThat(encoding.indexOf(hash)).isEqualTo(encoding.length() - 64);
	}

	@Test
	void aSecretPartNeedsTheProperty() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> new EffectKeys(null).identity("reset").target("email", "a").secretInput("token", CANARY))
			.withMessage("The input 'token' of the effect 'reset' is secret, but once.key.secret is not set; "
					+ "set it to 16 random bytes or more, the same on every node");
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> new EffectKeys(null).identity("reset").secretTarget("card", CANARY))
			.withMessageContaining("The target 'card' of the effect 'reset'");
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> new EffectKeys(new byte[15]))
			.withMessage("once.key.secret has 15 bytes; set it to 16 random bytes or more, the same on every node");
		assertThatNoException().isThrownBy(() -> new EffectKeys(new byte[16]));
	}

	@Test
	void anotherPropertyGivesOtherKeys() {
		EffectKeys rotated = new EffectKeys(new byte[16]);
		assertThat(rotated.identity("reset").target("email", "a@b.example").secretInput("token", "a").build().key())
			.isNotEqualTo(reset("a").key());
		assertThat(rotated.identity("reset").target("email", "a@b.example").build().key())
			.isEqualTo(this.keys.identity("reset").target("email", "a@b.example").build().key());
	}

	@Test
	void aSecretTargetThatIsNullIsNoTarget() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.keys.identity("reset").secretTarget("card", null).build())
			.withMessageContaining("(card) is null");
	}

	private Identity reset(Object token) {
		return this.keys.identity("reset").target("email", "a@b.example").secretInput("token", token).build();
	}

	private Identity card(String number) {
		return this.keys.identity("charge").secretTarget("card", number).build();
	}

	public static class Leaky {

		public String getToken() {
			throw new IllegalStateException(CANARY);
		}

	}

}
