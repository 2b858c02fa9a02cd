package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns that this version of Once works with. More than these do no harm: a newer
 * version's tables serve an older one.
 */
final class RequiredColumns {

	private static final String COLUMNS = """
			select table_name, column_name from information_schema.columns
				where %s and %s in (%s)
			""";

	private static final Map<String, Set<String>> BY_TABLE = byTable();

	private RequiredColumns() {
	}

	private static Map<String, Set<String>> byTable() {
		Map<String, Set<String>> columns = new LinkedHashMap<>();
		columns.put("job_lease", names("""
				job_key owner run_id fencing_token lease_seconds lease_until acquired_at renewed_at declared_by
				schedule zone paused_at paused_by paused_why
				"""));
		columns.put("effect_ledger", names("""
				effect_key revision action target grain input_digest inputs version label slot job_key occurrence
				run_id fencing_token attempt attempt_id state outcome attention refusals first_submitted_at
				submitted_at window_until settle_after next_attempt_at resolve_tries next_resolve_at terms response
				response_type detail follow_up_at follow_up_done_at created_at updated_at
				"""));
		return columns;
	}

	private static Set<String> names(String text) {
		return new LinkedHashSet<>(List.of(text.strip().split("\\s+")));
	}

	/**
	 * Looks what is missing, with one query.
	 * @return a phrase for each table that is missing or lacks columns; none if all is
	 * there
	 */
	static List<String> missing(Connection connection, OnceTables tables) throws SQLException {
		Map<String, Set<String>> found = found(connection, tables);
		List<String> phrases = new ArrayList<>();
		BY_TABLE.forEach((table, columns) -> {
			String name = tables.prefix() + table;
			Set<String> lacking = new LinkedHashSet<>(columns);
			lacking.removeAll(found.getOrDefault(name, Set.of()));
			if (!found.containsKey(name)) {
				phrases.add("table " + name + " is missing");
			}
			else if (!lacking.isEmpty()) {
				phrases.add("table " + name + " lacks " + String.join(", ", lacking));
			}
		});
		return phrases;
	}

	private static Map<String, Set<String>> found(Connection connection, OnceTables tables) throws SQLException {
		Map<String, Set<String>> found = new LinkedHashMap<>();
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(query(LedgerDatabase.of(connection), tables))) {
			while (row.next()) {
				found.computeIfAbsent(lower(row.getString(1)), (name) -> new LinkedHashSet<>())
					.add(lower(row.getString(2)));
			}
		}
		return found;
	}

	// both names have been held to plain identifiers
	private static String query(LedgerDatabase database, OnceTables tables) {
		boolean foldsToUpper = database == LedgerDatabase.H2;
		String names = BY_TABLE.keySet()
			.stream()
			.map((table) -> "'" + tables.prefix() + table + "'")
			.collect(Collectors.joining(", "));
		return COLUMNS.formatted(schemaIs(tables, foldsToUpper), foldsToUpper ? "lower(table_name)" : "table_name",
				names);
	}

	private static String schemaIs(OnceTables tables, boolean foldsToUpper) {
		if (tables.schema() == null) {
			return "table_schema = current_schema";
		}
		boolean folded = foldsToUpper && !tables.isSchemaExact();
		return (folded ? "lower(table_schema)" : "table_schema") + " = '" + tables.schema() + "'";
	}

	private static String lower(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

}
