package dev.once.autoconfigure;

import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.logging.LogLevel;

/**
 * The line about a run that was turned away, at the level that {@code once.fenced.level}
 * says (L3).
 */
final class FencedLog implements Consumer<String> {

	private static final Log logger = LogFactory.getLog("once.fenced");

	private final LogLevel level;

	FencedLog(LogLevel level) {
		this.level = level;
	}

	@Override
	public void accept(String message) {
		this.level.log(logger, message);
	}

}
