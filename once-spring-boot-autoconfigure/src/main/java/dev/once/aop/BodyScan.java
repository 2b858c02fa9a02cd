package dev.once.aop;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.once.aop.MarkedClass.Mark;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.core.NativeDetector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Looks through guarded classes and their bodies for what passes Once by. Each class is
 * read once.
 */
final class BodyScan {

	private static final Log logger = LogFactory.getLog(BodyScan.class);

	private final Map<Class<?>, ClassBodies> read = new ConcurrentHashMap<>();

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Checks beans.
	 * @param beans the marked beans
	 * @param selfInvocation what a certain self-invocation does
	 * @param problems takes those that stop the start
	 */
	void check(Collection<MarkedBean> beans, SelfInvocation selfInvocation, Problems problems) {
		// A native image has no class files to look through
		if (NativeDetector.inNativeImage()) {
			return;
		}
		beans.stream()
			.filter((bean) -> bean.marked().isGuarded() && !Proxy.isProxyClass(bean.marked().type()))
			.sorted(Comparator.comparing(MarkedBean::toString))
			.forEach((bean) -> check(bean, selfInvocation, problems));
	}

	private void check(MarkedBean bean, SelfInvocation selfInvocation, Problems problems) {
		for (Mark mark : bean.marked().guarded()) {
			warnOfCache(bean, mark);
		}
		ClassBodies bodies = this.read.computeIfAbsent(bean.marked().type(), (type) -> ClassBodies.of(bean.marked()));
		if (bodies.unreadable() != null) {
			warn("Whether " + bean + " calls its guarded methods through 'this' cannot be seen: "
					+ bodies.unreadable());
		}
		for (SelfCall call : bodies.selfCalls()) {
			tell(bean, call, selfInvocation, problems);
		}
		if (!bodies.unseenClients().isEmpty()
				&& bean.marked().guarded().stream().map(Mark::effect).anyMatch(Objects::nonNull)) {
			warnOfClients(bean, bodies.unseenClients());
		}
	}

	private void tell(MarkedBean bean, SelfCall call, SelfInvocation selfInvocation, Problems problems) {
		Site site = new Site(bean.name(), bean.marked().type(), call.guarded());
		String method = call.guarded().getName() + "(...)";
		String mend = "Move " + method + " to a bean of its own; or inject the bean into itself (@Lazy "
				+ ClassUtils.getShortName(bean.marked().type()) + " self) and call self." + method;
		boolean certain = call.receiver() == Origin.THIS;
		if (certain && selfInvocation == SelfInvocation.FAIL) {
			problems.add(site.toString(),
					call.caller() + " calls it through 'this', so that this call does not pass Once",
					mend + "; once.self-invocation=warn starts all the same");
		}
		else {
			warn(site + ": " + call.caller() + (certain ? " calls" : " perhaps calls")
					+ " it through 'this', and such a call does not pass Once. " + mend);
		}
	}

	private void warnOfClients(MarkedBean bean, Set<String> clients) {
		warn(bean + " has effects and makes HTTP clients that Once cannot see: " + String.join(", ", clients)
				+ ". Their requests carry no key, know no deadline and are not counted. Make the client from the "
				+ "RestClient.Builder or WebClient.Builder that Spring Boot injects, attach Once "
				+ "(new OnceRequestInitializer().attachTo(builder)), or say Effect.current().sending() before each "
				+ "request");
	}

	// Once stands outside of the cache, as of the transaction
	private void warnOfCache(MarkedBean bean, Mark mark) {
		if (mark.effect() != null
				&& MergedAnnotations.from(mark.method(), SearchStrategy.TYPE_HIERARCHY).isPresent(Cacheable.class)) {
			warn(new Site(bean.name(), bean.marked().type(), mark.method())
					+ ": it is @Cacheable, and an answer from the cache is recorded as an effect that was performed, "
					+ "though nothing was sent. Take @Cacheable away: a repeat gets the recorded answer without it");
		}
	}

	private void warn(String message) {
		if (this.warned.add(message)) {
			logger.warn(message);
		}
	}

}
