package dev.once.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.once.OnceDataSource;
import dev.once.jdbc.LedgerUnusableException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * The data source in which the ledger is kept. All of Once uses the same one.
 *
 * @param name the bean's name
 * @param dataSource the bean
 * @param choice who chose it
 * @param others the other data sources of the application
 */
record LedgerDataSource(String name, DataSource dataSource, Choice choice, List<String> others) {

	/**
	 * Chooses among an application's data sources.
	 * @param beans the application's beans
	 * @return the one that is marked, or the only or primary one
	 * @throws LedgerUnusableException if that leaves none or several
	 */
	static LedgerDataSource of(ConfigurableListableBeanFactory beans) {
		List<Candidate> all = candidates(beans);
		List<Candidate> marked = matching(all, Candidate::isMarked);
		if (marked.size() > 1) {
			throw new LedgerUnusableException("Once keeps its ledger in one database, and @OnceDataSource marks "
					+ marked.size() + " DataSources (" + names(marked) + "): take it from all but one", null);
		}
		if (marked.size() == 1) {
			return chosen(marked.get(0), Choice.MARKED, all);
		}
		List<Candidate> usual = matching(all, Candidate::isUsual);
		// what a context says itself goes before what its parents say, as for injection
		for (BeanFactory factory = beans; factory instanceof ConfigurableListableBeanFactory level; factory = level
			.getParentBeanFactory()) {
			List<Candidate> here = matching(usual, (candidate) -> candidate.beans() == level);
			List<Candidate> primary = matching(here, Candidate::isPrimary);
			if (primary.size() == 1) {
				return chosen(primary.get(0), (here.size() > 1) ? Choice.PRIMARY : Choice.ONLY, all);
			}
			List<Candidate> regular = matching(here, (candidate) -> !candidate.isFallback());
			List<Candidate> left = regular.isEmpty() ? here : regular;
			if (left.size() == 1) {
				return chosen(left.get(0), Choice.ONLY, all);
			}
			if (!left.isEmpty()) {
				throw undecided(left);
			}
		}
		throw undecided(all);
	}

	private static LedgerUnusableException undecided(List<Candidate> candidates) {
		if (candidates.isEmpty()) {
			return new LedgerUnusableException("Once keeps its ledger in a database, and the application has no"
					+ " DataSource: set spring.datasource.url", null);
		}
		return new LedgerUnusableException("Once keeps its ledger in one database, and the application has "
				+ candidates.size() + " DataSources that it could be (" + names(candidates)
				+ "). Put @OnceDataSource (dev.once.OnceDataSource) on the @Bean method of the one to use, or make it"
				+ " @Primary", null);
	}

	private static LedgerDataSource chosen(Candidate candidate, Choice choice, List<Candidate> all) {
		List<String> others = all.stream().filter((other) -> other != candidate).map(Candidate::name).sorted().toList();
		return new LedgerDataSource(candidate.name(), candidate.beans().getBean(candidate.name(), DataSource.class),
				choice, others);
	}

	private static List<Candidate> candidates(ConfigurableListableBeanFactory beans) {
		List<Candidate> own = Stream.of(beans.getBeanNamesForType(DataSource.class))
			.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
			.map((name) -> new Candidate(name, beans))
			.toList();
		if (!(beans.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent)) {
			return own;
		}
		return Stream
			.concat(own.stream(),
					candidates(parent).stream().filter((candidate) -> !beans.containsLocalBean(candidate.name())))
			.toList();
	}

	private static List<Candidate> matching(List<Candidate> candidates, Predicate<Candidate> condition) {
		return candidates.stream().filter(condition).toList();
	}

	private static String names(List<Candidate> candidates) {
		return String.join(", ", candidates.stream().map(Candidate::name).sorted().toList());
	}

	/**
	 * Says which one it is, and why.
	 */
	String description() {
		String description = "data source '" + this.name + "'";
		if (this.others.isEmpty()) {
			return description;
		}
		description += " (" + this.choice.name().toLowerCase(Locale.ROOT) + " among " + (this.others.size() + 1);
		return description + ((this.choice == Choice.MARKED) ? ")"
				: "; @OnceDataSource would choose another of: " + String.join(", ", this.others) + ")");
	}

	/**
	 * Who chose it.
	 */
	enum Choice {

		/**
		 * The annotation did.
		 */
		MARKED,

		/**
		 * It is the primary one of several.
		 */
		PRIMARY,

		/**
		 * There is no other that is injected without being asked for by name.
		 */
		ONLY

	}

	/**
	 * A bean that could be it.
	 */
	private record Candidate(String name, ConfigurableListableBeanFactory beans) {

		boolean isMarked() {
			return this.beans.findAnnotationOnBean(this.name, OnceDataSource.class) != null
					|| (definition() instanceof AbstractBeanDefinition definition
							&& definition.hasQualifier(OnceDataSource.class.getName()));
		}

		boolean isUsual() {
			BeanDefinition definition = definition();
			return definition == null || definition.isAutowireCandidate()
					&& !(definition instanceof AbstractBeanDefinition usual && !usual.isDefaultCandidate());
		}

		boolean isPrimary() {
			BeanDefinition definition = definition();
			return definition != null && definition.isPrimary();
		}

		boolean isFallback() {
			BeanDefinition definition = definition();
			return definition != null && definition.isFallback();
		}

		private @Nullable BeanDefinition definition() {
			return this.beans.containsBeanDefinition(this.name) ? this.beans.getMergedBeanDefinition(this.name) : null;
		}

	}

}
