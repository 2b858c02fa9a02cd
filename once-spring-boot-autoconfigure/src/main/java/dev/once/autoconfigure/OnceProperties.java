package dev.once.autoconfigure;

import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import dev.once.ChangedFact;
import dev.once.OnMissed;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.aop.SelfInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.logging.LogLevel;
import org.springframework.util.unit.DataSize;

/**
 * Settings of Once.
 */
@ConfigurationProperties("once")
public class OnceProperties {

	/**
	 * Whether effects that nobody can ask about, at a far side that does not deduplicate,
	 * stop the start.
	 */
	private UnobservableEffects unobservableEffects = UnobservableEffects.FAIL;

	/**
	 * Whether calls of guarded methods through "this", which pass Once by, stop the start
	 * or are warned about.
	 */
	private SelfInvocation selfInvocation = SelfInvocation.FAIL;

	/**
	 * When the direct calls of this process are due, as ISO-8601 with an offset. For a
	 * process that is started for one call, by a Kubernetes CronJob for example.
	 */
	private @Nullable String occurrence;

	/**
	 * Whether a direct call that needs to know when it is due, and is not told, takes the
	 * clock's time.
	 */
	private boolean occurrenceFromClock;

	/**
	 * Zone of due times whose schedule gives none, and in which all crons of the
	 * application fire that give none. The JVM's where it is not set.
	 */
	private @Nullable ZoneId zone;

	@NestedConfigurationProperty
	private final Key key = new Key();

	@NestedConfigurationProperty
	private final Defaults defaults = new Defaults();

	/**
	 * Settings of single jobs, by name.
	 */
	private final Map<String, Job> jobs = new LinkedHashMap<>();

	/**
	 * Settings of single actions, by name.
	 */
	private final Map<String, Effect> effects = new LinkedHashMap<>();

	/**
	 * Contracts of far sides, by name. They override what the code declares.
	 */
	private final Map<String, FarSide> farSides = new LinkedHashMap<>();

	@NestedConfigurationProperty
	private final Ledger ledger = new Ledger();

	@NestedConfigurationProperty
	private final Caretaker caretaker = new Caretaker();

	@NestedConfigurationProperty
	private final Shutdown shutdown = new Shutdown();

	@NestedConfigurationProperty
	private final Fenced fenced = new Fenced();

	@NestedConfigurationProperty
	private final Decisions decisions = new Decisions();

	@NestedConfigurationProperty
	private final Drill drill = new Drill();

	public UnobservableEffects getUnobservableEffects() {
		return this.unobservableEffects;
	}

	public void setUnobservableEffects(UnobservableEffects unobservableEffects) {
		this.unobservableEffects = unobservableEffects;
	}

	public SelfInvocation getSelfInvocation() {
		return this.selfInvocation;
	}

	public void setSelfInvocation(SelfInvocation selfInvocation) {
		this.selfInvocation = selfInvocation;
	}

	public @Nullable String getOccurrence() {
		return this.occurrence;
	}

	public void setOccurrence(@Nullable String occurrence) {
		this.occurrence = occurrence;
	}

	public boolean isOccurrenceFromClock() {
		return this.occurrenceFromClock;
	}

	public void setOccurrenceFromClock(boolean occurrenceFromClock) {
		this.occurrenceFromClock = occurrenceFromClock;
	}

	public @Nullable ZoneId getZone() {
		return this.zone;
	}

	public void setZone(@Nullable ZoneId zone) {
		this.zone = zone;
	}

	public Key getKey() {
		return this.key;
	}

	public Defaults getDefaults() {
		return this.defaults;
	}

	public Map<String, Job> getJobs() {
		return this.jobs;
	}

	public Map<String, Effect> getEffects() {
		return this.effects;
	}

	public Map<String, FarSide> getFarSides() {
		return this.farSides;
	}

	public Ledger getLedger() {
		return this.ledger;
	}

	public Caretaker getCaretaker() {
		return this.caretaker;
	}

	public Shutdown getShutdown() {
		return this.shutdown;
	}

	public Fenced getFenced() {
		return this.fenced;
	}

	public Decisions getDecisions() {
		return this.decisions;
	}

	public Drill getDrill() {
		return this.drill;
	}

	/**
	 * What an effect does to the start that nobody can ask about.
	 */
	public enum UnobservableEffects {

		/**
		 * It stops it.
		 */
		FAIL(Unobservable.REFUSED),

		/**
		 * It is accepted: when its answer is lost, it waits for a person.
		 */
		ACCEPT(Unobservable.ACCEPTED);

		private final Unobservable rule;

