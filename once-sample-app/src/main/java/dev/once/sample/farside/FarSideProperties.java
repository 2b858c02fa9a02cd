package dev.once.sample.farside;

import java.nio.file.Path;
import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the far side's process.
 *
 * @param port Port to listen on; 0 takes a free one, which is printed.
 * @param record File of the record.
 * @param deduplicate Whether a known key gets its first answer again, until told
 * otherwise.
 * @param listLate How long look-ups do not show new effects, until told otherwise.
 */
@ConfigurationProperties("far-side")
record FarSideProperties(@DefaultValue("8090") int port, @DefaultValue("data/far-side.jsonl") Path record,
		@DefaultValue("off") Deduplication deduplicate, @DefaultValue("0") Duration listLate) {
}
