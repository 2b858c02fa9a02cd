package dev.once.aop;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.once.aop.MarkedClass.Mark;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

/**
 * Looks through the bodies of guarded classes for what passes Once by. Each class is read
 * once.
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
		ClassBodies bodies = this.read.computeIfAbsent(bean.marked().type(), (type) -> ClassBodies.of(bean.marked()));
		if (bodies.unreadable() != null) {
			warn("Whether " + bean + " calls its guarded methods through 'this' cannot be seen: "
					+ bodies.unreadable());
		}
		for (SelfCall call : bodies.selfCalls()) {
			Site site = new Site(bean.name(), bean.marked().type(), call.guarded());
			String mend = "Move " + call.guarded().getName()
					+ "(...) to a bean of its own; or inject the bean into itself (@Lazy "
					+ ClassUtils.getShortName(bean.marked().type()) + " self) and call self." + call.guarded().getName()
					+ "(...)";
			if (call.receiver() == Origin.THIS && selfInvocation == SelfInvocation.FAIL) {
				problems.add(site.toString(),
						call.caller() + " calls it through 'this', so that this call does not pass Once",
						mend + "; once.self-invocation=warn starts all the same");
			}
			else {
				warn(site + ": " + call.caller() + ((call.receiver() == Origin.THIS) ? " calls" : " perhaps calls")
						+ " it through 'this', and such a call does not pass Once. " + mend);
			}
		}
		if (!bodies.unseenClients().isEmpty()
				&& bean.marked().guarded().stream().map(Mark::effect).anyMatch((effect) -> effect != null)) {
			warn(bean + " has effects and makes HTTP clients that Once cannot see: "
					+ String.join(", ", bodies.unseenClients())
					+ ". Their requests carry no key, know no deadline and are not counted. Make the client from "
					+ "the RestClient.Builder or WebClient.Builder that Spring Boot injects, attach Once "
					+ "(new OnceRequestInitializer().attachTo(builder)), or say Effect.current().sending() before "
					+ "each request");
		}
	}

	private void warn(String message) {
		if (this.warned.add(message)) {
			logger.warn(message);
		}
	}

}
