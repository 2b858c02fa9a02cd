package dev.once.aop;

import java.lang.reflect.Method;

import dev.once.aop.ReturnForm.When;
import dev.once.ledger.LocalBoundary;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * What holds for effects whose boundary is the ledger's own database (T1).
 */
final class BoundaryRules {

	private final BeanFactory beans;

	private @Nullable TransactionAttributeSource attributes;

	BoundaryRules(BeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Refuses terms that only an external effect can have.
	 */
	static void check(String action, EffectTerms terms, @Nullable ResolverMethod resolver, String where) {
		if (resolver != null) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and action '" + action + "' has a resolver: " + resolver.site()
							+ ". There is nothing to ask: its row says all",
					"Remove the @OnceResolver, or boundary = DATABASE if the effect is in another system");
		}
		if (terms.askFirst()) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and it asks first: there is nobody to ask",
					"Drop askFirst (once.effects." + action + ".ask-first)");
		}
		if (terms.farSide() != null) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and it names far side '" + terms.farSide() + "'",
					"Drop farSide (once.effects." + action
							+ ".far-side), or boundary = DATABASE if the effect is in another system");
		}
	}

	/**
	 * The boundary of a guarded method.
	 */
	LocalBoundary of(Site site, ReturnForm form) {
		if (form.when() == When.LATER) {
			throw new InvalidGuardException(site.toString(),
					"its boundary is DATABASE, and it answers later: its transaction ends when it returns",
					"Return the answer itself, or call it on another thread as a whole");
		}
		TransactionAttribute declared = attribute(site.method(), site.type());
		if (declared != null) {
			check(declared, site.toString());
		}
		DefaultTransactionDefinition definition = (declared != null) ? new DefaultTransactionDefinition(declared)
				: new DefaultTransactionDefinition();
		if (definition.getName() == null) {
			definition.setName(site.type().getName() + "." + site.method().getName());
		}
		return boundary(declared, site.type(), definition, site.toString());
	}

	/**
	 * The boundary of an action that is described by calls.
	 */
	LocalBoundary of(String action, String where) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
		definition.setName("once." + action);
		return boundary(null, null, definition, where);
	}

	private LocalBoundary boundary(@Nullable TransactionAttribute declared, @Nullable Class<?> type,
			TransactionDefinition definition, String where) {
		LocalDatabases databases = this.beans.getBeanProvider(LocalDatabases.class).getIfUnique();
		if (databases == null) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and Once's ledger is not in a database of this application",
					"Drop boundary = DATABASE");
		}
		LocalDatabase database = databases.find(declared, type, where);
		return new LocalBoundary(new SpringTransaction(database, definition, where), database.ledger());
	}

	private static void check(TransactionAttribute declared, String where) {
		String apart = switch (declared.getPropagationBehavior()) {
			case TransactionDefinition.PROPAGATION_REQUIRES_NEW -> "REQUIRES_NEW";
			case TransactionDefinition.PROPAGATION_NOT_SUPPORTED -> "NOT_SUPPORTED";
			case TransactionDefinition.PROPAGATION_NEVER -> "NEVER";
			case TransactionDefinition.PROPAGATION_SUPPORTS -> "SUPPORTS";
			default -> null;
		};
		if (apart != null) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and its @Transactional(propagation = " + apart
							+ ") would keep its work out of the transaction that its row is in",
					"Use REQUIRED, MANDATORY or NESTED");
		}
		if (declared.isReadOnly()) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and its @Transactional(readOnly = true) lets nothing be written",
					"Take readOnly = true away");
		}
		if (declared instanceof RuleBasedTransactionAttribute rules
				&& rules.getRollbackRules().stream().anyMatch(NoRollbackRuleAttribute.class::isInstance)) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and its @Transactional(noRollbackFor) would commit work that has no row, "
							+ "so that a repeat did it again",
					"Take noRollbackFor away, and return what is no failure as an answer");
		}
	}

	private @Nullable TransactionAttribute attribute(Method method, Class<?> type) {
		return attributes().getTransactionAttribute(method, type);
	}

	private TransactionAttributeSource attributes() {
		TransactionAttributeSource attributes = this.attributes;
		if (attributes == null) {
			attributes = this.beans.getBeanProvider(TransactionAttributeSource.class).getIfUnique(this::annotations);
			this.attributes = attributes;
		}
		return attributes;
	}

	private TransactionAttributeSource annotations() {
		AnnotationTransactionAttributeSource annotations = new AnnotationTransactionAttributeSource(false);
		if (this.beans instanceof ConfigurableBeanFactory configurable) {
			annotations.setEmbeddedValueResolver(new EmbeddedValueResolver(configurable));
		}
		return annotations;
	}

}
