package dev.once.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.once.aop.GuardedJob;
import dev.once.aop.GuardedMethods;

import org.springframework.context.SmartLifecycle;

/**
 * Stops the start over a name in the properties that no code declares: it is a typo, and
 * what it was meant to set does not hold.
 */
final class DeclaredNames implements SmartLifecycle {

	private final OnceProperties properties;

	private final GuardedMethods methods;

	private volatile boolean running;

	DeclaredNames(OnceProperties properties, GuardedMethods methods) {
		this.properties = properties;
		this.methods = methods;
	}

	// After the singletons, when every guarded method is known, and before anything fires
	@Override
	public void start() {
		List<String> unknown = new ArrayList<>();
		check("once.jobs", "a job", this.properties.getJobs().keySet(),
				declared((methods) -> methods.jobs().stream().map(GuardedJob::name)), unknown);
		check("once.effects", "an action", this.properties.getEffects().keySet(),
				declared((methods) -> methods.actions().stream()), unknown);
		check("once.far-sides", "a far side", this.properties.getFarSides().keySet(),
				declared((methods) -> methods.farSides().stream()), unknown);
		if (!unknown.isEmpty()) {
			throw new InvalidSettingException(String.join(". ", unknown), "Mend the name, or take the property out");
		}
		this.running = true;
	}

	// A child context has its parent's properties too
	private Set<String> declared(Function<GuardedMethods, Stream<String>> names) {
		return this.methods.withParents().stream().flatMap(names).collect(Collectors.toCollection(TreeSet::new));
	}

	private static void check(String property, String kind, Collection<String> set, Set<String> declared,
			List<String> unknown) {
		for (String name : set) {
			if (!declared.contains(name)) {
				unknown.add(property + "." + name + " is set, but no code declares " + kind + " '" + name
						+ "'. Declared are: " + (declared.isEmpty() ? "none" : String.join(", ", declared)));
			}
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

}
