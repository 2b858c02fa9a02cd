package dev.once.aop;

import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test that puts a mock in the place of a guarded bean starts.
 */
@SpringJUnitConfig
class GuardedMockTests {

	@MockitoBean
	private Mails mails;

	@Autowired
	private GuardedMethods methods;

	@Test
	void aMockIsNotRefusedForBeingUnguarded() {
		this.mails.send("a");
		assertThat(this.methods.effects()).isEmpty();
	}

	static class Mails {

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String address) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ ProxyCreatorRegistrar.class, Mails.class })
	static class Guarded {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static GuardedMethods methods(ConfigurableListableBeanFactory beans) {
			return new GuardedMethods(beans, TestSettings::new);
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static GuardAdvisor advisor(GuardedMethods methods) {
			return new GuardAdvisor(methods, () -> {
				throw new IllegalStateException("Nothing is carried out");
			});
		}

	}

}
