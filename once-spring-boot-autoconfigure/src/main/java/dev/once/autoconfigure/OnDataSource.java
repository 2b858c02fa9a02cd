package dev.once.autoconfigure;

import javax.sql.DataSource;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where there is any data source, those included that are injected only by a
 * qualifier: which one is used is chosen later, and said.
 */
final class OnDataSource extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("DataSource for the ledger");
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		String[] names = (beans != null)
				? BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false)
				: new String[0];
		return (names.length > 0) ? ConditionOutcome.match(message.found("bean", "beans").items((Object[]) names))
				: ConditionOutcome.noMatch(message.didNotFind("any bean").atAll());
	}

}
