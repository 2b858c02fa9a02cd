package dev.once.autoconfigure;

import dev.once.actuate.EffectCounts;
import dev.once.actuate.OnceMeters;
import dev.once.actuate.StandingReader;
import dev.once.ledger.EffectLedger;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the {@link OnceMeters}.
 */
@AutoConfiguration(after = OnceAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ EffectLedger.class, MeterRegistry.class })
@Import({ EffectCountsConfiguration.class, StandingReaderConfiguration.class })
public final class OnceMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	OnceMeters onceMeters(EffectCounts counts, StandingReader reader) {
		return new OnceMeters(counts, reader);
	}

}
