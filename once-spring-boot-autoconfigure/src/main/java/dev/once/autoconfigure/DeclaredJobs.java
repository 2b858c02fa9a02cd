package dev.once.autoconfigure;

import java.util.Collection;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.once.aop.GuardedJob;
import dev.once.aop.GuardedMethods;
import dev.once.caretaker.ComingBack;
import dev.once.occurrence.JobCall;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.Runs;

/**
 * The jobs that this context's beans declare.
 */
final class DeclaredJobs implements ComingBack.Jobs {

	private final GuardedMethods methods;

	DeclaredJobs(GuardedMethods methods) {
		this.methods = methods;
	}

	@Override
	public Collection<String> names() {
		return this.methods.jobs().stream().map(GuardedJob::name).collect(Collectors.toSet());
	}

	@Override
	public Runs.Work work(String job) {
		return () -> Objects.requireNonNull(this.methods.comeBack(job)).call(null);
	}

	@Override
	public JobCall call(String job) {
		return Objects.requireNonNull(this.methods.jobCall(job));
	}

	@Override
	public Runs.Work work(OccurrenceRow row) {
		return () -> Objects.requireNonNull(this.methods.comeBack(row.job())).call(row.arguments());
	}

}
