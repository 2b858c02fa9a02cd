package dev.once.sample.crash;

import dev.once.lease.LeaseStore;
import dev.once.ledger.EffectLedger;
import dev.once.occurrence.OccurrenceStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpMethod;

/**
 * Puts the points around the ports and around every request.
 */
@Configuration(proxyBeanMethods = false)
@Profile("crash")
@EnableConfigurationProperties(CrashProperties.class)
class CrashConfiguration {

	@Bean
	KillSwitch killSwitch(CrashProperties properties) {
		return new KillSwitch(properties);
	}

	@Bean
	static BeanPostProcessor crashingPorts(ObjectProvider<KillSwitch> killSwitch) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				if (bean instanceof EffectLedger ledger) {
					return new CrashingLedger(ledger, killSwitch.getObject());
				}
				if (bean instanceof LeaseStore leases) {
					return new CrashingLeases(leases, killSwitch.getObject());
				}
				if (bean instanceof OccurrenceStore occurrences) {
					return new CrashingOccurrences(occurrences, killSwitch.getObject());
				}
				return bean;
			}

		};
	}

	// An interceptor runs after the request's initializers, and so after the deadline
	// check
	@Bean
	RestClientCustomizer crashingRequests(KillSwitch killSwitch) {
		return (builder) -> builder.requestInterceptor((request, body, execution) -> {
			boolean writes = request.getMethod() != HttpMethod.GET;
			killSwitch.pass(writes ? KillPoint.BEFORE_SEND : KillPoint.DURING_RESOLVER);
			var response = execution.execute(request, body);
			if (writes) {
				killSwitch.pass(KillPoint.AFTER_SEND);
			}
			return response;
		});
	}

}
