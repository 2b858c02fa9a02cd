package dev.once.autoconfigure;

import dev.once.jdbc.LedgerConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Keeps the changelog, the plain SQL, and the question to a data source that routes, in a
 * native image.
 */
class OnceSchemaRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerMethod(LedgerConnections.routing(), ExecutableMode.INVOKE);
		hints.resources().registerPattern("dev/once/jdbc/changelog/*").registerPattern("dev/once/jdbc/schema-*.sql");
	}

}
