package dev.once.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.once.actuate.EffectCounts;
import dev.once.actuate.KnownNames;
import dev.once.actuate.OnceEndpoint;
import dev.once.actuate.OnceHealthIndicator;
import dev.once.actuate.OnceMeters;
import dev.once.actuate.OnceWebExtension;
import dev.once.actuate.StandingReader;
import dev.once.lease.LeaseListener;
import dev.once.lease.LeaseStore;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.TimeSource;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.Ending;
import dev.once.ledger.LedgerHealth;
import dev.once.test.LedgerRows;
import dev.once.occurrence.OccurrenceStore;
import dev.once.test.StubDesk;
import dev.once.test.StubLeaseStore;
import dev.once.test.StubLedger;
import dev.once.test.StubOccurrences;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.jmx.JmxEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.jmx.JmxOperation;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class OnceActuateAutoConfigurationTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=once";

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OnceEndpointAutoConfiguration.class, OnceHealthAutoConfiguration.class,
				OnceMetricsAutoConfiguration.class));

	private final ApplicationContextRunner contextRunner = this.bare.withUserConfiguration(Ledger.class);

	@Test
	void withoutALedgerThereIsNothing() {
		this.bare.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).doesNotHaveBean(OnceEndpoint.class)
				.doesNotHaveBean(OnceHealthIndicator.class)
				.doesNotHaveBean(OnceMeters.class)
				.doesNotHaveBean(EffectCounts.class)
				.doesNotHaveBean(StandingReader.class));
	}

	@Test
	void theEndpointIsThereWhenItIsExposed() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(OnceEndpoint.class).hasSingleBean(EffectCounts.class));
	}

	@Test
	void theEndpointIsNotThereWhenNothingSaysSo() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(OnceEndpoint.class)
			.doesNotHaveBean(EffectCounts.class));
	}

	@Test
	void theEndpointIsNotThereWithoutAccess() {
		this.contextRunner.withPropertyValues(EXPOSED, "management.endpoint.once.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(OnceEndpoint.class));
	}

	@Test
	void anEndpointOfTheApplicationTakesItsPlace() {
		OnceEndpoint own = new OnceEndpoint(new StubLeaseStore(), new StubLedger(), new StubOccurrences(),
				new EffectCounts(NoKnownNames::new), NoKnownNames::new);
		this.contextRunner.withPropertyValues(EXPOSED)
			.withBean("ownEndpoint", OnceEndpoint.class, () -> own)
			.run((context) -> assertThat(context).getBean(OnceEndpoint.class).isSameAs(own));
	}

	@Test
	void withoutActuatorThereIsNoEndpoint() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("onceEndpoint"));
	}

	@Test
	void nobodyDecidesAndNothingIsDrilledUnlessPropertiesSaySo() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.withBean(StubDesk.class)
			.run((context) -> assertThat(List.of(status(context, "run-now"), status(context, "drill")))
				.containsExactly(403, 403));
		this.contextRunner.withPropertyValues(EXPOSED, "once.decisions.allow-anonymous=true", "once.drill.enabled=true")
			.withBean(StubDesk.class)
			.run((context) -> {
				assertThat(List.of(status(context, "run-now"), status(context, "drill"))).containsExactly(202, 200);
				assertThat(context.getBean(StubDesk.class).asked()).extracting((asked) -> asked.get(3))
					.containsExactly("anonymous", "anonymous");
			});
	}

	private static int status(ApplicationContext context, String operation) {
		return context.getBean(OnceWebExtension.class)
			.carryOut(SecurityContext.NONE, operation, "nightly-billing", null, null)
			.getStatus();
	}

	@Test
	void thereAreNoOperationsWithoutTheWeb() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, EndpointAutoConfiguration.class,
					JmxEndpointAutoConfiguration.class))
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=once",
					"management.endpoint.once.access=UNRESTRICTED")
			.withBean(StubDesk.class)
			.run((context) -> {
				assertThat(context).hasSingleBean(OnceEndpoint.class).doesNotHaveBean(OnceWebExtension.class);
				assertThat(context.getBean(JmxEndpointsSupplier.class).getEndpoints()).singleElement()
					.satisfies((endpoint) -> assertThat(endpoint.getOperations()).extracting(JmxOperation::getName)
						.containsExactly("once"));
			});
	}

	@Test
	void overJmxThereAreNoOperationsBesideTheWeb() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(JmxAutoConfiguration.class, EndpointAutoConfiguration.class,
					JmxEndpointAutoConfiguration.class))
			.withPropertyValues(EXPOSED, "spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=once",
					"management.endpoint.once.access=UNRESTRICTED")
			.run((context) -> {
				assertThat(context).hasSingleBean(OnceWebExtension.class);
				assertThat(context.getBean(JmxEndpointsSupplier.class).getEndpoints()).singleElement()
					.satisfies((endpoint) -> assertThat(endpoint.getOperations()).extracting(JmxOperation::getName)
						.containsExactly("once"));
			});
	}

	@Test
	void anExtensionOfTheApplicationTakesItsPlace() {
		OnceWebExtension own = new OnceWebExtension(Optional::empty, new StubOccurrences(),
				new OnceWebExtension.Rights(false, false));
		this.contextRunner.withPropertyValues(EXPOSED)
			.withBean("ownExtension", OnceWebExtension.class, () -> own)
			.run((context) -> assertThat(context).getBean(OnceWebExtension.class).isSameAs(own));
	}

	@Test
	void theEndpointKnowsTheDeclaredNames() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.withBean(KnownNames.class, () -> new Names(List.of("charge"), List.of("nightly-billing")))
			.run((context) -> assertThat(context.getBean(OnceEndpoint.class).once().jobs()).singleElement()
				.satisfies((job) -> assertThat(job.name()).isEqualTo("nightly-billing")));
	}

	@Test
	void healthIsThere() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(OnceHealthIndicator.class)
			.hasBean("onceHealthIndicator"));
	}

	@Test
	void healthCanBeTurnedOff() {
		this.contextRunner.withPropertyValues("management.health.once.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(OnceHealthIndicator.class));
	}

	@Test
	void healthIsOffWithTheDefaults() {
		this.contextRunner.withPropertyValues("management.health.defaults.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(OnceHealthIndicator.class));
	}

	@Test
	void anIndicatorOfTheApplicationTakesItsPlace() {
		this.contextRunner
			.withBean("onceHealthIndicator", HealthIndicator.class, () -> () -> Health.outOfService().build())
			.run((context) -> assertThat(context).doesNotHaveBean(OnceHealthIndicator.class));
	}

	@Test
	void withoutTheHealthModuleThereIsNoHealth() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(ConditionalOnEnabledHealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("onceHealthIndicator"));
	}

	@Test
	void withoutAnybodyToAskThereIsNoHealth() {
		this.bare.withBean(EffectLedger.class, StubLedger::new)
			.withBean(OccurrenceStore.class, StubOccurrences::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OnceHealthIndicator.class));
	}

	@Test
	void metersAreThereWithARegistry() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(OnceMeters.class)
				.hasSingleBean(EffectCounts.class)
				.hasSingleBean(StandingReader.class));
	}

	@Test
	void withoutARegistryThereAreNoMeters() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(OnceMeters.class));
	}

	@Test
	void metersOfTheApplicationTakeTheirPlace() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("ownMeters", OnceMeters.class,
					() -> new OnceMeters(new EffectCounts(NoKnownNames::new),
							new StandingReader(new StubLedger(), new StubOccurrences())))
			.run((context) -> assertThat(context).hasSingleBean(OnceMeters.class).doesNotHaveBean("onceMeters"));
	}

	@Test
	void withoutMicrometerThereAreNoMeters() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("onceMeters")
				.hasSingleBean(OnceEndpoint.class));
	}

	@Test
	void endpointAndMetersCountAlike() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(KnownNames.class, () -> new Names(List.of("charge"), List.of()))
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				context.getBean(OnceMeters.class).bindTo(registry);
				context.getBean(EffectCounts.class).ended(LedgerRows.facts("charge", "inv-17"), Ending.PERFORMED);
				assertThat(registry.get("once.effects")
					.tags("action", "charge", "outcome", "performed")
					.functionCounter()
					.count()).isEqualTo(1);
				assertThat(context.getBean(OnceEndpoint.class).once().counters().actions()).first()
					.satisfies((action) -> assertThat(action.performed()).isEqualTo(1));
			});
	}

	record Names(Collection<String> actions, Collection<String> jobs) implements KnownNames {

	}

	@Configuration(proxyBeanMethods = false)
	static class Ledger {

		@Bean
		EffectLedger ledger() {
			return new StubLedger();
		}

		@Bean
		LeaseStore leaseStore() {
			return new StubLeaseStore();
		}

		@Bean
		OccurrenceStore occurrenceStore() {
			return new StubOccurrences();
		}

		@Bean
		LedgerHealth ledgerHealth() {
			return Optional::empty;
		}

		@Bean
		Leases leases(LeaseStore store) {
			return new Leases(store, "owner-1", TimeSource.SYSTEM, () -> "run-1", new LeaseListener() {
			}, (line) -> {
			});
		}

		@Bean
		Renewer renewer() {
			return new Renewer(List.of(), Duration.ofMinutes(1));
		}

	}

}
