package dev.once.autoconfigure;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.once.ChangedFact;
import dev.once.FarSide;
import dev.once.OnMissed;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.aop.Choice;
import dev.once.aop.DirectDue;
import dev.once.aop.EffectTerms;
import dev.once.aop.GuardSettings;
import dev.once.aop.InvalidGuardException;
import dev.once.aop.JobTerms;
import dev.once.aop.SelfInvocation;
import dev.once.ledger.FarSideContract;
import dev.once.ledger.FarSideContract.RefusalKey;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Lays properties over annotations over defaults.
 */
final class PropertyGuardSettings implements GuardSettings {

	private static final int LONGEST_NAME = 200;

	private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

	private final OnceProperties properties;

	private final Environment environment;

	PropertyGuardSettings(OnceProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	@Override
	public FarSideContract farSide(String name, @Nullable FarSide declared) {
		OnceProperties.FarSide set = this.properties.getFarSides().getOrDefault(name, new OnceProperties.FarSide());
		OnceProperties.Defaults defaults = this.properties.getDefaults();
		String where = "@FarSide(name = \"" + name + "\")";
		Duration window = positive("window", name,
				first(set.getWindow(), duration(declared, FarSide::window, where, "window"), defaults.getWindow()));
		Duration maxWindow = first(set.getMaxWindow(), null, defaults.getMaxWindow());
		Duration remembers = firstOrNull(set.getRemembers(),
				duration(declared, FarSide::remembers, where, "remembers"));
		Boolean fresh = set.getFreshKeyAfterRefusal();
		boolean freshKey = (fresh != null) ? fresh : declared != null && declared.freshKeyAfterRefusal();
		Integer attempts = set.getAttempts();
		if (attempts == null) {
			attempts = (declared != null && declared.attempts() > 0) ? declared.attempts() : defaults.getAttempts();
		}
		if (attempts < 1) {
			throw new InvalidGuardException("Far side '" + name + "'", "it is given " + attempts + " attempts",
					"Set once.far-sides." + name + ".attempts to 1 or more");
		}
		return new FarSideContract(name, hosts(name, set, declared), window,
				(maxWindow.compareTo(window) < 0) ? window : maxWindow,
				notNegative("settle-after", name,
						first(set.getSettleAfter(), duration(declared, FarSide::settleAfter, where, "settleAfter"),
								defaults.getSettleAfter())),
				(remembers != null && remembers.isZero()) ? null : remembers,
				firstOrNull(set.getShows(), duration(declared, FarSide::shows, where, "shows")),
				freshKey ? RefusalKey.FRESH : RefusalKey.SAME,
				(declared != null) ? Set.of(declared.refusedOn()) : Set.of(),
				(declared != null) ? Set.of(declared.notSentOn()) : Set.of(), attempts,
				notNegative("backoff", name, first(set.getBackoff(),
						duration(declared, FarSide::backoff, where, "backoff"), defaults.getBackoff())));
	}

	private Set<String> hosts(String name, OnceProperties.FarSide set, @Nullable FarSide declared) {
		Set<String> hosts = (set.getHosts() != null) ? set.getHosts()
				: (declared != null) ? new LinkedHashSet<>(Arrays.asList(declared.hosts())) : Set.of();
		return hosts.stream()
			.map((host) -> host(name, resolve(host, "@FarSide(name = \"" + name + "\") attribute 'hosts'")))
			.collect(Collectors.toUnmodifiableSet());
	}

	// A host that no request has would take key, deadline and score from all of them
	private static String host(String name, String host) {
		if (!HOST.matcher(host).matches()) {
			throw new InvalidGuardException("Far side '" + name + "'", "one of its hosts is '" + host + "'",
					"Give the host alone in @FarSide(hosts = ...) or once.far-sides." + name
							+ ".hosts, without scheme, port, path and blanks");
		}
		return host.toLowerCase(Locale.ROOT);
	}

	@Override
	public EffectTerms effect(String action, @Nullable OnceEffect declared) {
		OnceProperties.Effect set = this.properties.getEffects().getOrDefault(action, new OnceProperties.Effect());
		String farSide = set.getFarSide();
		if (farSide == null && declared != null && StringUtils.hasText(declared.farSide())) {
			farSide = declared.farSide();
		}
		ChangedFact changedFact = set.getChangedFact();
		Choice choice = (changedFact != null) ? Choice.CHOSEN : Choice.DEFAULT;
		if (changedFact == null) {
			changedFact = (declared != null) ? declared.changedFact() : ChangedFact.WAIT;
			choice = (changedFact != ChangedFact.WAIT) ? Choice.CHOSEN : Choice.DEFAULT;
		}
		Boolean askFirst = set.getAskFirst();
		Unobservable unobservable = set.getUnobservable();
		return new EffectTerms(farSide, changedFact, choice,
				(askFirst != null) ? askFirst : declared != null && declared.askFirst(), (unobservable != null)
						? unobservable : (declared != null) ? declared.unobservable() : Unobservable.REFUSED);
	}

	@Override
	public JobTerms job(String job, @Nullable OnceJob declared, String where) {
		OnceProperties.Job set = this.properties.getJobs().getOrDefault(job, new OnceProperties.Job());
		Duration declaredLease = (declared != null) ? parse(declared.lease(), "@OnceJob(lease) of " + where) : null;
		Duration lease = first(set.getLease(), declaredLease, this.properties.getDefaults().getLease());
		if (lease.compareTo(JobTerms.SHORTEST_LEASE) < 0) {
			throw new InvalidGuardException(where,
					"the lease of its job '" + job + "' is " + lease + ", and 5 s is the shortest",
					"Raise @OnceJob(lease) or once.jobs." + job + ".lease");
		}
		Choice choice = (set.getLease() != null || declaredLease != null) ? Choice.CHOSEN : Choice.DEFAULT;
		OnMissed onMissed = set.getOnMissed();
		if (onMissed == null) {
			onMissed = (declared != null) ? declared.onMissed() : OnMissed.REPORT;
		}
		return new JobTerms(overlap(job, set, declared, where), queueDepth(job, set, declared, where), onMissed, lease,
				choice, renewedFor(job, set, declared, where, lease), attempts(job, set, declared, where),
				backoff(job, set, where));
	}

	private int queueDepth(String job, OnceProperties.Job set, @Nullable OnceJob declared, String where) {
		Integer depth = set.getQueueDepth();
		if (depth == null) {
			depth = (declared != null && declared.queueDepth() != 0) ? declared.queueDepth()
					: this.properties.getDefaults().getQueueDepth();
		}
		if (depth < 1) {
			throw new InvalidGuardException(where, "the queue of its job '" + job + "' is to hold " + depth,
					"Set @OnceJob(queueDepth), once.jobs." + job
							+ ".queue-depth or once.defaults.queue-depth to 1 or more");
		}
		return depth;
	}

	private @Nullable Duration renewedFor(String job, OnceProperties.Job set, @Nullable OnceJob declared, String where,
			Duration lease) {
		Duration maxRun = firstOrNull(set.getMaxRun(),
				(declared != null) ? parse(declared.maxRun(), "@OnceJob(maxRun) of " + where) : null);
		Boolean renew = set.getRenew();
		if (renew == null) {
			renew = declared == null || declared.renew();
		}
		if (!renew && maxRun != null) {
			throw new InvalidGuardException(where,
					"its job '" + job + "' has a maxRun, up to which its lease is renewed, and renews no lease",
					"Take maxRun away and have the lease last as long as a run may, or take renew = false away");
		}
		if (maxRun != null && maxRun.compareTo(lease) < 0) {
			throw new InvalidGuardException(where,
					"the maxRun of its job '" + job + "' is " + maxRun + ", shorter than its lease of " + lease,
					"Raise @OnceJob(maxRun) or once.jobs." + job + ".max-run, or lower the lease");
		}
		return renew ? maxRun : Duration.ZERO;
	}

	@Override
	public JobTerms undeclaredJob() {
		OnceProperties.Defaults defaults = this.properties.getDefaults();
		return new JobTerms(Overlap.COALESCE, defaults.getQueueDepth(), OnMissed.REPORT, defaults.getLease(),
				Choice.DEFAULT, null, defaults.getJobAttempts(), defaults.getJobBackoff());
	}

	@Override
	public ZoneId zone() {
		ZoneId zone = this.properties.getZone();
		return (zone != null) ? zone : ZoneId.systemDefault();
	}

	@Override
	public Choice zoneChoice() {
		return (this.properties.getZone() != null) ? Choice.CHOSEN : Choice.DEFAULT;
	}

	@Override
	public DirectDue directDue() {
		String occurrence = this.properties.getOccurrence();
		if (StringUtils.hasText(occurrence)) {
			try {
				return new DirectDue.Given(OffsetDateTime.parse(occurrence.trim()).toInstant());
			}
			catch (DateTimeParseException ex) {
				throw new InvalidSettingException("once.occurrence is '" + occurrence + "'",
						"Set it (ONCE_OCCURRENCE) to when the calls of this process are due, with an offset: "
								+ "2026-05-04T02:00Z or 2026-05-04T04:00+02:00");
			}
		}
		return this.properties.isOccurrenceFromClock() ? new DirectDue.FromClock() : new DirectDue.Unknown();
	}

	private int attempts(String job, OnceProperties.Job set, @Nullable OnceJob declared, String where) {
		Integer attempts = set.getAttempts();
		if (attempts == null) {
			attempts = (declared != null && declared.attempts() != 0) ? declared.attempts()
					: this.properties.getDefaults().getJobAttempts();
		}
		if (attempts < 1) {
			throw new InvalidGuardException(where,
					"an occurrence of its job '" + job + "' is given " + attempts + " attempts",
					"Set @OnceJob(attempts), once.jobs." + job
							+ ".attempts or once.defaults.job-attempts to 1 or more");
		}
		return attempts;
	}

	private Duration backoff(String job, OnceProperties.Job set, String where) {
		Duration backoff = first(set.getBackoff(), null, this.properties.getDefaults().getJobBackoff());
		if (backoff.isNegative()) {
			throw new InvalidGuardException(where,
					"an occurrence of its job '" + job + "' whose body threw is left alone for " + backoff,
					"Set once.jobs." + job + ".backoff or once.defaults.job-backoff to zero or more");
		}
		return backoff;
	}

	private static Overlap overlap(String job, OnceProperties.Job set, @Nullable OnceJob declared, String where) {
		Overlap overlap = set.getOverlap();
		if (overlap == null) {
			Overlap[] choices = (declared != null) ? declared.overlap() : new Overlap[0];
			if (choices.length != 1) {
				throw new InvalidGuardException(where,
						"its job '" + job + "' "
								+ ((choices.length == 0) ? "does not choose" : "chooses more than one of")
								+ " what becomes of a firing that comes while a run is live",
						"Set overlap on @OnceJob, or once.jobs." + job
								+ ".overlap, to COALESCE (drop and count), QUEUE (bounded, in order) or FAIL "
								+ "(refuse loudly)");
			}
			overlap = choices[0];
		}
		return overlap;
	}

	@Override
	public Unobservable unobservableEffects() {
		return this.properties.getUnobservableEffects().rule();
	}

	@Override
	public SelfInvocation selfInvocation() {
		return this.properties.getSelfInvocation();
	}

	@Override
	public String application() {
		String name = this.environment.getProperty("spring.application.name", "").replaceAll("\\p{Cntrl}", "").trim();
		return name.isEmpty() ? "application" : name.substring(0, Math.min(name.length(), LONGEST_NAME));
	}

	@Override
	public boolean hasKeySecret() {
		return this.properties.getKey().getSecret() != null;
	}

	@Override
	public int maxValue() {
		long max = this.properties.getLedger().getMaxValue().toBytes();
		return (int) Math.min(max, Integer.MAX_VALUE);
	}

	private @Nullable Duration duration(@Nullable FarSide declared, Attribute attribute, String where, String name) {
		return (declared != null) ? parse(attribute.of(declared), where + " attribute '" + name + "'") : null;
	}

	private @Nullable Duration parse(String text, String where) {
		String resolved = resolve(text, where).trim();
		if (resolved.isEmpty()) {
			return null;
		}
		try {
			return DurationStyle.detectAndParse(resolved);
		}
		catch (IllegalArgumentException | DateTimeParseException ex) {
			throw new InvalidGuardException(where, "'" + resolved + "' is not a duration",
					"Write 30s, 5m, 24h, 7d or an ISO-8601 one such as PT30S");
		}
	}

	private String resolve(String text, String where) {
		try {
			return this.environment.resolveRequiredPlaceholders(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidGuardException(where, "no property has the value of '" + text + "'",
					"Set the property, or give the placeholder a default (${name:30s})");
		}
	}

	private static Duration positive(String what, String name, Duration value) {
		if (value.isNegative() || value.isZero()) {
			throw new InvalidGuardException("Far side '" + name + "'", "its " + what + " is " + value,
					"Set once.far-sides." + name + "." + what + " to more than zero");
		}
		return value;
	}

	private static Duration notNegative(String what, String name, Duration value) {
		if (value.isNegative()) {
			throw new InvalidGuardException("Far side '" + name + "'", "its " + what + " is " + value,
					"Set once.far-sides." + name + "." + what + " to zero or more");
		}
		return value;
	}

	private static Duration first(@Nullable Duration set, @Nullable Duration declared, Duration otherwise) {
		Duration value = firstOrNull(set, declared);
		return (value != null) ? value : otherwise;
	}

	private static @Nullable Duration firstOrNull(@Nullable Duration set, @Nullable Duration declared) {
		return (set != null) ? set : declared;
	}

	@FunctionalInterface
	private interface Attribute {

		String of(FarSide declared);

	}

}
