package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement with named parameters ({@code :key}), made ready for where Once's tables
 * are. Every statement answers with rows.
 */
final class Sql {

	private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z]\\w*)");

	private final String text;

	private final List<String> names = new ArrayList<>();

	private Sql(String text) {
		StringBuilder positional = new StringBuilder();
		Matcher matcher = PARAMETER.matcher(text);
		while (matcher.find()) {
			this.names.add(matcher.group(1));
			matcher.appendReplacement(positional, "?");
		}
		this.text = matcher.appendTail(positional).toString();
	}

	static Sql of(OnceTables tables, String text) {
		String withColumns = text.replace("{effect}", EffectRows.COLUMNS)
			.replace("{lease}", LeaseRows.COLUMNS)
			.replace("{row}", OccurrenceRows.COLUMNS);
		return new Sql(tables.in(withColumns));
	}

	<T> List<T> query(Connection connection, Parameters parameters, RowReader<T> reader) throws SQLException {
		return query(connection, parameters, reader, (statement) -> {
		});
	}

	<T> List<T> query(Connection connection, Parameters parameters, RowReader<T> reader, Setting setting)
			throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.text)) {
			setting.on(statement);
			int index = 0;
			for (String name : this.names) {
				parameters.bind(statement, ++index, name);
			}
			try (ResultSet rows = statement.executeQuery()) {
				List<T> read = new ArrayList<>();
				while (rows.next()) {
					read.add(reader.read(rows));
				}
				return read;
			}
		}
	}

	@Override
	public String toString() {
		return this.text;
	}

	/**
	 * Prepares a statement's execution.
	 */
	@FunctionalInterface
	interface Setting {

		void on(PreparedStatement statement) throws SQLException;

	}

	/**
	 * Reads the row that a result set stands on.
	 *
	 * @param <T> what it gives
	 */
	@FunctionalInterface
	interface RowReader<T> {

		T read(ResultSet rows) throws SQLException;

	}

}
