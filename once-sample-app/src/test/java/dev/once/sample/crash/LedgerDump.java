package dev.once.sample.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a cell's database without Once.
 */
final class LedgerDump {

	private static final String EFFECTS = """
			select effect_key, revision, action, target, label, state, outcome, attention, attempt, attempt_id,
				fencing_token, refusals, resolve_tries, response, detail from once_effect_ledger order by label""";

	private static final String LEASES = "select job_key, fencing_token, owner, run_id from once_job_lease";

	private static final String OCCURRENCES = """
			select job_key, occurrence, due_at, state, attempt, fencing_token, started_at, finished_at, counts, detail
			from once_occurrence order by due_at""";

	// The job fires all the time: what is recent is on its way
	private static final String UNFINISHED = """
			select occurrence from once_occurrence
			where state not in ('finished', 'running', 'open', 'missed')
				or state in ('running', 'open') and due_at < current_timestamp - interval '20' second""";

	private static final String UNPAID = "select count(*) from invoice where receipt is null";

	private final String url;

	private final String user;

	LedgerDump(String url, String user) {
		this.url = url;
		this.user = user;
	}

	void write(Path directory, String name) throws IOException, SQLException {
		try (Connection connection = connect()) {
			JsonMapper json = JsonMapper.builder().build();
			Files.writeString(directory.resolve(name + ".json"),
					json.writerWithDefaultPrettyPrinter()
						.writeValueAsString(Map.of("effects", rows(connection, EFFECTS), "leases",
								rows(connection, LEASES), "occurrences", rows(connection, OCCURRENCES))));
		}
	}

	/**
	 * Whether nothing moves any more: every effect is done or waits for a person, and
	 * every invoice is paid and every occurrence finished, unless an effect is held.
	 */
	boolean isSettled(int invoices) throws SQLException {
		try (Connection connection = connect()) {
			List<Map<String, Object>> effects = rows(connection, EFFECTS);
			long charges = effects.stream().filter((row) -> "charge".equals(row.get("action"))).count();
			boolean quiet = effects.stream()
				.allMatch((row) -> "done".equals(row.get("state")) || row.get("attention") != null);
			long held = effects.stream()
				.filter((row) -> !"done".equals(row.get("state")))
				.map((row) -> row.get("target"))
				.distinct()
				.count();
			long unpaid = ((Number) rows(connection, UNPAID).get(0).values().iterator().next()).longValue();
			boolean figure = effects.stream()
				.anyMatch((row) -> "post-figure".equals(row.get("action")) && "done".equals(row.get("state")));
			boolean finished = held > 0 || rows(connection, UNFINISHED).isEmpty();
			return charges == invoices && quiet && unpaid == held && (held > 0 || figure) && finished;
		}
	}

	private Connection connect() throws SQLException {
		return DriverManager.getConnection(this.url, this.user, "");
	}

	private static List<Map<String, Object>> rows(Connection connection, String sql) throws SQLException {
		try (ResultSet rows = connection.createStatement().executeQuery(sql)) {
			ResultSetMetaData columns = rows.getMetaData();
			List<Map<String, Object>> all = new ArrayList<>();
			while (rows.next()) {
				Map<String, Object> row = new LinkedHashMap<>();
				for (int i = 1; i <= columns.getColumnCount(); i++) {
					Object value = rows.getObject(i);
					boolean plain = value == null || value instanceof Number;
					row.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT),
							plain ? value : Objects.toString(rows.getString(i)));
				}
				all.add(row);
			}
			return all;
		}
	}

}
