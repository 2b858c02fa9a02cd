package dev.once.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.once.OnceException;
import dev.once.OnceOperations;
import dev.once.actuate.KnownNames;
import dev.once.aop.Collaborators;
import dev.once.aop.EffectOperations;
import dev.once.aop.GuardAdvisor;
import dev.once.aop.GuardSettings;
import dev.once.aop.GuardedJob;
import dev.once.aop.GuardedMethods;
import dev.once.aop.LocalDatabases;
import dev.once.aop.ProxyCreatorRegistrar;
import dev.once.approval.DecisionStore;
import dev.once.caretaker.Caretaker;
import dev.once.caretaker.ComingBack;
import dev.once.caretaker.RunDesk;
import dev.once.caretaker.TwinEffects;
import dev.once.jdbc.JdbcLedgerHealth;
import dev.once.jdbc.JdbcPorts;
import dev.once.jdbc.LedgerConnections;
import dev.once.jdbc.OnceTables;
import dev.once.key.EffectKeys;
import dev.once.lease.LeaseListener;
import dev.once.lease.LeaseStore;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.Run;
import dev.once.lease.TimeSource;
import dev.once.ledger.Answer;
import dev.once.ledger.AnswerFormat;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectListener;
import dev.once.ledger.EffectLog;
import dev.once.ledger.EffectProtocol;
import dev.once.ledger.EffectRules.ResolveSchedule;
import dev.once.ledger.FailureClassifier;
import dev.once.ledger.Failures;
import dev.once.ledger.LedgerHealth;
import dev.once.ledger.Resolvable;
import dev.once.ledger.SecondRequest;
import dev.once.occurrence.DueTimes;
import dev.once.occurrence.JobDesk;
import dev.once.occurrence.JobListener;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.Runs;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for Once.
 */
@AutoConfiguration(after = { AopAutoConfiguration.class, OnceSchemaAutoConfiguration.class },
		afterName = { "dev.once.autoconfigure.OnceHttpAutoConfiguration",
				"org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration" })
@EnableConfigurationProperties(OnceProperties.class)
@Import(ProxyCreatorRegistrar.class)
@ImportRuntimeHints(CronTriggerHints.class)
public final class OnceAutoConfiguration {

	private static final Duration RENEWAL_INTERVAL = Duration.ofMillis(250);

	private static final int SHORTEST_SECRET = 16;

	private static final String DUE_TIMES = "onceDueTimes";

