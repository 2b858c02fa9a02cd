package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

import dev.once.ledger.LedgerHealth;

/**
 * Asks the database, over the ledger's own connections, whether Once's tables can be
 * written. It takes no lock and writes nothing.
 */
public final class JdbcLedgerHealth implements LedgerHealth {

	private static final String ASK_POSTGRESQL = """
			select case
				when pg_is_in_recovery() then 'the database is a standby'
				when current_setting('transaction_read_only') = 'on'
					then 'the database takes no writes (default_transaction_read_only is on)'
				else (
					select 'the user ' || current_user || ' lacks the privilege to ' || string_agg(privilege || ' ' || name, ', ')
					from (values ('{job_lease}'), ('{effect_ledger}'), ('{occurrence}')) as tables (name)
					cross join (values ('select'), ('insert'), ('update')) as privileges (privilege)
					where not has_table_privilege(name, privilege))
			end
			""";

	// It names the tables so that it fails without them
	private static final String ASK_H2 = """
			select case when readonly() then 'the database was opened read-only' end
			from (values (1)) as one
			where not exists (select 1 from {job_lease} where 1 = 0)
				and not exists (select 1 from {effect_ledger} where 1 = 0)
				and not exists (select 1 from {occurrence} where 1 = 0)
			""";

	private final LedgerConnections connections;

	private final OnceTables tables;

	/**
	 * Creates the adapter.
	 * @param connections the ledger's connections
	 * @param tables where Once's tables are
	 */
	public JdbcLedgerHealth(LedgerConnections connections, OnceTables tables) {
		this.connections = connections;
		this.tables = tables;
	}

	@Override
	public Optional<String> obstacle() {
		return this.connections.each()
			.stream()
			.map((each) -> obstacle(each)
				.map((obstacle) -> each.name().isEmpty() ? obstacle : "database '" + each.name() + "': " + obstacle))
			.flatMap(Optional::stream)
			.findFirst();
	}

	private Optional<String> obstacle(LedgerConnections connections) {
		String question = this.tables.in(switch (connections.database()) {
			case POSTGRESQL -> ASK_POSTGRESQL;
			case H2 -> ASK_H2;
		});
		try {
			return connections.withConnection((connection) -> ask(connection, question));
		}
		catch (SQLException | LedgerUnusableException ex) {
			return Optional.of(firstLine(ex));
		}
	}

	private static Optional<String> ask(Connection connection, String question) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet answer = statement.executeQuery(question)) {
			answer.next();
			return Optional.ofNullable(answer.getString(1));
		}
	}

	private static String firstLine(Exception failure) {
		String message = (failure.getMessage() != null) ? failure.getMessage() : failure.getClass().getSimpleName();
		return message.lines().findFirst().orElse(message);
	}

}
