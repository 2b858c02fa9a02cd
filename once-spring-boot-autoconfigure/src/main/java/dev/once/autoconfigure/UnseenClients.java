package dev.once.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.once.aop.GuardedMethods;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns once of HTTP clients in the context that Once is not attached to: an effect that
 * writes through one sends no key and no request is counted.
 *
 * @param <C> the kind of client
 */
final class UnseenClients<C> implements ApplicationListener<ContextRefreshedEvent> {

	private static final Log logger = LogFactory.getLog(UnseenClients.class);

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<GuardedMethods> methods;

	private final Class<C> type;

	private final Predicate<C> attached;

	private final String mend;

	UnseenClients(ConfigurableListableBeanFactory beans, ObjectProvider<GuardedMethods> methods, Class<C> type,
			Predicate<C> attached, String mend) {
		this.beans = beans;
		this.methods = methods;
		this.type = type;
		this.attached = attached;
		this.mend = mend;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		GuardedMethods methods = this.methods.getIfAvailable();
		if (event.getApplicationContext().getAutowireCapableBeanFactory() != this.beans || methods == null
				|| methods.effects().isEmpty()) {
			return;
		}
		List<String> unseen = unseen();
		if (!unseen.isEmpty()) {
			logger.warn("Once is not attached to " + this.type.getSimpleName() + " " + String.join(", ", unseen)
					+ ": what an effect sends through it carries no key, knows no deadline and is not counted. "
					+ this.mend + ". If no effect writes through it, nothing is wrong");
		}
	}

	private List<String> unseen() {
		List<String> unseen = new ArrayList<>();
		for (String name : this.beans.getBeanNamesForType(this.type, false, false)) {
			Object bean = this.beans.getSingleton(name);
			if (bean != null && this.type.isInstance(bean) && !isAttachedTo(this.type.cast(bean))) {
				unseen.add("'" + name + "'");
			}
		}
		return unseen;
	}

	private boolean isAttachedTo(C client) {
		try {
			return this.attached.test(client);
		}
		catch (RuntimeException ex) {
			// A client of somebody's own, or a mock: nothing can be said of it
			logger.debug("What is attached to " + client.getClass().getName() + " cannot be seen", ex);
			return true;
		}
	}

}
