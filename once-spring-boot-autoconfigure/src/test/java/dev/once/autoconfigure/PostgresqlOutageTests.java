package dev.once.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.once.Outcome;
import dev.once.lease.StoreException;
import dev.once.test.PostgresServer;
import dev.once.test.TroubledServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class PostgresqlOutageTests extends OutageCases {

	@Override
	TroubledServer server() {
		return new PostgresServer();
	}

	private PostgresServer postgres() {
		return (PostgresServer) troubled();
	}

	/** Case 42 (a): two fires, two errors, nothing sent, and no restart. */
	@Test
	void whileTheDatabaseTakesNoWritesNothingIsSentAndAnAnswerWaits(CapturedOutput output) {
		run((work, health) -> {
			work.slow("answered", () -> {
				readOnly("on");
				await().atMost(Duration.ofSeconds(60)).until(() -> status(health).equals(Status.DOWN));
				assertThat(health.health().getDetails().toString()).contains("takes no writes");
				for (int fire = 0; fire < 2; fire++) {
					assertThatExceptionOfType(StoreException.class)
						.isThrownBy(() -> work.inRun(() -> work.send("read-only run")));
				}
				assertThat(work.outcome("read-only")).isInstanceOf(Outcome.NotSent.class);
				CompletableFuture.runAsync(() -> readOnly("off"), later());
			});
			assertThat(rows("target = 'answered' and outcome = 'performed'")).isOne();
			await().atMost(Duration.ofSeconds(60)).until(() -> status(health).equals(Status.UP));
			assertThat(work.outcome("read-only")).isInstanceOf(Outcome.Done.class);
			work.inRun(() -> work.send("read-only run"));
			assertThat(farSide()).containsOnlyKeys("answered", "read-only", "read-only run");
			assertThat(farSide().values()).allMatch((sent) -> sent.get() == 1);
			assertThat(output.getAll().lines().filter((line) -> line.contains(" ERROR ["))).hasSize(1);
			assertThat(output.getAll().lines().filter((line) -> line.contains("WARN") && line.contains("Caretaker")))
				.hasSizeLessThan(2);
		});
	}

	/** New connections use what the application's pool was given meanwhile. */
	@Test
	void aPasswordThatRotatesIsFollowed() {
		String role = "rotating";
		postgres().execute("create role " + role + " login superuser password 'first'");
		postgres().demandPasswordOf(role);
		HikariDataSource application = database().newDataSource((config) -> {
			config.setUsername(role);
			config.setPassword("first");
			config.setMaximumPoolSize(4);
		});
		run(application, (work, health) -> {
			assertThat(work.outcome("first")).isInstanceOf(Outcome.Done.class);
			postgres().execute("alter role " + role + " password 'second'");
			application.setCredentials(Credentials.of(role, "second"));
			postgres().execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = '" + role + "'");
			await().atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(work.outcome("second")).isInstanceOf(Outcome.Done.class));
			work.inRun(() -> work.send("third"));
			assertThat(farSide()).containsOnlyKeys("first", "second", "third");
			assertThat(status(health)).isEqualTo(Status.UP);
		});
	}

	private void readOnly(String value) {
		postgres().set("default_transaction_read_only", value);
	}

}
