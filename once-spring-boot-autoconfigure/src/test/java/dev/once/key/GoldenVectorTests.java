package dev.once.key;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What was once encoded must be encoded so for ever: a key that changes in an update is
 * an effect that happens again.
 */
class GoldenVectorTests {

	private static final Pattern BLOCK = Pattern
		.compile("\n(\\S[^\n]*)\n  encoding ([0-9a-f]+)\n  key {6}([0-9a-f]{32})\n");

	@Test
	void everyVectorIsEncodedAsItWasWhenItWasWrittenDown() throws IOException {
		Map<String, Vector> golden = read();
		Map<String, Vector> now = new LinkedHashMap<>();
		GoldenVectors.all()
			.forEach((description, identity) -> now.put(description,
					new Vector(HexFormat.of().formatHex(identity.encoding()), identity.key())));
		assertThat(golden).hasSizeGreaterThanOrEqualTo(40);
		assertThat(now).containsExactlyEntriesOf(golden);
	}

	@Test
	void everyKeyIsTheFirstHalfOfTheSha256OfItsEncoding() throws Exception {
		for (Vector vector : read().values()) {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(HexFormat.of().parseHex(vector.encoding()));
			assertThat(vector.key()).isEqualTo(HexFormat.of().formatHex(Arrays.copyOf(digest, 16)));
		}
	}

	private static Map<String, Vector> read() throws IOException {
		try (InputStream file = GoldenVectorTests.class.getResourceAsStream("golden-vectors.txt")) {
			assertThat(file).as("golden-vectors.txt").isNotNull();
			String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
			Map<String, Vector> vectors = new LinkedHashMap<>();
			BLOCK.matcher(text)
				.results()
				.forEach((block) -> vectors.put(block.group(1), new Vector(block.group(2), block.group(3))));
			return vectors;
		}
	}

	private record Vector(String encoding, String key) {

	}

}
