package dev.once.key;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import com.sun.management.ThreadMXBean;
import dev.once.UnstableTypeException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is large must not make a key slow, and what is small must not make it heavy.
 */
class LargeValuesTests {

	private static final EffectKeys KEYS = new EffectKeys(null);

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@BeforeAll
	static void loadTheClasses() {
		identity(new BigDecimal("1.50")).label();
	}

	@Test
	void textsOfFiveMegabytesThatDifferInTheLastByteAreTwoEffects() {
		String text = "x".repeat(5 * 1024 * 1024 - 1);
		Identity first = identity(text + "1");
		Identity second = identity(text + "2");
		assertThat(first.key()).isNotEqualTo(second.key());
		assertThat(first.inputDigest()).isNotEqualTo(second.inputDigest());
		assertThat(first.inputs(1024 * 1024)).isNull();
		assertThat(first.label()).isEqualTo("charge/inv-17");
		assertThat(fastestOfFive(() -> identity(text))).isLessThan(Duration.ofSeconds(1));
	}

	@Test
	void anExponentIsNotExpanded() {
		Identity identity = identity(new BigDecimal("1E+1000000000"));
		assertThat(identity.inputs()).isEqualTo("{\"amount\":1E1000000000}");
		assertThat(identity.explain()).contains("number 1E1000000000");
		assertThat(fastestOfFive(() -> {
			identity(new BigDecimal("1E+1000000000")).explain();
			KEYS.identity("charge").target("amount", new BigDecimal("1E-1000000000")).build().label();
		})).isLessThan(Duration.ofMillis(50));
	}

	@Test
	void theExtremesOfTheScaleAreKeyed() {
		assertThat(identity(BigDecimal.valueOf(10, Integer.MIN_VALUE)).inputs()).isEqualTo("{\"amount\":1E2147483649}");
		assertThat(identity(BigDecimal.valueOf(1, Integer.MAX_VALUE)).inputs()).isEqualTo("{\"amount\":1E-2147483647}");
	}

	@Test
	void aNumberOfAHundredThousandZerosIsKeyedByValue() {
		BigInteger large = BigInteger.TEN.pow(100_000);
		assertThat(identity(large).key()).isEqualTo(identity(new BigDecimal("1E+100000")).key());
		assertThat(fastestOfFive(() -> identity(large))).isLessThan(Duration.ofSeconds(1));
	}

	@Test
	void whatGrowsWithoutEndIsRefused() {
		List<Object> doubling = List.of("x".repeat(1024));
		for (int i = 0; i < 40; i++) {
			doubling = new ArrayList<>(Collections.nCopies(2, doubling));
		}
		List<Object> huge = doubling;
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> identity(huge))
			.withMessageContaining("larger than 64 MiB");
	}

	@Test
	void aKeyOfThreeSmallInputsAllocatesAtMostFourKilobytes() {
		int rounds = 1000;
		int length = 0;
		for (int i = 0; i < 20_000; i++) {
			length += three(i).key().length();
		}
		long before = THREADS.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < rounds; i++) {
			Identity identity = three(i);
			length += identity.key().length() + identity.label().length() + identity.inputDigest().length();
		}
		long bytes = (THREADS.getCurrentThreadAllocatedBytes() - before) / rounds;
		assertThat(length).isPositive();
		assertThat(bytes).isLessThan(4096);
	}

	private static Identity three(int i) {
		return KEYS.identity("charge")
			.target("invoice", "inv-17")
			.input("customer", "customer-4711")
			.input("amount", BigDecimal.valueOf(1250 + i, 2))
			.input("month", i)
			.build();
	}

	private static Identity identity(Object amount) {
		return KEYS.identity("charge").target("invoice", "inv-17").input("amount", amount).build();
	}

	/** Of the processor's time: other work on the machine does not count. */
	private static Duration fastestOfFive(Runnable work) {
		long fastest = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			long start = THREADS.getCurrentThreadCpuTime();
			work.run();
			fastest = Math.min(fastest, THREADS.getCurrentThreadCpuTime() - start);
		}
		return Duration.ofNanos(fastest);
	}

}
