package dev.once.key;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.once.UnstableTypeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * What is refused at start, before any value has come.
 */
class StableTypesTests {

	private static final String WHERE = "parameter 'when' of com.acme.Charges.charge(...)";

	static Stream<Type> stable() {
		return parameters("stable");
	}

	static Stream<Type> unstable() {
		return parameters("unstable");
	}

	@ParameterizedTest
	@MethodSource("stable")
	void aTypeThatMayBeStablePasses(Type type) {
		assertThatNoException().isThrownBy(() -> StableTypes.check(type, WHERE));
	}

	@ParameterizedTest
	@MethodSource("unstable")
	void aTypeThatCannotBeStableIsRefusedWithItsPlaceAndTheMend(Type type) {
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> StableTypes.check(type, WHERE))
			.withMessageStartingWith(WHERE)
			.withMessageContaining(" is a ")
			.withMessageContaining("; ");
	}

	@Test
	void thePathToARefusedPropertyIsNamed() {
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> StableTypes.check(Invoice.class, WHERE))
			.withMessage(WHERE + ", at .lines<" + Line.class.getName() + ">.weight, is a double; "
					+ "declare a BigDecimal, or ask for it with floatingPoint = true");
	}

	@Test
	void floatingPointPassesWhereItIsAskedFor() {
		assertThatNoException().isThrownBy(() -> StableTypes.check(Invoice.class, WHERE, FloatingPoint.ALLOWED));
		assertThatNoException().isThrownBy(() -> StableTypes.check(double[].class, WHERE, FloatingPoint.ALLOWED));
	}

	@Test
	void membersOfASealedTypeMustDifferInTheirProperties() {
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> StableTypes.check(Booking.class, WHERE))
			.withMessageContaining(Credit.class.getName())
			.withMessageContaining(Debit.class.getName())
			.withMessageContaining("give them a property that tells them apart");
	}

	private static Stream<Type> parameters(String method) {
		return Arrays.stream(Signatures.class.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(method))
			.map(Method::getGenericParameterTypes)
			.flatMap(Arrays::stream);
	}

	@SuppressWarnings({ "rawtypes", "unused" })
	interface Signatures {

		void stable(String text, int number, Long boxed, BigDecimal amount, boolean flag, char character, byte[] bytes,
				UUID id, Instant when, Date date, java.sql.Timestamp timestamp, TimeUnit unit, Object any,
				Number anyNumber, CharSequence characters, Comparable<?> comparable, List raw, List<String> list,
				Collection<? extends Number> numbers, Queue<String> queue, Set<UUID> ids,
				Map<String, List<Instant>> map, Optional<String> optional, String[] array, int[][] matrix,
				List<String>[] lists, ArrayList<String> concrete, Address address, Tree tree, Pair<String, UUID> pair,
				Id<Runnable> typedId, Named named, Shape2 shape, LongId longId, Enum<?> anyEnum, Record anyRecord,
				GoldenVectors.Parcel bean, Iterable<String> iterable);

		<T extends Comparable<T>, N extends Number> void stable(T variable, List<N> numbers, T[] array);

		void unstable(double number, Float boxed, float[] array, List<Double> list, Map<String, double[]> map,
				Optional<Float> optional, java.util.OptionalDouble optionalDouble, Supplier<String> supplier,
				Runnable runnable, Stream<String> stream, Iterator<String> iterator, Class<?> type, Thread thread,
				InputStream input, java.sql.Date day, java.sql.Time time, java.sql.Connection connection,
				AtomicLong counter, java.util.Random random, Empty empty, Marker marker, Function function,
				Pair<String, Double> pair, DoubleId doubleId, List<? extends Runnable> runnables, Booking booking,
				java.util.PriorityQueue<String> heap, Resource resource, java.util.concurrent.Future<String> future,
				Throwable failure, java.nio.file.Path path, Override annotation, Deprecated other,
				java.util.function.IntSupplier ints);

		<T extends Runnable> void unstable(T variable, T[] array);

	}

	record Address(String city, int zip) {

	}

	record Tree(String name, List<Tree> children, Map<String, @Nullable Tree> byName) {

	}

	record Pair<A, B>(A one, B other) {

	}

	/** The type argument is only a mark: no value of it is read. */
	record Id<T>(long value) {

	}

	record Invoice(String id, List<Line> lines) {

	}

	record Line(String article, double weight) {

	}

	record Marker() {

	}

	interface Named {

		String getName();

	}

	sealed interface Shape2 {

	}

	record Square(BigDecimal side) implements Shape2 {

	}

	record Circle(BigDecimal radius) implements Shape2 {

	}

	sealed interface Booking {

	}

	record Credit(BigDecimal amount) implements Booking {

	}

	record Debit(BigDecimal amount) implements Booking {

	}

	public abstract static class Base<T> {

		private final T value;

		Base(T value) {
			this.value = value;
		}

		public T getValue() {
			return this.value;
		}

	}

	public static class LongId extends Base<Long> {

		LongId() {
			super(1L);
		}

	}

	public static class DoubleId extends Base<Double> {

		DoubleId() {
			super(1.0);
		}

	}

	static class Empty {

	}

	@FunctionalInterface
	interface Function {

		String apply();

	}

	interface Resource extends AutoCloseable {

		String getName();

	}

}
