package dev.once.sample;

import dev.once.sample.database.H2ServerApplication;
import dev.once.sample.farside.FarSideApplication;
import dev.once.sample.story.StoryMode;
import dev.once.sample.story.StoryStart;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * One jar, three kinds of process: a node of the billing assistant, the far side (profile
 * {@code far-side}) and the database server that two nodes share (profile
 * {@code h2-server}).
 */
@SpringBootApplication
@ConfigurationPropertiesScan("dev.once.sample.billing")
public class SampleApplication {

	public static void main(String[] args) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
		if (environment.matchesProfiles(FarSideApplication.PROFILE)) {
			FarSideApplication.run(args);
		}
		else if (environment.matchesProfiles(H2ServerApplication.PROFILE)) {
			H2ServerApplication.run(args);
		}
		else {
			runNode(environment, args);
		}
	}

	private static void runNode(StandardEnvironment environment, String[] args) {
		SpringApplication application = new SpringApplication(SampleApplication.class);
		if (StoryMode.of(environment) != StoryMode.OFF) {
			StoryStart.prepare(application, SampleApplication.class, environment);
		}
		application.run(args);
	}

}
