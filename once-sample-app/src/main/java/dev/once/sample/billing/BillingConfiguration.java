package dev.once.sample.billing;

import java.time.Clock;
import java.time.ZoneId;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * Switches scheduling on and says where the billing's days begin.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class BillingConfiguration {

	@Bean
	Clock billingClock() {
		return Clock.system(ZoneId.of("Europe/Zurich"));
	}

}
