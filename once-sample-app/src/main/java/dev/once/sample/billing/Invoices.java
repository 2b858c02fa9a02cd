package dev.once.sample.billing;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The table of invoices.
 */
@Repository
class Invoices {

	private static final String COLUMNS = "id, customer, email, amount, due_on, receipt";

	private static final String DUE = """
			select %s from invoice
			where receipt is null and due_on <= :day
			order by id""".formatted(COLUMNS);

	private static final String FIND = "select %s from invoice where id = :id".formatted(COLUMNS);

	private static final String PAID_SUM = """
			select coalesce(sum(amount), 0) from invoice
			where receipt is not null and due_on <= :day""";

	private static final String OPEN_SUM = """
			select coalesce(sum(amount), 0) from invoice
			where receipt is null and due_on <= :day""";

	private static final String CHARGED_SUM = """
			select coalesce(sum(amount), 0) from invoice
			where customer = :customer""";

	private static final String MARK_PAID = "update invoice set receipt = :receipt where id = :id";

	private static final String COUNT = "select count(*) from invoice";

	private static final String INSERT = """
			insert into invoice (id, customer, email, amount, due_on)
			values (:id, :customer, :email, :amount, :dueOn)""";

	private final JdbcClient jdbc;

	private final TransactionOperations transactions;

	Invoices(JdbcClient jdbc, TransactionOperations transactions) {
		this.jdbc = jdbc;
		this.transactions = transactions;
	}

	/**
	 * Invoices due on the day or before it that nobody has paid, by number.
	 */
	List<Invoice> due(LocalDate day) {
		return this.jdbc.sql(DUE).param("day", day).query(Invoice.class).list();
	}

	Optional<Invoice> find(String id) {
		return this.jdbc.sql(FIND).param("id", id).query(Invoice.class).optional();
	}

	/**
	 * The sum of what was due by the day and is paid.
	 */
	BigDecimal paidBy(LocalDate day) {
		return this.jdbc.sql(PAID_SUM).param("day", day).query(BigDecimal.class).single();
	}

	/**
	 * The sum of what was due by the day and is open.
	 */
	BigDecimal openBy(LocalDate day) {
		return this.jdbc.sql(OPEN_SUM).param("day", day).query(BigDecimal.class).single();
	}

	/**
	 * The sum of a customer's invoices.
	 */
	BigDecimal chargedTo(String customer) {
		return this.jdbc.sql(CHARGED_SUM).param("customer", customer).query(BigDecimal.class).single();
	}

	void markPaid(String id, String receipt) {
		this.transactions.executeWithoutResult(
				(transaction) -> this.jdbc.sql(MARK_PAID).param("id", id).param("receipt", receipt).update());
	}

	/**
	 * Writes invoices up to the given number, all due on the day; those that are there
	 * already, or that another node writes meanwhile, stay.
	 */
	void seed(int number, LocalDate dueOn) {
		int there = this.jdbc.sql(COUNT).query(Integer.class).single();
		for (int i = there + 1; i <= number; i++) {
			String id = "inv-%03d".formatted(i);
			String customer = "customer-%03d".formatted(i);
			BigDecimal amount = BigDecimal.valueOf(1000L + 125L * i, 2);
			try {
				this.transactions.executeWithoutResult((transaction) -> this.jdbc.sql(INSERT)
					.param("id", id)
					.param("customer", customer)
					.param("email", customer + "@example.org")
					.param("amount", amount)
					.param("dueOn", dueOn)
					.update());
			}
			catch (DuplicateKeyException ex) {
				// The other node was first.
			}
		}
	}

}
