package dev.once.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

import dev.once.lease.StoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of several databases at once, divided among them.
 *
 * @param <I> what is asked about
 * @param parts the items of each database
 */
record ByPlace<I>(Map<LedgerConnections, Part<I>> parts) {

	private static final Log logger = LogFactory.getLog(ByPlace.class);

	static <I> ByPlace<I> of(List<I> items, Function<I, LedgerConnections> place) {
		Map<LedgerConnections, Part<I>> parts = new LinkedHashMap<>();
		for (int i = 0; i < items.size(); i++) {
			Part<I> part = parts.computeIfAbsent(place.apply(items.get(i)), (key) -> Part.empty());
			part.items().add(items.get(i));
			part.positions().add(i);
		}
		return new ByPlace<>(parts);
	}

	/** Goes on past a database that fails, unless all do. */
	void eachOrAllFail(BiConsumer<LedgerConnections, Part<I>> work) {
		StoreException failure = null;
		int failed = 0;
		for (Map.Entry<LedgerConnections, Part<I>> part : this.parts.entrySet()) {
			try {
				work.accept(part.getKey(), part.getValue());
			}
			catch (StoreException ex) {
				logger.debug("Database '" + part.getKey().name() + "' is passed over", ex);
				failure = ex;
				failed++;
			}
		}
		throwIfAll(failure, failed);
	}

	private void throwIfAll(@Nullable StoreException failure, int failed) {
		if (failure != null && failed == this.parts.size()) {
			throw failure;
		}
	}

	/**
	 * One database's part.
	 *
	 * @param items its items
	 * @param positions where each stands in the whole
	 */
	record Part<I>(List<I> items, List<Integer> positions) {

		static <I> Part<I> empty() {
			return new Part<>(new ArrayList<>(), new ArrayList<>());
		}

	}

}
