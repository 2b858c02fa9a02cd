package dev.once.occurrence;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.ZoneId;
import java.util.Arrays;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronTrigger;

/**
 * The zone of a cron trigger, which it keeps to itself.
 */
final class CronZone {

	private static final @Nullable Field FIELD = Arrays.stream(CronTrigger.class.getDeclaredFields())
		.filter((field) -> field.getType() == ZoneId.class && !Modifier.isStatic(field.getModifiers()))
		.findFirst()
		.orElse(null);

	private CronZone() {
	}

	/**
	 * Reads a trigger's zone.
	 * @param trigger the trigger
	 * @return its zone, or {@code null} where it takes that of the scheduler's clock
	 * @throws OnceException when this version of Spring keeps it elsewhere
	 */
	static @Nullable ZoneId of(CronTrigger trigger) {
		try {
			if (FIELD != null) {
				FIELD.setAccessible(true);
				return (ZoneId) FIELD.get(trigger);
			}
		}
		catch (RuntimeException | IllegalAccessException ex) {
			throw unreadable(trigger, ex);
		}
		throw unreadable(trigger, null);
	}

	private static OnceException unreadable(CronTrigger trigger, @Nullable Exception cause) {
		return new OnceException("The zone of cron trigger '" + trigger.getExpression()
				+ "' cannot be read, so that its occurrences would have wrong names: this version of Spring Framework ("
				+ CronTrigger.class.getPackage().getImplementationVersion()
				+ ") keeps it elsewhere, or the modules of this JVM hide it. Use a version of Once that knows it, or "
				+ "open spring.context to Once", cause);
	}

}
