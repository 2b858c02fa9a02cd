package dev.once.autoconfigure;

import dev.once.http.EffectHeaders;
import dev.once.ledger.SecondRequest;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the requests that effects send over HTTP.
 *
 * @param enabled Whether Spring's HTTP clients are attached to.
 * @param keyHeader Name of the header that carries the effect's key.
 * @param fencingTokenHeader Whether requests carry the run's fencing token as
 * "Once-Fencing-Token".
 * @param secondRequest What happens when an attempt is about to send a second, different
 * writing request.
 */
@ConfigurationProperties("once.http")
public record OnceHttpProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue(EffectHeaders.KEY) String keyHeader, @DefaultValue("false") boolean fencingTokenHeader,
		@DefaultValue("fail") SecondRequest secondRequest) {

	EffectHeaders headers() {
		return new EffectHeaders(this.keyHeader, this.fencingTokenHeader ? EffectHeaders.FENCING_TOKEN : null);
	}

}
