package dev.once.autoconfigure;

import java.util.Collection;
import java.util.TreeSet;

import dev.once.OnceException;
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
		check("once.jobs", "a job", this.properties.getJobs().keySet(),
				this.methods.jobs().stream().map(GuardedJob::name).toList());
		check("once.effects", "an action", this.properties.getEffects().keySet(), this.methods.actions());
		check("once.far-sides", "a far side", this.properties.getFarSides().keySet(), this.methods.farSides());
		this.running = true;
	}

	private static void check(String property, String kind, Collection<String> set, Collection<String> declared) {
		for (String name : set) {
			if (!declared.contains(name)) {
				throw new OnceException(property + "." + name + " is set, but no code declares " + kind + " '" + name
						+ "'. Declared are: "
						+ (declared.isEmpty() ? "none" : String.join(", ", new TreeSet<>(declared)))
						+ ". Mend the name, or take the property out");
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
