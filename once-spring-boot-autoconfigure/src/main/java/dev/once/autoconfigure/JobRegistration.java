package dev.once.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.once.aop.GuardedJob;
import dev.once.aop.GuardedMethods;
import dev.once.lease.LeaseStore;
import dev.once.lease.LeaseStore.Registration;
import dev.once.ledger.Failures;
import dev.once.occurrence.Runs;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * O1: notes at start, before anything fires, how this node names the occurrences of its
 * jobs and the secret parts of keys, and warns where another node or an earlier release
 * named them otherwise.
 */
final class JobRegistration implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(JobRegistration.class);

	private static final int LONGEST_SCHEDULE = 255;

	private static final int LONGEST_ZONE = 64;

	private final LeaseStore leases;

	private final GuardedMethods methods;

	private final String application;

	private final @Nullable String keyCheck;

	private final Runs runs;

	private volatile boolean running;

	JobRegistration(LeaseStore leases, GuardedMethods methods, String application, @Nullable String keyCheck,
			Runs runs) {
		this.leases = leases;
		this.methods = methods;
		this.application = application;
		this.keyCheck = keyCheck;
		this.runs = runs;
	}

	@Override
	public void start() {
		this.running = true;
		this.methods.jobs().forEach((job) -> LeaseBounds.trouble(job).forEach(logger::warn));
		List<Registration> registrations = this.methods.jobs().stream().map(this::registration).toList();
		if (registrations.isEmpty()) {
			return;
		}
		try {
			compare(this.leases.register(registrations), registrations);
			// O5: what fell due while no node was up
			this.methods.jobs().forEach((job) -> this.runs.look(job.name(), job.policy()));
		}
		catch (RuntimeException ex) {
			logger.warn("The jobs of this node could not be registered, so that another node's schedules, zones and "
					+ "secret were not compared with its own. Jobs run all the same: " + Failures.describe(ex));
		}
	}

	private Registration registration(GuardedJob job) {
		String schedule = job.schedule();
		return new Registration(job.name(), this.application,
				(schedule != null) ? cut(schedule, LONGEST_SCHEDULE) : null, cut(job.zones(), LONGEST_ZONE),
				this.keyCheck);
	}

	// The same on every node, and another one for another text
	private static String cut(String text, int length) {
		if (text.length() <= length) {
			return text;
		}
		String digest = "#" + Integer.toHexString(text.hashCode());
		return text.substring(0, length - digest.length()) + digest;
	}

	private void compare(List<Optional<Registration>> before, List<Registration> registrations) {
		String rotated = null;
		for (int i = 0; i < registrations.size(); i++) {
			Registration now = registrations.get(i);
			// A row that has no zone was never registered
			Registration was = before.get(i).filter((row) -> row.zone() != null).orElse(null);
			if (was == null) {
				continue;
			}
			if (!Objects.equals(was.schedule(), now.schedule()) || !Objects.equals(was.zone(), now.zone())) {
				logger.warn("Job '" + now.job() + "' was registered with " + describe(was) + " by '" + was.declaredBy()
						+ "', and has " + describe(now) + " here. That renames facts (O1): its occurrences, and its "
						+ "effects with a grain, have other names than those that are recorded, and what was done may "
						+ "be done again. Where another node says it otherwise, give all nodes the same schedule and "
						+ "set zone on @Scheduled, or once.zone. Where a release changed it, look at what is due again "
						+ "today; grain = DAY on @OnceJob keeps one occurrence a day");
			}
			if (was.declaredBy() != null && !was.declaredBy().equals(now.declaredBy())) {
				logger.warn("Job '" + now.job() + "' was registered by '" + was.declaredBy() + "', and is by '"
						+ now.declaredBy()
						+ "' here: both share its lease and its occurrences, so that what one of them "
						+ "did the other leaves. If these are two jobs, give one of them another name. If they are one, "
						+ "give all nodes the same spring.application.name");
			}
			if (rotated == null && was.keyCheck() != null && now.keyCheck() != null
					&& !was.keyCheck().equals(now.keyCheck())) {
				rotated = "once.key.secret is another one than that with which '" + was.declaredBy()
						+ "' registered job '" + now.job() + "'. That renames facts (O1): every effect with a secret "
						+ "part in its key has another key than the one that is recorded, and what was done may be "
						+ "done again. Give all nodes the same secret, and bring the former one back unless nothing "
						+ "that it named can be met again";
			}
		}
		if (rotated != null) {
			logger.warn(rotated);
		}
	}

	private static String describe(Registration registration) {
		return ((registration.schedule() != null) ? "schedule '" + registration.schedule() + "'" : "no schedule")
				+ " in zone " + registration.zone();
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	// Before the caretaker brings anything back
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE / 2 - 1;
	}

}
