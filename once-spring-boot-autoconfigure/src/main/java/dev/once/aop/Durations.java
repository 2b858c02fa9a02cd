package dev.once.aop;

import java.time.Duration;

/**
 * Durations as people write them.
 */
final class Durations {

	private Durations() {
	}

	static String brief(Duration duration) {
		if (duration.toMillisPart() != 0) {
			return duration.toMillis() + "ms";
		}
		long seconds = duration.toSeconds();
		if (seconds != 0 && seconds % 86400 == 0 && seconds / 86400 > 2) {
			return seconds / 86400 + "d";
		}
		if (seconds != 0 && seconds % 3600 == 0) {
			return seconds / 3600 + "h";
		}
		return (seconds != 0 && seconds % 60 == 0) ? seconds / 60 + "m" : seconds + "s";
	}

}
