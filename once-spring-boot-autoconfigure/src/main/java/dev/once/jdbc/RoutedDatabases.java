package dev.once.jdbc;

import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.WeakHashMap;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ReflectionUtils;

/**
 * The databases behind a data source that routes: each has tables of its own. Which one a
 * thread means is asked once, when a run or an attempt begins; whatever belongs to it
 * goes to the same one, from whichever thread.
 */
final class RoutedDatabases {

	/** The one way to learn where a thread's statements would go. */
	static final Method DETERMINE_TARGET = Objects
		.requireNonNull(ReflectionUtils.findMethod(AbstractRoutingDataSource.class, "determineTargetDataSource"));

	private static final String IS_STANDBY = "select pg_is_in_recovery()";

	private final AbstractRoutingDataSource routing;

	private final Map<DataSource, LedgerConnections> databases = Collections.synchronizedMap(new IdentityHashMap<>());

	private final List<LedgerConnections> inOrder = Collections.synchronizedList(new ArrayList<>());

	private final List<String> standbys = new ArrayList<>();

	// An id is an object that its run or attempt holds: the entry lasts as long as they
	// do
	private final Map<String, Place> places = Collections.synchronizedMap(new WeakHashMap<>());

	private final LedgerConnections home;

	private volatile boolean closed;

