package dev.once.autoconfigure;

import dev.once.actuate.OnceHealthIndicator;
import dev.once.actuate.StandingReader;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.LedgerHealth;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the {@link OnceHealthIndicator}.
 */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("once")
@ConditionalOnBean({ EffectLedger.class, LedgerHealth.class, Leases.class, Renewer.class })
@Import(StandingReaderConfiguration.class)
public final class OnceHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "onceHealthIndicator", "onceHealthContributor" })
	OnceHealthIndicator onceHealthIndicator(LedgerHealth ledger, Leases leases, Renewer renewer,
			StandingReader reader) {
		return new OnceHealthIndicator(ledger, leases, renewer, reader);
	}

}
