package dev.once.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.TestDatabase;
import org.apache.commons.dbcp2.BasicDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the ledger's connections do on every database, a pool of their own or borrowed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LedgerConnectionsContract {

	private final List<AutoCloseable> closeables = new ArrayList<>();

	protected TestDatabase database;

	abstract TestDatabase newDatabase();

	@BeforeEach
	void createDatabase() {
		this.database = newDatabase();
		this.database.jdbc().sql("create table seen (id integer primary key)").update();
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable closeable : this.closeables) {
			closeable.close();
		}
		this.closeables.clear();
		this.database.close();
	}

	LedgerConnections connections(DataSource dataSource) {
		LedgerConnections connections = LedgerConnections.of(dataSource, 4);
		this.closeables.add(connections);
		return connections;
	}

	/** The application's pool as it is, and behind what cannot be looked through. */
	enum Kind {

		OWN, BORROWED;

		DataSource dataSource(TestDatabase database) {
			return (this == OWN) ? database.dataSource() : new Opaque(database.dataSource());
		}

	}

	@ParameterizedTest
	@MethodSource("dev.once.jdbc.LedgerConnectionsContract$Kind#values")
	void aStatementCommitsByItself(Kind kind) throws Exception {
		LedgerConnections connections = connections(kind.dataSource(this.database));
		connections.withConnection(insert(1));
		connections.renewal(insert(2));
		connections.fresh(insert(3));
		assertThat(seen()).containsExactly(1, 2, 3);
	}

	@ParameterizedTest
	@MethodSource("dev.once.jdbc.LedgerConnectionsContract$Kind#values")
	void aTransactionCommitsAllOrNothing(Kind kind) throws Exception {
		LedgerConnections connections = connections(kind.dataSource(this.database));
		connections.inTransaction((connection) -> insert(1).on(connection) + insert(2).on(connection));
		assertThatExceptionOfType(SQLException.class).isThrownBy(
				() -> connections.inTransaction((connection) -> insert(3).on(connection) + insert(1).on(connection)));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> connections.inTransaction((connection) -> {
				insert(4).on(connection);
				throw new IllegalStateException();
			}));
		assertThat(seen()).containsExactly(1, 2);
	}

	@ParameterizedTest
	@MethodSource("dev.once.jdbc.LedgerConnectionsContract$Kind#values")
	void anInterruptedThreadWritesAndStaysInterrupted(Kind kind) throws Exception {
		LedgerConnections connections = connections(kind.dataSource(this.database));
		Thread.currentThread().interrupt();
		connections.withConnection(insert(1));
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		connections.inTransaction(insert(2));
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		connections.renewal(insert(3));
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		connections.fresh(insert(4));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(seen()).containsExactly(1, 2, 3, 4);
	}

	/** E4: an interrupt that comes while a connection is waited for. */
	@ParameterizedTest
	@MethodSource("kindsOfPools")
	void anInterruptWhileWaitingForAConnectionKeepsNothingFromRunning(Other other) throws Exception {
		try (Pool pool = other.open(this.database)) {
			LedgerConnections connections = connections(pool.dataSource());
			List<Connection> held = new ArrayList<>();
			for (int i = 0; i < Pool.SIZE; i++) {
				held.add(pool.dataSource().getConnection());
			}
			Thread caller = Thread.currentThread();
			Thread interrupter = new Thread(() -> {
				Awaitility.await().until(() -> waitsForAConnection(caller));
				caller.interrupt();
				Awaitility.await().until(() -> !caller.isInterrupted() && waitsForAConnection(caller));
				closeAll(held);
			});
			interrupter.start();
			connections.withConnection((connection) -> {
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
				return insert(1).on(connection);
			});
			assertThat(Thread.interrupted()).isTrue();
			interrupter.join();
			assertThat(seen()).containsExactly(1);
		}
	}

	/** Whatever the application uses, its connections come back as they were lent. */
	@ParameterizedTest
	@MethodSource("kindsOfDataSources")
	void aDataSourceThatIsNoHikariPoolIsBorrowedFrom(Other other) throws Exception {
		try (Pool pool = other.open(this.database)) {
			LedgerConnections connections = connections(pool.dataSource());
			assertThat(connections.demand()).contains("of the application's connections");
			for (int i = 1; i <= 3 * Pool.SIZE; i++) {
				connections.withConnection(insert(i));
			}
			connections.renewal(insert(100));
			connections.fresh(insert(101));
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connections.withConnection(insert(1)));
			Thread.currentThread().interrupt();
			connections.withConnection(insert(102));
			assertThat(Thread.interrupted()).isTrue();
			try (Connection connection = pool.dataSource().getConnection();
					Statement statement = connection.createStatement()) {
				assertThat(connection.getAutoCommit()).isTrue();
				assertThat(connection.isReadOnly()).isFalse();
				assertThat(statement.getQueryTimeout()).isZero();
			}
			assertThat(seen()).hasSize(3 * Pool.SIZE + 3);
		}
	}

	static Stream<Other> kindsOfDataSources() {
		return Stream.of(Other.values());
	}

	static Stream<Other> kindsOfPools() {
		return Stream.of(Other.HIKARI_BEHIND_A_WALL, Other.DBCP2, Other.TOMCAT);
	}

	/** Nothing was carried out, and that is known. */
	@ParameterizedTest
	@MethodSource("dev.once.jdbc.LedgerConnectionsContract$Kind#values")
	void aBusyPoolIsToldFromAStatementThatFailed(Kind kind) throws Exception {
		try (HikariDataSource small = this.database.newDataSource((config) -> {
			config.setMaximumPoolSize(1);
			config.setConnectionTimeout(250);
		})) {
			LedgerConnections connections = LedgerConnections.of((kind == Kind.OWN) ? small : new Opaque(small), 1);
			this.closeables.add(connections);
			connections.withConnection((connection) -> {
				assertThatExceptionOfType(NoConnectionException.class)
					.isThrownBy(() -> connections.withConnection(insert(1)));
				return 0;
			});
			connections.withConnection(insert(2));
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connections.withConnection(insert(2)))
				.isNotInstanceOf(NoConnectionException.class);
		}
	}

	/** The ledger's commit would be the caller's. */
	@Test
	void aDataSourceThatGivesTheCallersConnectionIsRefusedBeforeAnythingIsWritten() {
		for (DataSource dataSource : List.of(new SingleConnectionDataSource(this.database.url(),
				this.database.username(), this.database.password(), true),
				new Opaque(new TransactionAwareDataSourceProxy(this.database.dataSource())))) {
			LedgerConnections connections = connections(dataSource);
			DataSource transactional = (dataSource instanceof Opaque) ? this.database.dataSource() : dataSource;
			new TransactionTemplate(new JdbcTransactionManager(transactional)).executeWithoutResult((status) -> {
				JdbcClient.create(transactional).sql("insert into seen values (7)").update();
				assertThatExceptionOfType(NoConnectionException.class)
					.isThrownBy(() -> connections.withConnection(insert(1)))
					.withMessageContaining("the connection of its caller's transaction")
					.withMessageContaining("@OnceDataSource");
				status.setRollbackOnly();
			});
			assertThat(seen()).isEmpty();
		}
	}

	static Stream<Wrapping> wrappings() {
		return Stream.of(new Wrapping("as it is", (dataSource) -> dataSource),
				new Wrapping("transaction aware", TransactionAwareDataSourceProxy::new),
				new Wrapping("lazy and transaction aware",
						(dataSource) -> new LazyConnectionDataSourceProxy(
								new TransactionAwareDataSourceProxy(dataSource))),
				new Wrapping("not to be looked through", Opaque::new),
				new Wrapping("transaction aware, not to be looked through",
						(dataSource) -> new TransactionAwareDataSourceProxy(new Opaque(dataSource))));
	}

	@ParameterizedTest
	@MethodSource("wrappings")
	void theCallersTransactionIsNotJoined(Wrapping wrapping) {
		DataSource dataSource = wrapping.around().apply(this.database.dataSource());
		LedgerConnections connections = connections(dataSource);
		new TransactionTemplate(new JdbcTransactionManager(dataSource)).executeWithoutResult((status) -> {
			JdbcClient.create(dataSource).sql("insert into seen values (7)").update();
			assertThat(write(connections, 1)).isOne();
			status.setRollbackOnly();
		});
		assertThat(seen()).containsExactly(1);
	}

	@Test
	void theApplicationsPoolMayBeExhausted() throws Exception {
		try (HikariDataSource small = this.database.newDataSource(1)) {
			LedgerConnections connections = connections(new DelegatingDataSource(small));
			try (Connection held = small.getConnection()) {
				connections.withConnection(insert(1));
				connections.fresh(insert(2));
				connections.renewal(insert(3));
				assertThat(held.isClosed()).isFalse();
			}
		}
		assertThat(seen()).containsExactly(1, 2, 3);
	}

	@Test
	void renewingHasAConnectionOfItsOwn() throws Exception {
		LedgerConnections connections = connections(this.database.dataSource());
		CountDownLatch borrowed = new CountDownLatch(4);
		CountDownLatch done = new CountDownLatch(1);
		ExecutorService callers = Executors.newFixedThreadPool(4);
		try {
			for (int i = 0; i < 4; i++) {
				callers.submit(() -> connections.withConnection((connection) -> {
					borrowed.countDown();
					return await(done);
				}));
			}
			assertThat(borrowed.await(5, TimeUnit.SECONDS)).isTrue();
			connections.renewal(insert(1));
			connections.fresh(insert(2));
			assertThat(seen()).containsExactly(1, 2);
		}
		finally {
			done.countDown();
			callers.shutdown();
		}
	}

	@Test
	void aRenewalThatHangsIsGivenUpWithinTheShortestLease() throws Exception {
		LedgerConnections connections = connections(this.database.dataSource());
		connections.withConnection(insert(1));
		try (Connection locker = this.database.dataSource().getConnection();
				Statement statement = locker.createStatement()) {
			locker.setAutoCommit(false);
			statement.executeUpdate("update seen set id = 2");
			long start = System.nanoTime();
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> connections.renewal(update("update seen set id = 3")));
			assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(1000L, 2500L);
			locker.rollback();
		}
	}

	@Test
	void aBorrowedConnectionIsHandedBackAsItCame() throws Exception {
		try (Connection connection = this.database.dataSource().getConnection()) {
			LedgerConnections connections = connections(new SingleConnectionDataSource(connection, true));
			connection.setReadOnly(true);
			connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
			connection.setAutoCommit(false);
			connections.withConnection((lent) -> {
				assertThat(lent.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
				return insert(1).on(lent);
			});
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connections.withConnection(insert(1)));
			assertThat(connection.getAutoCommit()).isFalse();
			assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
			assertThat(connection.isReadOnly()).isTrue();
			try (Statement statement = connection.createStatement()) {
				assertThat(statement.getQueryTimeout()).isZero();
			}
			connection.rollback();
			connection.setReadOnly(false);
		}
		assertThat(seen()).containsExactly(1);
	}

	@Test
	void aRoutingDataSourceIsNotCopied() throws Exception {
		try (TestDatabase other = newDatabase()) {
			other.jdbc().sql("create table seen (id integer primary key)").update();
			Tenants tenants = new Tenants();
			tenants.setTargetDataSources(Map.of("this", this.database.dataSource(), "other", other.dataSource()));
			tenants.afterPropertiesSet();
			LedgerConnections connections = connections(new TransactionAwareDataSourceProxy(tenants));
			tenants.current = "other";
			connections.withConnection(insert(1));
			assertThat(seen()).isEmpty();
			assertThat(other.jdbc().sql("select id from seen").query(Integer.class).list()).containsExactly(1);
		}
	}

	@Test
	void afterClosingTheyAreClosedAndTheApplicationsAreNot() throws Exception {
		LedgerConnections connections = connections(this.database.dataSource());
		connections.withConnection(insert(1));
		assertThat(connections.isClosed()).isFalse();
		connections.close();
		assertThat(connections.isClosed()).isTrue();
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connections.withConnection(insert(2)));
		assertThat(seen()).containsExactly(1);
	}

	static int write(LedgerConnections connections, int id) {
		try {
			return connections.withConnection(insert(id));
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static SqlWork<Integer> insert(int id) {
		return (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement("insert into seen values (?)")) {
				statement.setInt(1, id);
				return statement.executeUpdate();
			}
		};
	}

	static SqlWork<Integer> update(String sql) {
		return (connection) -> {
			try (Statement statement = connection.createStatement()) {
				return statement.executeUpdate(sql);
			}
		};
	}

	static SqlWork<String> select(String sql) {
		return (connection) -> {
			try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(sql)) {
				row.next();
				return row.getString(1);
			}
		};
	}

	List<Integer> seen() {
		return this.database.jdbc().sql("select id from seen order by id").query(Integer.class).list();
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean waitsForAConnection(Thread caller) {
		boolean waits = caller.getState() == Thread.State.WAITING || caller.getState() == Thread.State.TIMED_WAITING;
		return waits
				&& Stream.of(caller.getStackTrace()).anyMatch((call) -> call.getMethodName().equals("getConnection"));
	}

	private static void closeAll(List<Connection> connections) {
		for (Connection connection : connections) {
			try {
				connection.close();
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	/** What applications have that is not a Hikari pool, or not seen to be one. */
	enum Other {

		HIKARI_BEHIND_A_WALL, DBCP2, TOMCAT, SIMPLE_DRIVER, DRIVER_MANAGER, LAZY_OVER_DBCP2;

		Pool open(TestDatabase database) throws Exception {
			return switch (this) {
				case HIKARI_BEHIND_A_WALL -> {
					HikariDataSource pool = database.newDataSource(Pool.SIZE);
					yield new Pool(new Opaque(pool), pool);
				}
				case DBCP2 -> {
					BasicDataSource pool = dbcp2(database);
					yield new Pool(pool, pool);
				}
				case LAZY_OVER_DBCP2 -> {
					BasicDataSource pool = dbcp2(database);
					yield new Pool(new LazyConnectionDataSourceProxy(pool), pool);
				}
				case TOMCAT -> {
					org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
					pool.setUrl(database.url());
					pool.setUsername(database.username());
					pool.setPassword(database.password());
					pool.setMaxActive(Pool.SIZE);
					yield new Pool(pool, pool::close);
				}
				case SIMPLE_DRIVER -> new Pool(new SimpleDriverDataSource(DriverManager.getDriver(database.url()),
						database.url(), database.username(), database.password()), () -> {
						});
				case DRIVER_MANAGER -> new Pool(
						new DriverManagerDataSource(database.url(), database.username(), database.password()), () -> {
						});
			};
		}

		private static BasicDataSource dbcp2(TestDatabase database) {
			BasicDataSource pool = new BasicDataSource();
			pool.setUrl(database.url());
			pool.setUsername(database.username());
			pool.setPassword(database.password());
			pool.setMaxTotal(Pool.SIZE);
			return pool;
		}

	}

	record Pool(DataSource dataSource, AutoCloseable closeable) implements AutoCloseable {

		static final int SIZE = 2;

		@Override
		public void close() throws Exception {
			this.closeable.close();
		}

	}

	record Wrapping(String name, UnaryOperator<DataSource> around) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	private static final class Tenants extends AbstractRoutingDataSource {

		private String current = "this";

		@Override
		protected Object determineCurrentLookupKey() {
			return this.current;
		}

	}

	/**
	 * A data source that does not say what is behind it.
	 */
	static final class Opaque extends AbstractDataSource {

		private final DataSource behind;

		Opaque(DataSource behind) {
			this.behind = behind;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return this.behind.getConnection();
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return this.behind.getConnection(username, password);
		}

	}

}
