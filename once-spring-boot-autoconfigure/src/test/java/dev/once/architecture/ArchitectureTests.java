package dev.once.architecture;

import java.util.List;
import java.util.Map;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dependencies point one way, and Boot's own rules for auto-configurations hold.
 */
class ArchitectureTests {

	/** Which packages each package may know; a package that is not listed fails. */
	private static final Map<String, List<String>> MAY_KNOW = Map.ofEntries(Map.entry("dev.once", List.of()),
			Map.entry("dev.once.key", List.of("dev.once")), Map.entry("dev.once.lease", List.of("dev.once")),
			Map.entry("dev.once.approval", List.of("dev.once", "dev.once.key")),
			Map.entry("dev.once.ledger", List.of("dev.once", "dev.once.approval", "dev.once.key", "dev.once.lease")),
			Map.entry("dev.once.occurrence",
					List.of("dev.once", "dev.once.approval", "dev.once.lease", "dev.once.ledger")),
			Map.entry("dev.once.caretaker",
					List.of("dev.once", "dev.once.approval", "dev.once.lease", "dev.once.ledger",
							"dev.once.occurrence")),
			Map.entry("dev.once.jdbc",
					List.of("dev.once", "dev.once.approval", "dev.once.lease", "dev.once.ledger",
							"dev.once.occurrence")),
			Map.entry("dev.once.aop",
					List.of("dev.once", "dev.once.key", "dev.once.lease", "dev.once.ledger", "dev.once.occurrence")),
			Map.entry("dev.once.http", List.of("dev.once", "dev.once.ledger")),
			Map.entry("dev.once.actuate",
					List.of("dev.once", "dev.once.approval", "dev.once.lease", "dev.once.ledger",
							"dev.once.occurrence")),
			Map.entry("dev.once.autoconfigure",
					List.of("dev.once", "dev.once.approval", "dev.once.key", "dev.once.lease", "dev.once.ledger",
							"dev.once.occurrence", "dev.once.caretaker", "dev.once.jdbc", "dev.once.aop",
							"dev.once.http", "dev.once.actuate")));

	private static final JavaClasses production = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.once");

	static List<String> packages() {
		return production.stream().map(JavaClass::getPackageName).distinct().sorted().toList();
	}

	@ParameterizedTest
	@MethodSource("packages")
	void aPackageKnowsOnlyThoseBelowIt(String name) {
		assertThat(MAY_KNOW).containsKey(name);
		DescribedPredicate<JavaClass> foreign = DescribedPredicate.describe("a package that " + name + " may not know",
				(type) -> type.getPackageName().startsWith("dev.once") && !type.getPackageName().equals(name)
						&& !MAY_KNOW.get(name).contains(type.getPackageName()));
		noClasses().that()
			.resideInAPackage(name)
			.should()
			.dependOnClassesThat(foreign)
			.allowEmptyShould(true)
			.check(production);
	}

	@Test
	void thereAreNoCycles() {
		slices().matching("dev.once.(*)..").should().beFreeOfCycles().check(production);
	}

	@ParameterizedTest
	@MethodSource("protocolPackages")
	void theProtocolKnowsNeitherBootNorAopNorJdbc(String name) {
		noClasses().that()
			.resideInAPackage(name)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..", "org.springframework.aop..", "org.springframework.jdbc..",
					"java.sql..", "javax.sql..", "com.zaxxer..")
			.check(production);
	}

	static List<String> protocolPackages() {
		return packages().stream()
			.filter((name) -> List
				.of("dev.once", "dev.once.key", "dev.once.lease", "dev.once.approval", "dev.once.ledger",
						"dev.once.occurrence", "dev.once.caretaker")
				.contains(name))
			.toList();
	}

	@Test
	void autoConfigurationsArePublicAndFinal() {
		classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.check(production);
	}

	@Test
	void postProcessorBeansAreStatic() {
		methods().that()
			.areAnnotatedWith(Bean.class)
			.and()
			.haveRawReturnType(DescribedPredicate.describe("a post-processor",
					(type) -> type.isAssignableTo(BeanPostProcessor.class)
							|| type.isAssignableTo(BeanFactoryPostProcessor.class)))
			.should()
			.beStatic()
			.allowEmptyShould(true)
			.check(production);
	}

	@Test
	void conditionalOnClassIsNotOnMethods() {
		ArchRule rule = methods().should().notBeAnnotatedWith(ConditionalOnClass.class);
		rule.check(production);
	}

	@Test
	void beanMethodsOfAutoConfigurationsAreNotPublic() {
		methods().that().areAnnotatedWith(Bean.class).should(new ArchCondition<JavaMethod>("not be public") {

			@Override
			public void check(JavaMethod method, ConditionEvents events) {
				if (method.getModifiers().contains(JavaModifier.PUBLIC)) {
					events.add(SimpleConditionEvent.violated(method, method.getFullName() + " is public"));
				}
			}

		}).allowEmptyShould(true).check(production);
	}

}
