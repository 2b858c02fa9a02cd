package dev.once;

import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import org.springframework.core.task.support.ContextPropagatingTaskDecorator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Micrometer's context propagation carries the scope.
 */
class OnceScopeAccessorTests {

	@Test
	void springsDecoratorCarriesTheScopeAndTakesItAwayAgain() throws Exception {
		AtomicReference<OnceScope> seen = new AtomicReference<>();
		OnceScope scope = OnceScope.current().with(DueTime.of(Instant.parse("2026-05-04T02:00:00Z")));
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try {
			Runnable decorated = scope
				.call(() -> new ContextPropagatingTaskDecorator().decorate(() -> seen.set(OnceScope.current())));
			pool.submit(decorated).get(10, TimeUnit.SECONDS);
			assertThat(seen.get()).isEqualTo(scope);
			assertThat(pool.submit(OnceScope::current).get(10, TimeUnit.SECONDS).due()).isNull();
		}
		finally {
			pool.shutdownNow();
		}
		assertThat(OnceScope.current().due()).isNull();
	}

}