	private RoutedDatabases(AbstractRoutingDataSource routing) throws SQLException {
		this.routing = routing;
		Map<String, DataSource> targets = new TreeMap<>();
		routing.getResolvedDataSources().forEach((key, target) -> targets.put(String.valueOf(key), target));
		DataSource byDefault = routing.getResolvedDefaultDataSource();
		if (byDefault != null && !targets.containsValue(byDefault)) {
			targets.put("default", byDefault);
		}
		try {
			for (Map.Entry<String, DataSource> target : targets.entrySet()) {
				open(target.getKey(), target.getValue());
			}
			LedgerConnections home = (byDefault != null) ? this.databases.get(byDefault) : null;
			if (this.inOrder.isEmpty()) {
				throw new LedgerUnusableException("The data source of Once routes, and none of its targets ("
						+ String.join(", ", targets.keySet()) + ") takes writes", null);
			}
			this.home = (home != null) ? home : this.inOrder.get(0);
		}
		catch (SQLException | RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Looks for a data source that routes behind what wraps it. A pool of what it hands
	 * out is left alone: its connections no longer belong to whoever asks.
	 */
	static @Nullable AbstractRoutingDataSource behind(DataSource dataSource) {
		DataSource layer = dataSource;
		while (!(layer instanceof AbstractRoutingDataSource)) {
			DataSource inner = ApplicationPool.inner(layer);
			if (inner == null) {
				return unwrapped(layer);
			}
			layer = inner;
		}
		return (AbstractRoutingDataSource) layer;
	}

	private static @Nullable AbstractRoutingDataSource unwrapped(DataSource layer) {
		try {
			boolean pools = layer.getClass().getName().startsWith("com.zaxxer.hikari.");
			return (!pools && layer.isWrapperFor(AbstractRoutingDataSource.class))
					? layer.unwrap(AbstractRoutingDataSource.class) : null;
		}
		catch (SQLException ex) {
			return null;
		}
	}

	/**
	 * Looks at every target that the data source has now.
	 * @throws SQLException if one cannot be reached, which the message names
	 */
	static RoutedDatabases of(AbstractRoutingDataSource routing) throws SQLException {
		Method getConnection = Objects.requireNonNull(ReflectionUtils.findMethod(routing.getClass(), "getConnection"));
		if (getConnection.getDeclaringClass() != AbstractRoutingDataSource.class) {
			throw new LedgerUnusableException("The data source of Once routes, and "
					+ getConnection.getDeclaringClass().getName() + " changes each connection by the thread's tenant:"
					+ " Once renews leases on a thread without one. Mark a data source that is the same for all threads"
					+ " with @OnceDataSource, and make the tenant a part of each effect's target", null);
		}
		return new RoutedDatabases(routing);
	}

	private @Nullable LedgerConnections open(String name, DataSource target) throws SQLException {
		LedgerConnections known = this.databases.get(target);
		if (known != null || this.standbys.contains(name)) {
			return known;
		}
		LedgerConnections opened = LedgerConnections.ofTarget(target, name);
		if (opened.fresh((connection) -> isStandby(connection, opened.database()))) {
			this.standbys.add(name);
			return null;
		}
		this.databases.put(target, opened);
		this.inOrder.add(opened);
		return opened;
	}

	private static boolean isStandby(Connection connection, LedgerDatabase database) throws SQLException {
		if (database != LedgerDatabase.POSTGRESQL) {
			return false;
		}
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(IS_STANDBY)) {
			return row.next() && row.getBoolean(1);
		}
	}

	/** All that are known, in the order of their names. */
	List<LedgerConnections> all() {
		return List.copyOf(this.inOrder);
	}

	/** What it takes and what it leaves out. */
	String warning() {
		return "The data source routes: every database that it leads to has leases and a ledger of its own, and the"
				+ " caretaker covers those known at start (" + names() + ")"
				+ (this.standbys.isEmpty() ? "" : ", without the standbys (" + String.join(", ", this.standbys) + ")")
				+ " and others from their first effect on. Jobs that fire without a tenant keep their lease in '"
				+ this.home.name() + "', and resolvers are called without a tenant: they must take it from the effect's"
				+ " target or inputs. See docs/connections.md, or mark one data source for all with @OnceDataSource";
	}

	private String names() {
		return String.join(", ", all().stream().map(LedgerConnections::name).toList());
	}

	/** Where a thread keeps its leases for which the data source names no database. */
	LedgerConnections home() {
		return this.home;
	}

	/**
	 * The database that the current thread means.
	 * @throws NoConnectionException if the data source names none
	 */
	synchronized LedgerConnections current() throws NoConnectionException {
		return NoConnectionException.orThis(() -> {
			DataSource target = target();
			LedgerConnections known = this.databases.get(target);
			if (known != null) {
				return known;
			}
			if (this.closed) {
				throw new SQLException("The ledger's connections are closed");
			}
			LedgerConnections opened = open("a target added later", target);
			if (opened == null && this.inOrder.size() == 1) {
				return this.home;
			}
			if (opened == null) {
				throw new SQLTransientConnectionException("The data source leads this thread to a standby");
			}
			return opened;
		});
	}

	/** The database that the current thread means, or home. */
	LedgerConnections currentOrHome() {
		try {
			return current();
		}
		catch (NoConnectionException ex) {
			return this.home;
		}
	}

	private DataSource target() throws SQLException {
		DETERMINE_TARGET.setAccessible(true);
		Object target = ReflectionUtils.invokeMethod(DETERMINE_TARGET, this.routing);
		if (target == null) {
			throw new SQLException("The data source names no database for this thread");
		}
		return (DataSource) target;
	}

	/**
	 * Says where a run or an attempt is at home.
	 * @return the id to hold on to: where several have read it, the first one's
	 */
	String remember(String id, LedgerConnections place) {
		synchronized (this.places) {
			Place known = this.places.get(id);
			String first = (known != null) ? known.id().get() : null;
			String held = (first != null) ? first : id;
			this.places.put(held, new Place(new WeakReference<>(held), place));
			return held;
		}
	}

	@Nullable LedgerConnections remembered(String id) {
		Place known = this.places.get(id);
		return (known != null) ? known.database() : null;
	}

	void close() {
		this.closed = true;
		this.inOrder.forEach(LedgerConnections::close);
	}

	/**
	 * Where an id is at home.
	 *
	 * @param id the map's own key, which must not keep itself alive
	 * @param database the database
	 */
	private record Place(WeakReference<String> id, LedgerConnections database) {

	}

}
