package dev.once.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * The ledger's own connections. None of its statements joins the transaction of its
 * caller, none runs longer than 4 seconds (a renewal 1.5), and none is kept from running
 * by an interrupted thread; the interrupt is there again afterwards.
 * <p>
 * Beside an application on HikariCP they are a pool of their own with the application's
 * driver, URL and credentials, and one connection more for renewing leases. From other
 * data sources they are borrowed. Behind one that routes there are several databases.
 */
public final class LedgerConnections implements AutoCloseable {

	private static final boolean HIKARI_PRESENT = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			LedgerConnections.class.getClassLoader());

	private final ConnectionSource source;

	private final LedgerDatabase database;

	private final String name;

	private final @Nullable RoutedDatabases routed;

	private volatile boolean closed;

	private LedgerConnections(ConnectionSource source, LedgerDatabase database, String name,
			@Nullable RoutedDatabases routed) {
		this.source = source;
		this.database = database;
		this.name = name;
		this.routed = routed;
	}

	/**
	 * Connects beside an application, and looks once at what is there.
	 * @param dataSource the application's data source, which stays the application's
	 * @param poolSize the greatest number of connections beside the one for renewing
	 * @return connections to close before the data source is closed
	 * @throws LedgerUnusableException if the database cannot be reached or cannot hold
	 * the ledger
	 */
	public static LedgerConnections of(DataSource dataSource, int poolSize) {
		try {
			AbstractRoutingDataSource routing = RoutedDatabases.behind(dataSource);
			if (routing != null) {
				RoutedDatabases databases = RoutedDatabases.of(routing);
				return new LedgerConnections(new RoutedSource(databases), databases.home().database(), "", databases);
			}
			ConnectionSource source = HIKARI_PRESENT ? OwnConnections.beside(dataSource, poolSize) : null;
			return of((source != null) ? source : new BorrowedConnections(dataSource), "");
		}
		catch (SQLException ex) {
			throw new LedgerUnusableException("Once cannot use its database: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Connects to one target of a data source that routes. They are borrowed: a pool
	 * beside each of many would be a pool too many.
	 */
	static LedgerConnections ofTarget(DataSource target, String name) throws SQLException {
		try {
			return of(new BorrowedConnections(target), name);
		}
		catch (SQLException ex) {
			throw new SQLException("'" + name + "', a target of the data source that routes: " + ex.getMessage(),
					ex.getSQLState(), ex);
		}
	}

	private static LedgerConnections of(ConnectionSource source, String name) throws SQLException {
		try {
			return new LedgerConnections(source, source.fresh(LedgerDatabase::of), name, null);
		}
		catch (SQLException ex) {
			source.close();
			throw ex;
		}
	}

	/**
	 * The kind of database that all connections lead to.
	 * @return the database
	 */
	public LedgerDatabase database() {
		return this.database;
	}

	/**
	 * What an operator should know before the ledger is relied on.
	 * @return lines, each with its mend; none where all is well
	 */
	public List<String> warnings() {
		Stream<String> ofDatabases = each().stream()
			.flatMap((each) -> LedgerWarnings.of(each)
				.stream()
				.map((warning) -> each.name().isEmpty() ? warning : "Database '" + each.name() + "': " + warning));
		return ((this.routed != null) ? Stream.concat(Stream.of(this.routed.warning()), ofDatabases) : ofDatabases)
			.toList();
	}

	/**
	 * The method by which a data source that routes is asked where a thread's statements
	 * go, for a native image.
	 * @return the method
	 */
	public static Method routing() {
		return RoutedDatabases.DETERMINE_TARGET;
	}

	/**
	 * The name of the target they lead to, empty where the data source does not route.
	 */
	String name() {
		return this.name;
	}

	/** The databases behind a data source that routes, or null. */
	@Nullable RoutedDatabases routed() {
		return this.routed;
	}

	/**
	 * The connections to each database by itself: several where the data source routes.
	 * @return these alone, or one for each target that is known
	 */
	public List<LedgerConnections> each() {
		return (this.routed != null) ? this.routed.all() : List.of(this);
	}

	/**
	 * Says which databases they lead to.
	 * @return a clause such as "PostgreSQL"
	 */
	public String description() {
		if (this.routed == null) {
			return this.database.productName();
		}
		return this.routed.all().size() + " databases that its data source routes to ("
				+ String.join(", ", this.routed.all().stream().map(LedgerConnections::name).toList()) + ")";
	}

	/**
	 * How many connections they need, for people.
	 * @return a clause such as "up to 5 connections of its own"
	 */
	public String demand() {
		return this.source.demand();
	}

	/**
	 * Runs one statement that commits by itself.
	 * @param <T> what it gives
	 * @param work the statement
	 * @return what the work returned, committed
	 * @throws SQLException if the connection or the work failed: whether it took effect
	 * is not known (E2)
	 */
	public <T extends @Nullable Object> T withConnection(SqlWork<T> work) throws SQLException {
		return uninterrupted((interrupt) -> this.source.withConnection(interrupt.keptFrom(work)));
	}

	/**
	 * Runs statements in one transaction, which is rolled back if the work throws.
	 * @param <T> what it gives
	 * @param work the statements
	 * @return what the work returned, committed
	 * @throws SQLException if the connection, the work or the commit failed: whether it
	 * took effect is not known (E2)
	 */
	public <T extends @Nullable Object> T inTransaction(SqlWork<T> work) throws SQLException {
		return uninterrupted((interrupt) -> this.source.inTransaction(interrupt.keptFrom(work)));
	}

	/**
	 * Runs one statement that commits by itself, over the connection that is reserved for
	 * renewing.
	 * @param <T> what it gives
	 * @param work the statement
	 * @return what the work returned, committed
	 * @throws SQLException if the connection or the work failed
	 */
	public <T extends @Nullable Object> T renewal(SqlWork<T> work) throws SQLException {
		return uninterrupted((interrupt) -> this.source.renewal(interrupt.keptFrom(work)));
	}

	/**
	 * Runs statements in one transaction on a connection that is opened for them, so that
	 * nothing that befell another one is in their way (E2).
	 * @param <T> what it gives
	 * @param work the statements
	 * @return what the work returned, committed
	 * @throws SQLException if the connection, the work or the commit failed
	 */
	public <T extends @Nullable Object> T fresh(SqlWork<T> work) throws SQLException {
		return uninterrupted((interrupt) -> this.source.fresh(interrupt.keptFrom(work)));
	}

	/** A connection without time-outs, which the caller closes. */
	Connection open() throws SQLException {
		return uninterrupted((interrupt) -> this.source.open());
	}

	/**
	 * Whether they have been closed, so that no repetition can succeed.
	 * @return whether {@link #close()} was called
	 */
	public boolean isClosed() {
		return this.closed;
	}

	@Override
	public void close() {
		this.closed = true;
		this.source.close();
	}

	// E4: a pool refuses an interrupted thread, and H2 closes its file under one. Who is
	// interrupted while waiting for a connection has carried out nothing, and waits again
	private static <T extends @Nullable Object> T uninterrupted(SqlCall<T> call) throws SQLException {
		Interrupt interrupt = new Interrupt();
		try {
			while (true) {
				try {
					return call.make(interrupt);
				}
				catch (NoConnectionException ex) {
					if (!ex.wasInterrupted()) {
						throw ex;
					}
					interrupt.came();
				}
			}
		}
		finally {
			interrupt.restore();
		}
	}

	@FunctionalInterface
	private interface SqlCall<T extends @Nullable Object> {

		T make(Interrupt interrupt) throws SQLException;

	}

	/**
	 * Keeps a thread's interrupt while statements run.
	 */
	private static final class Interrupt {

		private boolean pending = Thread.interrupted();

		void came() {
			this.pending = true;
		}

		/** It may have come while a connection was had all the same. */
		<T extends @Nullable Object> SqlWork<T> keptFrom(SqlWork<T> work) {
			return (connection) -> {
				this.pending |= Thread.interrupted();
				return work.on(connection);
			};
		}

		void restore() {
			if (this.pending) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