		UnobservableEffects(Unobservable rule) {
			this.rule = rule;
		}

		Unobservable rule() {
			return this.rule;
		}

	}

	/**
	 * Settings of the effect key.
	 */
	public static class Key {

		/**
		 * Secret by which secret targets and inputs are hashed into the key. At least 16
		 * bytes; a new one renames every fact that has a secret part.
		 */
		private @Nullable String secret;

		public @Nullable String getSecret() {
			return this.secret;
		}

		public void setSecret(@Nullable String secret) {
			this.secret = secret;
		}

	}

	/**
	 * What holds where nothing else is said.
	 */
	public static class Defaults {

		/**
		 * How long a lease lasts without a renewal. At least 5 s.
		 */
		private Duration lease = Duration.ofSeconds(30);

		/**
		 * How long after its submit a request may leave.
		 */
		private Duration window = Duration.ofSeconds(30);

		/**
		 * Longest window of a body that is still running.
		 */
		private Duration maxWindow = Duration.ofMinutes(10);

		/**
		 * How long after the window's end a "not found" still proves nothing.
		 */
		private Duration settleAfter = Duration.ofMinutes(1);

		/**
		 * How many attempts are made before a refusal asks for a person.
		 */
		private int attempts = 4;

		/**
		 * How long to wait after a refusal that names no time of its own.
		 */
		private Duration backoff = Duration.ofSeconds(60);

		/**
		 * How long a resolver may take.
		 */
		private Duration resolverTimeout = Duration.ofSeconds(10);

		/**
		 * How many times a resolver may not be able to tell before a person is asked.
		 */
		private int resolverTries = 8;

		/**
		 * First wait before a resolver is asked again, doubled with each try.
		 */
		private Duration resolverBackoff = Duration.ofSeconds(10);

		/**
		 * Longest wait before a resolver is asked again.
		 */
		private Duration resolverMaxBackoff = Duration.ofMinutes(10);

		/**
		 * How many attempts an occurrence has whose run dies or whose body throws.
		 */
		private int jobAttempts = 3;

		/**
		 * How long an occurrence whose body threw is left alone.
		 */
		private Duration jobBackoff = Duration.ofSeconds(60);

		/**
		 * How many occurrences may wait in a job's queue.
		 */
		private int queueDepth = 10;

		public Duration getLease() {
			return this.lease;
		}

		public void setLease(Duration lease) {
			this.lease = lease;
		}

		public Duration getWindow() {
			return this.window;
		}

		public void setWindow(Duration window) {
			this.window = window;
		}

		public Duration getMaxWindow() {
			return this.maxWindow;
		}

		public void setMaxWindow(Duration maxWindow) {
			this.maxWindow = maxWindow;
		}

		public Duration getSettleAfter() {
			return this.settleAfter;
		}

		public void setSettleAfter(Duration settleAfter) {
			this.settleAfter = settleAfter;
		}

		public int getAttempts() {
			return this.attempts;
		}

		public void setAttempts(int attempts) {
			this.attempts = attempts;
		}

		public Duration getBackoff() {
			return this.backoff;
		}

		public void setBackoff(Duration backoff) {
			this.backoff = backoff;
		}

		public Duration getResolverTimeout() {
			return this.resolverTimeout;
		}

		public void setResolverTimeout(Duration resolverTimeout) {
			this.resolverTimeout = resolverTimeout;
		}

		public int getResolverTries() {
			return this.resolverTries;
		}

		public void setResolverTries(int resolverTries) {
			this.resolverTries = resolverTries;
		}

		public Duration getResolverBackoff() {
			return this.resolverBackoff;
		}

		public void setResolverBackoff(Duration resolverBackoff) {
			this.resolverBackoff = resolverBackoff;
		}

		public Duration getResolverMaxBackoff() {
			return this.resolverMaxBackoff;
		}

		public void setResolverMaxBackoff(Duration resolverMaxBackoff) {
			this.resolverMaxBackoff = resolverMaxBackoff;
		}

		public int getJobAttempts() {
			return this.jobAttempts;
		}

		public void setJobAttempts(int jobAttempts) {
			this.jobAttempts = jobAttempts;
		}

		public int getQueueDepth() {
			return this.queueDepth;
		}

		public void setQueueDepth(int queueDepth) {
			this.queueDepth = queueDepth;
		}

		public Duration getJobBackoff() {
			return this.jobBackoff;
		}

		public void setJobBackoff(Duration jobBackoff) {
			this.jobBackoff = jobBackoff;
		}

	}

	/**
	 * Settings of one job.
	 */
	public static class Job {

