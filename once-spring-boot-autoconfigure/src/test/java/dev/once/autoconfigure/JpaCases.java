package dev.once.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.Boundary;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.RunFencedException;
import dev.once.Unobservable;
import dev.once.test.CountingDataSource;
import dev.once.test.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Case 19, and T1, with JPA: the persistence context writes when it likes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JpaCases {

	private final TestDatabase database = database();

	private CountingDataSource counting;

	private ConfigurableApplicationContext context;

	private Bookings bookings;

	private Callers callers;

	abstract TestDatabase database();

	@BeforeAll
	void start() {
		this.database.jdbc().sql("create table jpa_booking (name varchar(100) primary key)").update();
		this.counting = new CountingDataSource(
				new DriverManagerDataSource(this.database.url(), this.database.username(), this.database.password()));
		HikariDataSource application = this.database.newDataSource((config) -> {
			config.setJdbcUrl(null);
			config.setDataSource(this.counting);
		});
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.jpa.hibernate.ddl-auto=none")
			.initializers((context) -> ((GenericApplicationContext) context).registerBean("dataSource",
					HikariDataSource.class, () -> application))
			.run("--spring.autoconfigure.exclude=");
		this.bookings = this.context.getBean(Bookings.class);
		this.callers = this.context.getBean(Callers.class);
	}

	@AfterAll
	void close() {
		this.context.close();
		this.database.close();
	}

	@Test
	void anExternalEffectStaysDoneWhenItsCallerIsRolledBack() {
		assertThatIllegalStateException().isThrownBy(() -> this.callers.mailing("mail", "failing"));
		assertThat(bookings("mail")).isZero();
		this.callers.mailing("mail", "");
		assertThat(bookings("mail")).isOne();
		assertThat(this.bookings.sent()).containsExactly("mail");
		assertThat(states("mail")).containsExactly("done");
	}

	@Test
	void entityAndRowAreCommittedTogether() {
		assertThatIllegalStateException().isThrownBy(() -> this.callers.booking("joined", this::fail));
		assertThat(bookings("joined")).isZero();
		assertThat(states("joined")).isEmpty();
		for (int i = 0; i < 2; i++) {
			this.callers.booking("joined", () -> {
			});
			this.bookings.book("own");
		}
		for (String name : List.of("joined", "own")) {
			assertThat(bookings(name)).isOne();
			assertThat(states(name)).containsExactly("done");
		}
	}

	/** The fence comes after what JPA writes, and before the commit. */
	@Test
	void theFenceIsLookedAtAfterTheFlush() {
		for (Runnable call : List.<Runnable>of(() -> this.bookings.book("flush-own"),
				() -> this.callers.booking("flush-joined", () -> {
				}))) {
			this.callers.inJob(() -> {
				this.counting.forget();
				call.run();
				List<String> statements = new ArrayList<>(this.counting.record());
				assertThat(statements).last().isEqualTo("commit");
				int commit = statements.size() - 1;
				assertThat(statements.get(commit - 1)).contains("once_job_lease");
				assertThat(statements.get(commit - 2)).contains("insert into jpa_booking");
			});
		}
	}

	@Test
	void aTakeoverBeforeTheCommitIsFencedAndNothingIsWritten() {
		assertThatExceptionOfType(RunFencedException.class)
			.isThrownBy(() -> this.callers.inJob(() -> this.callers.booking("fenced", this::takeOver)));
		assertThat(bookings("fenced")).isZero();
		assertThat(states("fenced")).isEmpty();
	}

	private void takeOver() {
		assertThat(this.database.jdbc()
			.sql("update once_job_lease set fencing_token = fencing_token + 1, owner = 'another', run_id = 'another',"
					+ " lease_until = current_timestamp where job_key = 'jpa'")
			.update()).isOne();
	}

	private void fail() {
		throw new IllegalStateException("on purpose");
	}

	private int bookings(String name) {
		return this.database.jdbc()
			.sql("select count(*) from jpa_booking where name = ?")
			.param(name)
			.query(Integer.class)
			.single();
	}

	private List<String> states(String name) {
		return this.database.jdbc()
			.sql("select state from once_effect_ledger where target = ?")
			.param(name)
			.query(String.class)
			.list();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ HibernateJpaAutoConfiguration.class, TransactionAutoConfiguration.class,
			OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class })
	@EntityScan(basePackageClasses = Booking.class)
	@Import({ Bookings.class, Callers.class })
	static class Application {

	}

	@Entity
	@Table(name = "jpa_booking")
	static class Booking {

		@Id
		private String name;

		Booking() {
		}

		Booking(String name) {
			this.name = name;
		}

	}

	static class Bookings {

		private final List<String> sent = new CopyOnWriteArrayList<>();

		@PersistenceContext
		private EntityManager entities;

		@Transactional
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		String book(@EffectTarget String name) {
			this.entities.persist(new Booking(name));
			return name;
		}

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		void mail(@EffectTarget String name) {
			this.sent.add(name);
		}

		@Transactional
		public void persist(String name) {
			this.entities.persist(new Booking(name));
		}

		List<String> sent() {
			return this.sent;
		}

	}

	static class Callers {

		private final Bookings bookings;

		Callers(Bookings bookings) {
			this.bookings = bookings;
		}

		@OnceJob(name = "jpa", overlap = Overlap.COALESCE)
		public void inJob(Runnable body) {
			body.run();
		}

		@Transactional
		public void mailing(String name, String end) {
			this.bookings.persist(name);
			this.bookings.mail(name);
			if (!end.isEmpty()) {
				throw new IllegalStateException(end);
			}
		}

		@Transactional
		public void booking(String name, Runnable afterwards) {
			this.bookings.book(name);
			this.bookings.book(name);
			afterwards.run();
		}

	}

}
