package dev.once.actuate;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.actuate.StandingReader.Overview;
import dev.once.ledger.EffectLedger.Standing;
import dev.once.ledger.EffectState;
import dev.once.ledger.LedgerHealth;
import dev.once.occurrence.OccurrenceState;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} that is down when the ledger cannot be written or leases are
 * not renewed, and has a status of its own while effects or occurrences need a person.
 */
public class OnceHealthIndicator extends AbstractHealthIndicator {

	/**
	 * Effects or occurrences need a person, and everything else works. Over HTTP it is
	 * answered with 200, and it does not lower the status of the application.
	 */
	public static final Status ATTENTION = new Status("ATTENTION", "Effects or occurrences need a person");

	private final LedgerHealth ledger;

	private final Leases leases;

	private final Renewer renewer;

	private final StandingReader reader;

	/**
	 * Creates the indicator.
	 * @param ledger asks whether the ledger can be written
	 * @param leases the leases that this application holds
	 * @param renewer renews them
	 * @param reader reads what the ledger holds
	 */
	public OnceHealthIndicator(LedgerHealth ledger, Leases leases, Renewer renewer, StandingReader reader) {
		super("Once's health could not be read");
		this.ledger = ledger;
		this.leases = leases;
		this.renewer = renewer;
		this.reader = reader;
	}

	@Override
	protected void doHealthCheck(Health.Builder health) {
		Optional<String> obstacle = this.ledger.obstacle();
		if (obstacle.isPresent()) {
			health.down().withDetail("ledger", "It cannot be written: " + obstacle.get());
			return;
		}
		int live = this.leases.live().size();
		if (live > 0 && !this.renewer.isRunning()) {
			health.down().withDetail("renewal", "Its thread does not run, and leases are live: " + live);
			return;
		}
		health.up();
		this.reader.overview()
			.ifPresentOrElse((overview) -> describe(overview, health),
					() -> health.withDetail("ledger", "It could not be read in time"));
	}

	private static void describe(Overview overview, Health.Builder health) {
		Standing standing = overview.effects();
		health.withDetail("unknown", standing.open().getOrDefault(EffectState.UNKNOWN, 0L));
		if (standing.oldestUnknown() != null) {
			health.withDetail("oldestUnknown", standing.oldestUnknown());
		}
		Map<String, Long> attention = new TreeMap<>();
		standing.attention().forEach((reason, effects) -> {
			if (effects > 0) {
				attention.put(Words.of(reason), effects);
			}
		});
		if (!attention.isEmpty()) {
			health.status(ATTENTION).withDetail("attention", attention);
		}
		long abandoned = overview.occurrences().abandoned();
		if (abandoned > 0) {
			health.status(ATTENTION).withDetail("abandonedOccurrences", abandoned);
		}
		Map<String, Long> refused = overview.occurrences().refused();
		if (!refused.isEmpty()) {
			health.status(ATTENTION).withDetail("refusedJobs", refused);
		}
	}

}