		/**
		 * What becomes of a firing that comes while a run is live.
		 */
		private @Nullable Overlap overlap;

		/**
		 * How long the lease lasts without a renewal. At least 5 s.
		 */
		private @Nullable Duration lease;

		/**
		 * How many occurrences may wait in the job's queue.
		 */
		private @Nullable Integer queueDepth;

		/**
		 * What becomes of due times that passed while no run was live.
		 */
		private @Nullable OnMissed onMissed;

		/**
		 * Whether the lease is renewed while the body runs.
		 */
		private @Nullable Boolean renew;

		/**
		 * How long a run may last before its lease is no longer renewed. At least the
		 * lease.
		 */
		private @Nullable Duration maxRun;

		/**
		 * How many attempts an occurrence has whose run dies or whose body throws.
		 */
		private @Nullable Integer attempts;

		/**
		 * How long an occurrence whose body threw is left alone.
		 */
		private @Nullable Duration backoff;

		public @Nullable Integer getQueueDepth() {
			return this.queueDepth;
		}

		public void setQueueDepth(@Nullable Integer queueDepth) {
			this.queueDepth = queueDepth;
		}

		public @Nullable OnMissed getOnMissed() {
			return this.onMissed;
		}

		public void setOnMissed(@Nullable OnMissed onMissed) {
			this.onMissed = onMissed;
		}

		public @Nullable Boolean getRenew() {
			return this.renew;
		}

		public void setRenew(@Nullable Boolean renew) {
			this.renew = renew;
		}

		public @Nullable Duration getMaxRun() {
			return this.maxRun;
		}

		public void setMaxRun(@Nullable Duration maxRun) {
			this.maxRun = maxRun;
		}

		public @Nullable Overlap getOverlap() {
			return this.overlap;
		}

		public void setOverlap(@Nullable Overlap overlap) {
			this.overlap = overlap;
		}

		public @Nullable Duration getLease() {
			return this.lease;
		}

		public void setLease(@Nullable Duration lease) {
			this.lease = lease;
		}

		public @Nullable Integer getAttempts() {
			return this.attempts;
		}

		public void setAttempts(@Nullable Integer attempts) {
			this.attempts = attempts;
		}

		public @Nullable Duration getBackoff() {
			return this.backoff;
		}

		public void setBackoff(@Nullable Duration backoff) {
			this.backoff = backoff;
		}

	}

	/**
	 * Settings of one action.
	 */
	public static class Effect {

		/**
		 * Name of the far side whose contract holds.
		 */
		private @Nullable String farSide;

		/**
		 * What happens while an earlier effect of the same target, with other inputs, is
		 * open.
		 */
		private @Nullable ChangedFact changedFact;

		/**
		 * Whether the resolver is asked before the first attempt too.
		 */
		private @Nullable Boolean askFirst;

		/**
		 * Whether the effect may go without a resolver and a deduplicating far side.
		 */
		private @Nullable Unobservable unobservable;

		/**
		 * Names of actions, of other applications too, whose effects may have the same
		 * target and inputs and are others all the same.
		 */
		private Set<String> distinctFrom = new LinkedHashSet<>();

		public Set<String> getDistinctFrom() {
			return this.distinctFrom;
		}

		public void setDistinctFrom(Set<String> distinctFrom) {
			this.distinctFrom = distinctFrom;
		}

		public @Nullable String getFarSide() {
			return this.farSide;
		}

		public void setFarSide(@Nullable String farSide) {
			this.farSide = farSide;
		}

		public @Nullable ChangedFact getChangedFact() {
			return this.changedFact;
		}

		public void setChangedFact(@Nullable ChangedFact changedFact) {
			this.changedFact = changedFact;
		}

		public @Nullable Boolean getAskFirst() {
			return this.askFirst;
		}

		public void setAskFirst(@Nullable Boolean askFirst) {
			this.askFirst = askFirst;
		}

		public @Nullable Unobservable getUnobservable() {
			return this.unobservable;
		}

		public void setUnobservable(@Nullable Unobservable unobservable) {
			this.unobservable = unobservable;
		}

	}

	/**
	 * Contract of one far side.
	 */
	public static class FarSide {

		/**
		 * Comma-separated list of its host names.
		 */
		private @Nullable Set<String> hosts;

		/**
		 * How long after its submit a request may leave.
		 */
		private @Nullable Duration window;

		/**
		 * Longest window of a body that is still running.
		 */
		private @Nullable Duration maxWindow;

		/**
		 * How long after the window's end a "not found" still proves nothing.
		 */
		private @Nullable Duration settleAfter;

