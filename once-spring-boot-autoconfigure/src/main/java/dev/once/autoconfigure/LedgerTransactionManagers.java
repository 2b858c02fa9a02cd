package dev.once.autoconfigure;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import javax.sql.DataSource;

import dev.once.aop.InvalidGuardException;
import dev.once.aop.LocalDatabase;
import dev.once.aop.LocalDatabases;
import dev.once.jdbc.JdbcPorts;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Finds the transaction manager of a local effect, and holds it to the ledger's data
 * source (T1).
 */
final class LedgerTransactionManagers implements LocalDatabases {

	private static final Log logger = LogFactory.getLog(LedgerTransactionManagers.class);

	private final ListableBeanFactory beans;

	private final LedgerDataSource chosen;

	private final JdbcPorts ports;

	LedgerTransactionManagers(ListableBeanFactory beans, LedgerDataSource chosen, JdbcPorts ports) {
		this.beans = beans;
		this.chosen = chosen;
		this.ports = ports;
	}

	@Override
	public LocalDatabase find(@Nullable TransactionAttribute declared, @Nullable Class<?> type, String where) {
		String qualifier = (declared != null) ? declared.getQualifier() : null;
		TransactionManager manager = StringUtils.hasText(qualifier) ? qualified(qualifier, where)
				: (declared != null) ? byDefault(type, where) : any(where);
		return checked(manager, where);
	}