	// Advice: nothing but what it is made of is created while post-processors register

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static GuardedMethods onceGuardedMethods(ConfigurableListableBeanFactory beans,
			ObjectProvider<GuardSettings> settings) {
		return new GuardedMethods(beans, settings::getObject);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static GuardAdvisor onceGuardAdvisor(GuardedMethods methods, ObjectProvider<Collaborators> collaborators) {
		return new GuardAdvisor(methods, collaborators::getObject);
	}

	// Of its own in a child context, which may have other properties
	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	GuardSettings onceGuardSettings(OnceProperties properties, Environment environment) {
		return new PropertyGuardSettings(properties, environment);
	}

	@Bean
	DeclaredNames onceDeclaredNames(OnceProperties properties, GuardedMethods methods) {
		return new DeclaredNames(properties, methods);
	}

	// Of its own in a child context, whose scheduler is another one
	@Bean(DUE_TIMES)
	DueTimes onceDueTimes(OnceProperties properties) {
		return new DueTimes(properties.getZone());
	}

	/**
	 * Spring calls configurers of one order as their beans are defined, and one of a
	 * later auto-configuration that chooses the scheduler would take all due times away.
	 */
	@Bean
	static BeanFactoryPostProcessor onceDueTimesLast() {
		return (beans) -> {
			if (beans instanceof BeanDefinitionRegistry registry && registry.containsBeanDefinition(DUE_TIMES)) {
				BeanDefinition dueTimes = registry.getBeanDefinition(DUE_TIMES);
				registry.removeBeanDefinition(DUE_TIMES);
				registry.registerBeanDefinition(DUE_TIMES, dueTimes);
			}
		};
	}

	// Ports

	@Bean
	@ConditionalOnMissingBean
	@DependsOnDatabaseInitialization
	JdbcPorts onceJdbcPorts(ObjectProvider<LedgerConnections> connections, ObjectProvider<OnceTables> tables,
			ConfigurableListableBeanFactory beans) {
		LedgerConnections own = connections.getIfAvailable(() -> {
			throw notConnected(LedgerDataSource.of(beans));
		});
		return new JdbcPorts(own, tables.getObject());
	}

	private static OnceException notConnected(LedgerDataSource chosen) {
		return new InvalidSettingException(
				"Once has no connections to its ledger in " + chosen.description()
						+ ": OnceSchemaAutoConfiguration makes them, and is excluded",
				"Take it out of the exclusions, and set once.jdbc.initialize-schema=never where it must not touch the "
						+ "tables");
	}

	@Bean
	@ConditionalOnMissingBean
	EffectLedger onceEffectLedger(JdbcPorts ports) {
		return ports.ledger();
	}

	@Bean
	@ConditionalOnMissingBean
	LeaseStore onceLeaseStore(JdbcPorts ports) {
		return ports.leases();
	}

	@Bean
	@ConditionalOnMissingBean
	OccurrenceStore onceOccurrenceStore(JdbcPorts ports) {
		return ports.occurrences();
	}

	@Bean
	@ConditionalOnMissingBean
	DecisionStore onceDecisionStore(JdbcPorts ports) {
		return ports.decisions();
	}

	// Lazy: without local effects there is nothing to look for
	@Bean
	@Lazy
	@ConditionalOnBean(LedgerDataSource.class)
	@ConditionalOnMissingBean
	LocalDatabases onceLocalDatabases(ListableBeanFactory beans, LedgerDataSource chosen, JdbcPorts ports) {
		return new LedgerTransactionManagers(beans, chosen, ports);
	}

	// Protocol

	@Bean
	@ConditionalOnMissingBean
	EffectKeys onceEffectKeys(OnceProperties properties) {
		return new EffectKeys(secret(properties.getKey().getSecret()));
	}

	private static byte @Nullable [] secret(@Nullable String secret) {
		if (secret == null) {
			return null;
		}
		byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
		if (bytes.length < SHORTEST_SECRET) {
			throw new InvalidSettingException("once.key.secret has " + bytes.length + " bytes",
					"Give it at least " + SHORTEST_SECRET + " random ones, the same on every node");
		}
		return bytes;
	}

	@Bean
	Leases onceLeases(LeaseStore store, OnceProperties properties, ObjectProvider<LeaseListener> listeners) {
		return new Leases(store, UUID.randomUUID().toString(), TimeSource.SYSTEM, ids(),
				new LeaseListeners(listeners.orderedStream().toList()),
				new FencedLog(properties.getFenced().getLevel()));
	}

	@Bean
	Renewer onceRenewer(Leases leases, ObjectProvider<EffectProtocol> effects) {
		return new Renewer(List.of(leases::renewDue, () -> effects.ifAvailable(EffectProtocol::extendDue)),
				RENEWAL_INTERVAL);
	}

	@Bean
	Runs onceRuns(Leases leases, OccurrenceStore occurrences, Renewer renewer, ObjectProvider<JobListener> listeners,
			ObjectProvider<ComingBack> comingBack) {
		return new Runs(leases, occurrences, renewer,
				new JobListeners(listeners.orderedStream().toList(), () -> comingBack.ifAvailable(ComingBack::look)),
				TimeSource.SYSTEM);
	}

	@Bean
	EffectLog onceEffectLog() {
		return new EffectLog();
	}

	@Bean
	EffectProtocol onceEffectProtocol(EffectLedger ledger, OnceProperties properties, Leases leases, Renewer renewer,
			ObjectProvider<FailureClassifier> classifiers, ObjectProvider<EffectListener> listeners,
			ObjectProvider<SecondRequest> secondRequest, ObjectProvider<Caretaker> caretaker) {
		OnceProperties.Defaults defaults = properties.getDefaults();
		ResolveSchedule schedule = new ResolveSchedule(defaults.getResolverTries(), defaults.getResolverBackoff(),
				defaults.getResolverMaxBackoff());
		EffectProtocol.Settings settings = new EffectProtocol.Settings(
				secondRequest.getIfAvailable(() -> SecondRequest.FAIL), schedule, defaults.getResolverTimeout());
		EffectProtocol.Hooks hooks = new EffectProtocol.Hooks() {

			@Override
			public void beforeSubmit() {
				renewer.ensureRunning();
			}

			@Override
			public void fenced(Run run) {
				leases.fence(run);
			}

			@Override
			public void lost() {
				caretaker.ifAvailable(Caretaker::look);
			}

		};
		return new EffectProtocol(ledger, new Failures(classifiers.orderedStream().toList()), settings,
				new EffectListeners(listeners.orderedStream().toList()), hooks, TimeSource.SYSTEM, ids());
	}

	@Bean
	Collaborators onceCollaborators(EffectKeys keys, EffectProtocol effects, Runs runs) {
		return new Collaborators(keys, effects, runs, TimeSource.SYSTEM);
	}

	// Of its own in a child context, which has other resolvers
	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	OnceOperations onceOperations(GuardedMethods methods, Collaborators collaborators) {
		return new EffectOperations(methods, collaborators);
	}

	// Background

	@Bean
	JobRegistration onceJobRegistration(LeaseStore leases, GuardedMethods methods, GuardSettings settings,
			EffectKeys keys, Runs runs) {
		return new JobRegistration(leases, methods, settings.application(), keys.secretCheck(), runs);
	}

	@Bean
	Caretaker onceCaretaker(EffectLedger ledger, EffectProtocol effects, GuardedMethods methods, GuardSettings settings,
			OnceProperties properties) {
		Resolvable<?> undeclared = Resolvable.undeclared(settings.farSide("undeclared", null), new NoAnswers());
		return new Caretaker(ledger, effects, methods::resolvable, undeclared, properties.getCaretaker().getInterval());
	}

	@Bean
	ComingBack onceComingBack(OccurrenceStore occurrences, Runs runs, GuardedMethods methods,
			OnceProperties properties) {
		return new ComingBack(occurrences, runs, new DeclaredJobs(methods), properties.getCaretaker().getInterval());
	}

	@Bean
	TwinEffects onceTwinEffects(EffectLedger ledger, OnceProperties properties) {
		Map<String, Set<String>> distinct = new HashMap<>();
		properties.getEffects().forEach((action, effect) -> distinct.put(action, effect.getDistinctFrom()));
		return new TwinEffects(ledger, distinct, properties.getCaretaker().getInterval());
	}

	@Bean
	@ConditionalOnMissingBean
	JobDesk onceJobDesk(OccurrenceStore occurrences, LeaseStore leases, DecisionStore decisions, Runs runs,
			GuardedMethods methods, ComingBack comingBack) {
		return new RunDesk(occurrences, leases, decisions, runs, new DeclaredJobs(methods), comingBack);
	}

	@Bean
	OnceLifecycle onceLifecycle(Renewer renewer, Caretaker caretaker, ComingBack comingBack, TwinEffects twins,
			EffectProtocol effects, Runs runs, Leases leases, OnceProperties properties) {
		return new OnceLifecycle(renewer, caretaker, comingBack, twins, effects, runs, leases,
				properties.getShutdown().getGrace());
	}

	private static Supplier<String> ids() {
		return () -> UUID.randomUUID().toString();
	}

	/**
	 * What operators read of it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ReadingConfiguration {

		@Bean
		@ConditionalOnBean(LedgerConnections.class)
		@ConditionalOnMissingBean
		LedgerHealth onceLedgerHealth(LedgerConnections connections, OnceTables tables) {
			return new JdbcLedgerHealth(connections, tables);
		}

		@Bean
		@ConditionalOnMissingBean
		KnownNames onceKnownNames(GuardedMethods methods) {
			return new KnownNames() {

				@Override
				public Collection<String> actions() {
					return methods.actions();
				}

				@Override
				public Collection<String> jobs() {
					return methods.jobs().stream().map(GuardedJob::name).collect(Collectors.toUnmodifiableSet());
				}

			};
		}

	}

	/** Undeclared actions have no answers to write or read. */
	private static final class NoAnswers implements AnswerFormat<Object> {

		@Override
		public Answer write(Object answer) {
			return Answer.notKept();
		}

		@Override
		public Object read(Answer answer) {
			throw new IllegalStateException("An undeclared action has no callers");
		}

	}

}
