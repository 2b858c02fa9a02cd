package dev.once.occurrence;

import dev.once.OnceScope;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.SchedulingAwareRunnable;

/**
 * A task that runs with its due time in scope, and is otherwise what it was.
 */
final class DueTask implements SchedulingAwareRunnable {

	private final Runnable task;

	private final Firings firings;

	DueTask(Runnable task, Firings firings) {
		this.task = task;
		this.firings = firings;
	}

	@Override
	public void run() {
		try (OnceScope.Restore restore = OnceScope.current().with(this.firings.take()).open()) {
			this.task.run();
		}
	}

	@Override
	public boolean isLongLived() {
		return (this.task instanceof SchedulingAwareRunnable aware) ? aware.isLongLived()
				: SchedulingAwareRunnable.super.isLongLived();
	}

	@Override
	public @Nullable String getQualifier() {
		return (this.task instanceof SchedulingAwareRunnable aware) ? aware.getQualifier() : null;
	}

	@Override
	public String toString() {
		return this.task.toString();
	}

}
