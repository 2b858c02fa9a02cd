package dev.once.autoconfigure;

import dev.once.actuate.EffectCounts;
import dev.once.actuate.KnownNames;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What endpoint and meters both show, present when either is.
 */
@Configuration(proxyBeanMethods = false)
class EffectCountsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	EffectCounts onceEffectCounts(ObjectProvider<KnownNames> names) {
		return new EffectCounts(() -> names.getIfAvailable(NoKnownNames::new));
	}

}
