package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Values for the named parameters of a {@link Sql}. Many sets of the same names become
 * one set of arrays, in the same order.
 */
final class Parameters {

	private final Map<String, Value> values = new HashMap<>();

	Parameters text(String name, @Nullable String value) {
		return put(name, Type.TEXT, value);
	}

	Parameters number(String name, @Nullable Number value) {
		return put(name, Type.NUMBER, (value != null) ? value.longValue() : null);
	}

	Parameters texts(String name, Collection<String> values) {
		return put(name, Type.TEXT, values.toArray());
	}

	/** Durations travel as whole microseconds, the databases' own precision. */
	Parameters micros(String name, @Nullable Duration value) {
		return number(name, (value != null) ? toMicros(value) : null);
	}

	Parameters time(String name, @Nullable Instant value) {
		return put(name, Type.TIME, (value != null) ? value.atOffset(ZoneOffset.UTC) : null);
	}

	private Parameters put(String name, Type type, @Nullable Object value) {
		this.values.put(name, new Value(type, value));
		return this;
	}

	static Parameters arrays(List<Parameters> sets) {
		Parameters arrays = new Parameters();
		for (Map.Entry<String, Value> first : sets.get(0).values.entrySet()) {
			Object[] column = new Object[sets.size()];
			for (int i = 0; i < column.length; i++) {
				column[i] = sets.get(i).value(first.getKey()).value();
			}
			arrays.values.put(first.getKey(), new Value(first.getValue().type(), column));
		}
		return arrays;
	}

	void bind(PreparedStatement statement, int index, String name) throws SQLException {
		Value value = value(name);
		Type type = value.type();
		if (value.value() instanceof Object[] column) {
			Connection connection = statement.getConnection();
			statement.setArray(index, connection.createArrayOf(type.elementName, column));
		}
		else if (value.value() != null) {
			statement.setObject(index, value.value(), type.jdbcType);
		}
		else {
			statement.setNull(index, type.jdbcType);
		}
	}

	private Value value(String name) {
		Value value = this.values.get(name);
		if (value == null) {
			throw new IllegalStateException("No value for the parameter :" + name);
		}
		return value;
	}

	/** Rounded up: a wait may be longer than asked for, never shorter. */
	private static long toMicros(Duration duration) {
		return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L),
				(duration.getNano() + 999L) / 1000L);
	}

	private record Value(Type type, @Nullable Object value) {
	}

	private enum Type {

		TEXT(Types.VARCHAR, "text"), NUMBER(Types.BIGINT, "bigint"), TIME(Types.TIMESTAMP_WITH_TIMEZONE, "timestamptz");

		private final int jdbcType;

		private final String elementName;

		Type(int jdbcType, String elementName) {
			this.jdbcType = jdbcType;
			this.elementName = elementName;
		}

	}

}