		/**
		 * How long it deduplicates by our key. Zero if it does not.
		 */
		private @Nullable Duration remembers;

		/**
		 * How long it shows an effect that happened.
		 */
		private @Nullable Duration shows;

		/**
		 * Whether it replays a refusal under the same key, so that the next attempt needs
		 * a fresh one.
		 */
		private @Nullable Boolean freshKeyAfterRefusal;

		/**
		 * How many attempts are made before a refusal asks for a person.
		 */
		private @Nullable Integer attempts;

		/**
		 * How long to wait after a refusal that names no time of its own.
		 */
		private @Nullable Duration backoff;

		public @Nullable Set<String> getHosts() {
			return this.hosts;
		}

		public void setHosts(@Nullable Set<String> hosts) {
			this.hosts = (hosts != null) ? new LinkedHashSet<>(hosts) : null;
		}

		public @Nullable Duration getWindow() {
			return this.window;
		}

		public void setWindow(@Nullable Duration window) {
			this.window = window;
		}

		public @Nullable Duration getMaxWindow() {
			return this.maxWindow;
		}

		public void setMaxWindow(@Nullable Duration maxWindow) {
			this.maxWindow = maxWindow;
		}

		public @Nullable Duration getSettleAfter() {
			return this.settleAfter;
		}

		public void setSettleAfter(@Nullable Duration settleAfter) {
			this.settleAfter = settleAfter;
		}

		public @Nullable Duration getRemembers() {
			return this.remembers;
		}

		public void setRemembers(@Nullable Duration remembers) {
			this.remembers = remembers;
		}

		public @Nullable Duration getShows() {
			return this.shows;
		}

		public void setShows(@Nullable Duration shows) {
			this.shows = shows;
		}

		public @Nullable Boolean getFreshKeyAfterRefusal() {
			return this.freshKeyAfterRefusal;
		}

		public void setFreshKeyAfterRefusal(@Nullable Boolean freshKeyAfterRefusal) {
			this.freshKeyAfterRefusal = freshKeyAfterRefusal;
		}

		public @Nullable Integer getAttempts() {
			return this.attempts;
		}

		public void setAttempts(@Nullable Integer attempts) {
			this.attempts = attempts;
		}

		public @Nullable Duration getBackoff() {
			return this.backoff;
		}

		public void setBackoff(@Nullable Duration backoff) {
			this.backoff = backoff;
		}

	}

	/**
	 * Settings of the ledger.
	 */
	public static class Ledger {

		/**
		 * Largest answer, and largest set of inputs, that is kept.
		 */
		private DataSize maxValue = DataSize.ofMegabytes(1);

		public DataSize getMaxValue() {
			return this.maxValue;
		}

		public void setMaxValue(DataSize maxValue) {
			this.maxValue = maxValue;
		}

	}

	/**
	 * Settings of the caretaker.
	 */
	public static class Caretaker {

		/**
		 * Time between two looks at open effects, and at occurrences that come back. A
		 * run that died is taken over so long after its lease at the latest.
		 */
		private Duration interval = Duration.ofMillis(500);

		public Duration getInterval() {
			return this.interval;
		}

		public void setInterval(Duration interval) {
			this.interval = interval;
		}

	}

	/**
	 * Settings of the shutdown.
	 */
	public static class Shutdown {

		/**
		 * How long attempts in flight are waited for.
		 */
		private Duration grace = Duration.ofSeconds(30);

		public Duration getGrace() {
			return this.grace;
		}

		public void setGrace(Duration grace) {
			this.grace = grace;
		}

	}

	/**
	 * Settings of the line about a run that was turned away.
	 */
	public static class Fenced {

		/**
		 * Level of the logger "once.fenced".
		 */
		private LogLevel level = LogLevel.WARN;

		public LogLevel getLevel() {
			return this.level;
		}

		public void setLevel(LogLevel level) {
			this.level = level;
		}

	}

	/**
	 * Settings of what people decide.
	 */
	public static class Decisions {

		/**
		 * Whether somebody who is not authenticated may decide, too. It is recorded as
		 * "anonymous" then.
		 */
		private boolean allowAnonymous;

		public boolean isAllowAnonymous() {
			return this.allowAnonymous;
		}

		public void setAllowAnonymous(boolean allowAnonymous) {
			this.allowAnonymous = allowAnonymous;
		}

	}

	/**
	 * Settings of drills.
	 */
	public static class Drill {

		/**
		 * Whether the endpoint "once" may run a finished occurrence's body again, to show
		 * that each of its effects is turned away.
		 */
		private boolean enabled;

		public boolean isEnabled() {
			return this.enabled;
		}

		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

}
