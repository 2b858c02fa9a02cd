package dev.once.autoconfigure;

import java.time.Duration;

import dev.once.caretaker.Caretaker;
import dev.once.caretaker.ComingBack;
import dev.once.caretaker.TwinEffects;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.ledger.EffectProtocol;
import dev.once.occurrence.Runs;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Starts the background work, and at shutdown waits for what is in flight, renewing,
 * while nothing new starts (L4). It stops after the schedulers and before any bean is
 * destroyed, so that the ledger's connections outlast the attempts.
 */
final class OnceLifecycle implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(OnceLifecycle.class);

	private static final Duration LOOK = Duration.ofMillis(50);

	private final Renewer renewer;

	private final Caretaker caretaker;

	private final ComingBack comingBack;

	private final TwinEffects twins;

	private final EffectProtocol effects;

	private final Runs runs;

	private final Leases leases;

	private final Duration grace;

	private volatile boolean running;

	OnceLifecycle(Renewer renewer, Caretaker caretaker, ComingBack comingBack, TwinEffects twins,
			EffectProtocol effects, Runs runs, Leases leases, Duration grace) {
		this.renewer = renewer;
		this.caretaker = caretaker;
		this.comingBack = comingBack;
		this.twins = twins;
		this.effects = effects;
		this.runs = runs;
		this.leases = leases;
		this.grace = grace;
	}

	@Override
	public void start() {
		this.running = true;
		this.renewer.ensureRunning();
		this.caretaker.start();
		this.comingBack.start();
		this.twins.start();
	}

	@Override
	public void stop() {
		this.effects.stop();
		this.runs.stop();
		this.caretaker.close();
		this.comingBack.close();
		this.twins.close();
		awaitWhatIsInFlight();
		this.renewer.close();
		this.running = false;
	}

	private void awaitWhatIsInFlight() {
		long end = System.nanoTime() + this.grace.toNanos();
		while (this.effects.inFlight() > 0 || !this.leases.live().isEmpty()) {
			if (System.nanoTime() - end > 0) {
				logger.warn("Shutting down with " + this.effects.inFlight() + " effects in flight and "
						+ this.leases.live().size() + " runs live: the grace period of " + this.grace.toSeconds()
						+ " s (once.shutdown.grace) has passed, and their rows become unknown");
				return;
			}
			try {
				Thread.sleep(LOOK.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE / 2;
	}

}
