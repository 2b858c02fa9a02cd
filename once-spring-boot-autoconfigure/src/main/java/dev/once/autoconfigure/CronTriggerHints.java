package dev.once.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.scheduling.support.CronTrigger;

/**
 * Keeps the zone of cron triggers readable in a native image.
 */
class CronTriggerHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(CronTrigger.class, MemberCategory.ACCESS_DECLARED_FIELDS);
	}

}
