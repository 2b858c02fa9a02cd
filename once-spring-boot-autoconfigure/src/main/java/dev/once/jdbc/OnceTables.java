package dev.once.jdbc;

import java.util.Locale;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Where Once's tables are. Both parts stand in SQL as they are, so both are held to plain
 * identifiers before any statement is built.
 *
 * @param schema the schema, exactly as the database spells it when it has capitals, or
 * null for the connection's own
 * @param prefix what the name of each table, index and constraint starts with
 */
public record OnceTables(@Nullable String schema, String prefix) {

	/** What names start with unless something else is set. */
	public static final String DEFAULT_PREFIX = "once_";

	/** Leaves room for the longest name of an index within PostgreSQL's 63. */
	private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,29}");

	private static final Pattern SCHEMA = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

	/**
	 * Checks both names.
	 * @throws IllegalArgumentException if one is not a plain identifier, naming the
	 * property
	 */
	public OnceTables {
		if (!PREFIX.matcher(prefix).matches()) {
			throw new IllegalArgumentException("once.jdbc.table-prefix is '" + prefix
					+ "'; it takes 1 to 30 lower-case letters, digits and underscores, with a letter first (" + PREFIX
					+ ")");
		}
		if (schema != null && !SCHEMA.matcher(schema).matches()) {
			throw new IllegalArgumentException("once.jdbc.schema is '" + schema
					+ "'; it takes 1 to 63 letters, digits and underscores, without quotes and with no digit first ("
					+ SCHEMA + ")");
		}
	}

	/**
	 * The tables in the connection's own schema, under their usual names.
	 * @return the default names
	 */
	public static OnceTables defaults() {
		return new OnceTables(null, DEFAULT_PREFIX);
	}

	/**
	 * The table of leases.
	 * @return its name, qualified and quoted as SQL needs it
	 */
	public String jobLease() {
		return qualifier() + this.prefix + "job_lease";
	}

	/**
	 * The table of effects.
	 * @return its name, qualified and quoted as SQL needs it
	 */
	public String effectLedger() {
		return qualifier() + this.prefix + "effect_ledger";
	}

	/**
	 * The table of occurrences.
	 * @return its name, qualified and quoted as SQL needs it
	 */
	public String occurrence() {
		return qualifier() + this.prefix + "occurrence";
	}

	/**
	 * The table of decisions.
	 * @return its name, qualified and quoted as SQL needs it
	 */
	public String decision() {
		return qualifier() + this.prefix + "decision";
	}

	/**
	 * Puts the names of the tables into a statement.
	 * @param sql a statement that says <code>{job_lease}</code>,
	 * <code>{effect_ledger}</code>, <code>{occurrence}</code>, <code>{decision}</code> or
	 * <code>{changelog_lock}</code> where the tables stand
	 * @return the statement to send
	 */
	public String in(String sql) {
		return sql.replace("{job_lease}", jobLease())
			.replace("{effect_ledger}", effectLedger())
			.replace("{occurrence}", occurrence())
			.replace("{decision}", decision())
			.replace("{changelog_lock}", qualifier() + this.prefix + "changelog_lock");
	}

	/** A name without capitals folds as the database folds names; others are exact. */
	boolean isSchemaExact() {
		return this.schema != null && !this.schema.equals(this.schema.toLowerCase(Locale.ROOT));
	}

	private String qualifier() {
		return (this.schema != null) ? quoted(this.schema) + "." : "";
	}

	String quoted(String schema) {
		return isSchemaExact() ? '"' + schema + '"' : schema;
	}

}