	private TransactionManager qualified(String qualifier, String where) {
		try {
			return BeanFactoryAnnotationUtils.qualifiedBeanOfType(this.beans, TransactionManager.class, qualifier);
		}
		catch (BeansException ex) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and its @Transactional names transaction manager '" + qualifier
							+ "', which is not one of " + names(),
					"Name a transaction manager of the ledger's " + this.chosen.description());
		}
	}

	// The one that Spring's transaction advice takes
	private TransactionManager byDefault(@Nullable Class<?> type, String where) {
		String ofType = (type != null) ? BeanFactoryAnnotationUtils.getQualifierValue(type) : null;
		if (StringUtils.hasText(ofType)) {
			try {
				return BeanFactoryAnnotationUtils.qualifiedBeanOfType(this.beans, TransactionManager.class, ofType);
			}
			catch (NoSuchBeanDefinitionException ex) {
				// The qualifier is not about transactions
				logger.trace("No transaction manager is qualified as '" + ofType + "'");
			}
		}
		TransactionManagementConfigurer configurer = this.beans.getBeanProvider(TransactionManagementConfigurer.class)
			.getIfUnique();
		if (configurer != null) {
			return configurer.annotationDrivenTransactionManager();
		}
		TransactionManager unique = this.beans.getBeanProvider(TransactionManager.class).getIfUnique();
		if (unique == null) {
			throw undecided(where);
		}
		return unique;
	}

	/** Without @Transactional on the method nobody else chooses one. */
	private TransactionManager any(String where) {
		TransactionManager unique = this.beans.getBeanProvider(TransactionManager.class).getIfUnique();
		if (unique != null && isOfLedger(unique)) {
			return unique;
		}
		List<TransactionManager> fitting = new ArrayList<>(managers().values());
		fitting.removeIf((manager) -> !isOfLedger(manager));
		if (fitting.size() == 1) {
			return fitting.get(0);
		}
		if (unique != null) {
			return unique;
		}
		throw undecided(where);
	}

	private boolean isOfLedger(TransactionManager manager) {
		DataSource dataSource = dataSource(manager);
		return dataSource != null && innermost(dataSource) == innermost(this.chosen.dataSource());
	}

	private InvalidGuardException undecided(String where) {
		Map<String, TransactionManager> managers = managers();
		if (managers.isEmpty()) {
			return new InvalidGuardException(where,
					"its boundary is DATABASE, and the application has no transaction manager",
					"Add spring-boot-starter-jdbc or spring-boot-starter-data-jpa, or a JdbcTransactionManager bean for the "
							+ this.chosen.description());
		}
		return new InvalidGuardException(where,
				"its boundary is DATABASE, and which transaction manager it means is not decided among " + names(),
				"Name one of the ledger's " + this.chosen.description()
						+ " with @Transactional(\"...\") on the method, or mark it @Primary");
	}

	private LocalDatabase checked(TransactionManager manager, String where) {
		String name = name(manager);
		if (!(manager instanceof PlatformTransactionManager platform)) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and transaction manager '" + name + "' is reactive",
					"Name a PlatformTransactionManager of the ledger's " + this.chosen.description());
		}
		if (manager instanceof AbstractPlatformTransactionManager configured && configured
			.getTransactionSynchronization() == AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and transaction manager '" + name + "' calls no synchronizations",
					"Set its transactionSynchronization to SYNCHRONIZATION_ALWAYS");
		}
		DataSource dataSource = dataSource(manager);
		if (dataSource == null) {
			dataSource = binds(platform, this.chosen.dataSource()) ? this.chosen.dataSource() : null;
		}
		if (dataSource == null) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and transaction manager '" + name + "' ("
							+ manager.getClass().getSimpleName() + ") has no transactions on the ledger's "
							+ this.chosen.description(),
					"Name a JdbcTransactionManager or JpaTransactionManager of that data source");
		}
		if (innermost(dataSource) != innermost(this.chosen.dataSource())) {
			throw new InvalidGuardException(where,
					"its boundary is DATABASE, and transaction manager '" + name + "' works on " + name(dataSource)
							+ ", while the ledger is in " + this.chosen.description(),
					"Name a transaction manager of the ledger's data source, or put @OnceDataSource on the other one");
		}
		return new LocalDatabase(platform, dataSource, resources(manager, dataSource), this.ports.local(dataSource));
	}

	/** What JDBC and JPA transaction managers have in common. */
	private static @Nullable DataSource dataSource(TransactionManager manager) {
		Method getter = ReflectionUtils.findMethod(manager.getClass(), "getDataSource");
		if (getter == null || !DataSource.class.isAssignableFrom(getter.getReturnType())) {
			return null;
		}
		ReflectionUtils.makeAccessible(getter);
		return (DataSource) ReflectionUtils.invokeMethod(getter, manager);
	}

	/** Tried where the manager does not say: one that wraps others, for instance. */
	private static boolean binds(PlatformTransactionManager manager, DataSource dataSource) {
		TransactionStatus status;
		try {
			status = manager
				.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
		}
		catch (TransactionException ex) {
			return false;
		}
		try {
			return TransactionSynchronizationManager.hasResource(dataSource);
		}
		finally {
			manager.rollback(status);
		}
	}

	private static Set<Object> resources(TransactionManager manager, DataSource dataSource) {
		Set<Object> resources = Collections.newSetFromMap(new IdentityHashMap<>());
		resources.add(dataSource);
		if (manager instanceof ResourceTransactionManager resource) {
			resources.add(resource.getResourceFactory());
		}
		return resources;
	}

	private static DataSource innermost(DataSource dataSource) {
		DataSource innermost = dataSource;
		while (innermost instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			innermost = delegating.getTargetDataSource();
		}
		return innermost;
	}

	private Map<String, TransactionManager> managers() {
		return new TreeMap<>(BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beans, TransactionManager.class));
	}

	private String names() {
		return String.join(", ", managers().keySet());
	}

	private String name(TransactionManager manager) {
		return managers().entrySet()
			.stream()
			.filter((entry) -> entry.getValue() == manager)
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(manager.getClass().getSimpleName());
	}

	private String name(DataSource dataSource) {
		return Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, DataSource.class))
			.filter((name) -> innermost(this.beans.getBean(name, DataSource.class)) == innermost(dataSource))
			.findFirst()
			.map((name) -> "data source '" + name + "'")
			.orElse("another data source");
	}

}
