package dev.once.test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Keeps a record of the statements and commits that go through it. As the data source
 * within a Hikari pool it also sees the ledger's own pool. The caretaker's looks come in
 * between by chance and are left out.
 */
public final class CountingDataSource extends AbstractDataSource {

	/** Threads that look after what is open, whenever their interval has passed. */
	private static final Set<String> LOOKING = Set.of("once-caretaker", "once-coming-back");

	private final DataSource behind;

	private final List<String> record = new CopyOnWriteArrayList<>();

	private final Consumer<String> before;

	public CountingDataSource(DataSource behind) {
		this(behind, (statement) -> {
		});
	}

	/**
	 * Tells of each statement, commit and rollback before it is sent.
	 * @param behind where they go
	 * @param before is told what is kept in the record
	 */
	public CountingDataSource(DataSource behind, Consumer<String> before) {
		this.behind = behind;
		this.before = before;
	}

	/**
	 * What was sent since the last {@link #forget()}, in order: the text of each
	 * statement, {@code commit} and {@code rollback}; each statement in auto-commit is
	 * its own commit.
	 * @return a copy
	 */
	public List<String> record() {
		return List.copyOf(this.record);
	}

	public void forget() {
		this.record.clear();
	}

	@Override
	public Connection getConnection() throws SQLException {
		return counting(this.behind.getConnection());
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return counting(this.behind.getConnection(username, password));
	}

	private Connection counting(Connection connection) {
		return proxy(Connection.class, (method, arguments) -> {
			if (method.getName().equals("commit") || method.getName().equals("rollback")) {
				keep(method.getName());
			}
			Object result = invoke(connection, method, arguments);
			if (result instanceof PreparedStatement statement) {
				return counting(PreparedStatement.class, statement, (String) arguments[0]);
			}
			return (result instanceof Statement statement) ? counting(Statement.class, statement, null) : result;
		});
	}

	private void keep(String sent) {
		if (!LOOKING.contains(Thread.currentThread().getName())) {
			this.record.add(sent);
			this.before.accept(sent);
		}
	}

	private <S extends Statement> S counting(Class<S> type, S statement, String prepared) {
		return proxy(type, (method, arguments) -> {
			if (method.getName().startsWith("execute")) {
				keep((prepared != null) ? prepared : String.valueOf(arguments[0]));
			}
			return invoke(statement, method, arguments);
		});
	}

	private static <T> T proxy(Class<T> type, Call call) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call.on(method, arguments)));
	}

	private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	@FunctionalInterface
	private interface Call {

		Object on(Method method, Object[] arguments) throws Throwable;

	}

}
