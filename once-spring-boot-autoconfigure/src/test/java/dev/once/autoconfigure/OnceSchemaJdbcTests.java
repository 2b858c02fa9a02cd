package dev.once.autoconfigure;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test of an application's own with {@code @JdbcTest}.
 */
@JdbcTest
class OnceSchemaJdbcTests {

	@Autowired
	private JdbcClient client;

	@Test
	void theTablesAreThere() {
		assertThat(this.client.sql("select count(*) from once_effect_ledger").query(Integer.class).single()).isZero();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	static class Application {

	}

}
