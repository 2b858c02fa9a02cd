package dev.once.aop;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * A guarded bean that exists without Once before it, most often because a post-processor
 * needed it before the advisor was there.
 *
 * @param beans its context's beans
 * @param bean the bean
 */
record EarlyBean(ConfigurableListableBeanFactory beans, MarkedBean bean) {

	private static final String WHAT = "it was created before Once could stand before it, so that its guarded methods "
			+ "would run unguarded";

	InvalidGuardException refusal() {
		List<String> path = pathToPostProcessor();
		if (path == null) {
			return new InvalidGuardException(this.bean.toString(), WHAT,
					"A BeanPostProcessor or BeanFactoryPostProcessor asks for it, or something puts the bean in its "
							+ "proxy's place: give the post-processor an ObjectProvider of it and ask later, or mark "
							+ "its parameter @Lazy");
		}
		String last = path.get(path.size() - 1);
		String chain = path.stream()
			.map((name) -> "'" + name + "'")
			.collect(Collectors.joining(", which is needed by "));
		if (isPostProcessor(last)) {
			return new InvalidGuardException(this.bean.toString(),
					WHAT + ": it is needed by " + chain + ", a post-processor", "Give '" + path.get(0)
							+ "' an ObjectProvider of it and ask later, or mark its parameter or field @Lazy");
		}
		return new InvalidGuardException(this.bean.toString(),
				WHAT + ": it is needed by " + chain + ", whose " + methods(last) + " makes a post-processor",
				"Make " + methods(last) + " static, or give '" + path.get(0)
						+ "' an ObjectProvider of the bean and ask later");
	}

	/**
	 * The shortest way from what needs the bean to a post-processor or its configuration.
	 */
	private @Nullable List<String> pathToPostProcessor() {
		Deque<List<String>> paths = new ArrayDeque<>();
		Set<String> seen = new HashSet<>();
		paths.add(List.of());
		while (!paths.isEmpty()) {
			List<String> path = paths.remove();
			String from = path.isEmpty() ? this.bean.name() : path.get(path.size() - 1);
			for (String dependent : this.beans.getDependentBeans(from)) {
				if (seen.add(dependent)) {
					List<String> longer = Stream.concat(path.stream(), Stream.of(dependent)).toList();
					if (isPostProcessor(dependent) || !methods(dependent).isEmpty()) {
						return longer;
					}
					paths.add(longer);
				}
			}
		}
		return null;
	}

	private boolean isPostProcessor(String name) {
		Class<?> type = this.beans.containsBean(name) ? this.beans.getType(name, false) : null;
		return type != null && (BeanPostProcessor.class.isAssignableFrom(type)
				|| BeanFactoryPostProcessor.class.isAssignableFrom(type));
	}

	/**
	 * The methods of a configuration that make post-processors and need the configuration
	 * for it.
	 */
	private String methods(String configuration) {
		return Arrays.stream(this.beans.getBeanDefinitionNames())
			.filter((name) -> configuration.equals(this.beans.getBeanDefinition(name).getFactoryBeanName())
					&& isPostProcessor(name))
			.map((name) -> "method " + this.beans.getBeanDefinition(name).getFactoryMethodName() + "()")
			.sorted()
			.collect(Collectors.joining(" and "));
	}

}
