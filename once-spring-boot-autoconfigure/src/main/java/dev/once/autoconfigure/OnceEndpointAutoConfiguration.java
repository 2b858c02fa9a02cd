package dev.once.autoconfigure;

import java.util.Optional;

import dev.once.actuate.EffectCounts;
import dev.once.actuate.KnownNames;
import dev.once.actuate.OnceEndpoint;
import dev.once.actuate.OnceWebExtension;
import dev.once.lease.LeaseStore;
import dev.once.ledger.EffectLedger;
import dev.once.occurrence.JobDesk;
import dev.once.occurrence.OccurrenceStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the {@link OnceEndpoint}.
 */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(OnceEndpoint.class)
@ConditionalOnBean({ EffectLedger.class, LeaseStore.class })
@EnableConfigurationProperties(OnceProperties.class)
@Import(EffectCountsConfiguration.class)
public final class OnceEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	OnceEndpoint onceEndpoint(LeaseStore leases, EffectLedger ledger, OccurrenceStore occurrences, EffectCounts counts,
			ObjectProvider<KnownNames> names) {
		return new OnceEndpoint(leases, ledger, occurrences, counts, () -> names.getIfAvailable(NoKnownNames::new));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(endpoint = OnceEndpoint.class, exposure = EndpointExposure.WEB)
	OnceWebExtension onceWebExtension(ObjectProvider<JobDesk> desk, OccurrenceStore occurrences,
			OnceProperties properties) {
		return new OnceWebExtension(() -> Optional.ofNullable(desk.getIfAvailable()), occurrences,
				new OnceWebExtension.Rights(properties.getDecisions().isAllowAnonymous(),
						properties.getDrill().isEnabled()));
	}

}
