package dev.once.autoconfigure;

import dev.once.actuate.StandingReader;
import dev.once.ledger.EffectLedger;
import dev.once.occurrence.OccurrenceStore;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What health and meters both read, present when either is.
 */
@Configuration(proxyBeanMethods = false)
class StandingReaderConfiguration {

	@Bean
	@ConditionalOnMissingBean
	StandingReader onceStandingReader(EffectLedger ledger, OccurrenceStore occurrences) {
		return new StandingReader(ledger, occurrences);
	}

}
