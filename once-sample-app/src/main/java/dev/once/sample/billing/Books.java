package dev.once.sample.billing;

import java.math.BigDecimal;

import dev.once.Boundary;
import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.Grain;
import dev.once.OnceEffect;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The books are kept in the ledger's own database: entry and ledger row are committed
 * together.
 */
@Component
public class Books {

	private static final String ENTER = "insert into book_entry (kind, name, amount) values (:kind, :name, :amount)";

	private static final String COUNT = "select count(*) from book_entry where kind = :kind";

	private final JdbcClient jdbc;

	Books(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@OnceEffect(action = "reserve", grain = Grain.DAY, boundary = Boundary.DATABASE)
	void reserve(@EffectTarget String name, @EffectInput BigDecimal amount) {
		enter("reserve", name, amount);
	}

	@OnceEffect(action = "export-statement", boundary = Boundary.DATABASE)
	void export(@EffectTarget String customer, @EffectInput BigDecimal amount) {
		enter("statement", customer, amount);
	}

	@OnceEffect(action = "close-day", grain = Grain.DAY, boundary = Boundary.DATABASE)
	void close(@EffectTarget String name, @EffectInput BigDecimal amount) {
		enter("close", name, amount);
	}

	private void enter(String kind, String name, BigDecimal amount) {
		this.jdbc.sql(ENTER).param("kind", kind).param("name", name).param("amount", amount).update();
	}

	/**
	 * How many entries there are.
	 * @param kind of what kind
	 */
	public int count(String kind) {
		return this.jdbc.sql(COUNT).param("kind", kind).query(Integer.class).single();
	}

}
