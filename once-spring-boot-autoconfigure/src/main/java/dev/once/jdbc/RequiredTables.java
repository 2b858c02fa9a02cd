package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The columns and unique keys that this version of Once works with. More than these do no
 * harm: a newer version's tables serve an older one.
 */
final class RequiredTables {

	// Without its keys a table of leases does not fence and a ledger does not count to
	// one, and nothing else would tell
	private static final String POSTGRESQL = """
			select table_name, column_name, null as unique_key
				from information_schema.columns
				where table_schema = %1$s and table_name in (%2$s)
			union all
			select t.relname, a.attname, i.indexrelid::text
				from pg_index i
				join pg_class t on t.oid = i.indrelid
				join pg_namespace s on s.oid = t.relnamespace
				join pg_attribute a on a.attrelid = t.oid and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])
				where i.indisunique and i.indisvalid and i.indimmediate and i.indpred is null and i.indexprs is null
					and s.nspname = %1$s and t.relname in (%2$s)
			""";

	private static final String H2 = """
			select table_name, column_name, null as unique_key
				from information_schema.columns
				where %1$s and lower(table_name) in (%2$s)
			union all
			select table_name, column_name, index_name
				from information_schema.index_columns
				where is_unique and %1$s and lower(table_name) in (%2$s)
			""";

	private static final List<Table> TABLES = List.of(new Table("job_lease", names("""
			job_key owner run_id fencing_token lease_seconds lease_until acquired_at renewed_at declared_by
			schedule zone paused_at paused_by paused_why purged_until key_check looked_until
			"""), List.of(names("job_key"), names("job_key fencing_token"))), new Table("effect_ledger", names("""
			effect_key revision action target grain input_digest inputs version label slot job_key occurrence
			run_id fencing_token attempt attempt_id state outcome attention refusals first_submitted_at
			submitted_at window_until settle_after next_attempt_at resolve_tries next_resolve_at terms response
			response_type detail follow_up_at follow_up_done_at created_at updated_at
			"""), List.of(names("effect_key revision"), names("slot"))), new Table("occurrence", names("""
			job_key occurrence due_at zone state attempt next_attempt_at run_id owner fencing_token arguments result
			queued_at started_at finished_at counts detail
			"""), List.of(names("job_key occurrence"))), new Table("decision", names("""
			id decided_at kind job_key occurrence effect_key revision who why detail
			"""), List.of(names("id"))));

	private RequiredTables() {
	}

	private static Set<String> names(String text) {
		return new LinkedHashSet<>(List.of(text.strip().split("\\s+")));
	}

	/**
	 * Looks what is missing, with one query.
	 * @return a phrase for each table that is missing or lacks columns or keys; none if
	 * all is there
	 */
	static List<String> missing(Connection connection, OnceTables tables) throws SQLException {
		Map<String, Found> found = found(connection, tables);
		List<String> phrases = new ArrayList<>();
		for (Table table : TABLES) {
			String name = tables.prefix() + table.name();
			Found there = found.get(name);
			if (there == null) {
				phrases.add("table " + name + " is missing");
			}
			else {
				phrases.addAll(table.lacking(name, there));
			}
		}
		return phrases;
	}

	private static Map<String, Found> found(Connection connection, OnceTables tables) throws SQLException {
		Map<String, Found> found = new LinkedHashMap<>();
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(query(LedgerDatabase.of(connection), tables))) {
			while (row.next()) {
				found.computeIfAbsent(lower(row.getString(1)), (name) -> new Found())
					.add(lower(row.getString(2)), row.getString(3));
			}
		}
		return found;
	}

	// both names have been held to plain identifiers
	private static String query(LedgerDatabase database, OnceTables tables) {
		String names = TABLES.stream()
			.map((table) -> "'" + tables.prefix() + table.name() + "'")
			.collect(Collectors.joining(", "));
		String schema = (tables.schema() != null) ? "'" + tables.schema() + "'" : "current_schema";
		return switch (database) {
			case POSTGRESQL -> POSTGRESQL.formatted(schema, names);
			case H2 -> H2.formatted(
					((tables.schema() == null || tables.isSchemaExact()) ? "table_schema" : "lower(table_schema)")
							+ " = " + schema,
					names);
		};
	}

	private static String lower(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

	/**
	 * What one table needs.
	 *
	 * @param name its name without the prefix
	 * @param columns its columns
	 * @param keys the columns of each unique key
	 */
	private record Table(String name, Set<String> columns, List<Set<String>> keys) {

		List<String> lacking(String name, Found found) {
			List<String> phrases = new ArrayList<>();
			Set<String> columns = new LinkedHashSet<>(this.columns);
			columns.removeAll(found.columns);
			if (!columns.isEmpty()) {
				phrases.add("table " + name + " lacks " + String.join(", ", columns));
			}
			this.keys.stream()
				.filter((key) -> !found.keys().contains(key))
				.forEach((key) -> phrases
					.add("table " + name + " lacks the unique key (" + String.join(", ", key) + ")"));
			return phrases;
		}

	}

	/**
	 * What a table has.
	 */
	private static final class Found {

		private final Set<String> columns = new LinkedHashSet<>();

		private final Map<String, Set<String>> byKey = new LinkedHashMap<>();

		void add(String column, @Nullable String key) {
			if (key == null) {
				this.columns.add(column);
			}
			else {
				this.byKey.computeIfAbsent(key, (name) -> new LinkedHashSet<>()).add(column);
			}
		}

		Collection<Set<String>> keys() {
			return this.byKey.values();
		}

	}

}
