package dev.once.ledger;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import javax.net.ssl.SSLHandshakeException;

import dev.once.EffectNotSentException;
import dev.once.EffectRefusedException;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Ambiguous;
import dev.once.ledger.Failure.Named;
import dev.once.ledger.Failure.Next;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.Failure.Refused;
import org.jspecify.annotations.Nullable;

/**
 * E5: sorts what a body threw. Whatever nobody knows, {@link Error} included, is
 * ambiguous.
 */
public final class Failures {

	private static final int LONGEST_DESCRIPTION = 1000;

	private final List<FailureClassifier> classifiers;

	/**
	 * Creates the sorter.
	 * @param classifiers those of the technologies in use, asked in order
	 */
	public Failures(List<FailureClassifier> classifiers) {
		this.classifiers = List.copyOf(classifiers);
	}

	Failure classify(Throwable failure, FarSideContract contract) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Failure said = null;
		for (Throwable link = failure; link != null && seen.add(link); link = link.getCause()) {
			Failure one = classifyOne(link, contract);
			if (one instanceof NotSent notSent && notSent.about() == About.NO_REQUEST && link.getCause() != null) {
				// A body that wraps a transport's failure: the cause says which request
				said = notSent;
			}
			else if (one != null) {
				return (said != null && !provesNotSent(one)) ? said : one;
			}
		}
		return (said != null) ? said : new Ambiguous();
	}

	private @Nullable Failure classifyOne(Throwable failure, FarSideContract contract) {
		if (isAny(contract.notSentOn(), failure)) {
			return new NotSent(About.THE_LAST_REQUEST);
		}
		if (isAny(contract.refusedOn(), failure)) {
			return new Refused(null, Next.ANOTHER_ATTEMPT);
		}
		if (failure instanceof EffectNotSentException) {
			return new NotSent(About.NO_REQUEST);
		}
		if (failure instanceof EffectRefusedException refused) {
			return new Refused(refused.retryAfter(), refused.retryable() ? Next.ANOTHER_ATTEMPT : Next.A_PERSON);
		}
		for (FailureClassifier classifier : this.classifiers) {
			Failure said = classifier.classify(failure);
			if (said != null) {
				return said;
			}
		}
		if (failure instanceof ConnectException || failure instanceof UnknownHostException
				|| failure instanceof NoRouteToHostException || failure instanceof HttpConnectTimeoutException
				|| failure instanceof SSLHandshakeException) {
			return new Named("", new NotSent(About.THE_LAST_REQUEST));
		}
		return null;
	}

	private static boolean provesNotSent(Failure failure) {
		return failure instanceof NotSent || (failure instanceof Named named && named.proven() instanceof NotSent);
	}

	/**
	 * Names a failure by the types of its chain. Messages are left out: a far side echoes
	 * what it was sent, secrets included.
	 */
	public static String describe(Throwable failure) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		StringBuilder text = new StringBuilder();
		for (Throwable link = failure; link != null && seen.add(link)
				&& text.length() < LONGEST_DESCRIPTION; link = link.getCause()) {
			text.append(text.isEmpty() ? "" : " <- ").append(link.getClass().getName());
		}
		return (text.length() <= LONGEST_DESCRIPTION) ? text.toString() : text.substring(0, LONGEST_DESCRIPTION);
	}

	private static boolean isAny(Set<Class<? extends Throwable>> types, Throwable failure) {
		return types.stream().anyMatch((type) -> type.isInstance(failure));
	}

}
