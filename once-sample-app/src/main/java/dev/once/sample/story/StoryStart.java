package dev.once.sample.story;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;

import org.springframework.boot.SpringApplication;
import org.springframework.core.env.Environment;
import org.springframework.web.client.RestClient;

/**
 * Prepares the stage: a directory of its own for each telling, and a far side that will
 * lose one answer before the first job fires.
 */
public final class StoryStart {

	private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

	private StoryStart() {
	}

	/**
	 * Prepares an application for the story.
	 * @param application the application
	 * @param main the class whose main method starts processes of the sample
	 * @param environment the command line and the system's properties
	 */
	public static void prepare(SpringApplication application, Class<?> main, Environment environment) {
		Path directory = directory(environment).toAbsolutePath();
		FarSideProcess farSide = FarSideProcess.start(main, directory.resolve("far-side.jsonl"));
		new FarSideView(RestClient.create(farSide.url().toString())).loseOneAnswer(Story.LOST, Story.LIST_LATE_MILLIS);
		application.setDefaultProperties(Map.of("sample.story.far-side", farSide.url().toString(),
				"sample.story.database", "jdbc:h2:file:" + directory.resolve("billing") + ";WRITE_DELAY=0",
				"logging.file.name", directory.resolve("billing.log").toString(), "logging.threshold.console", "warn"));
		application.addInitializers((context) -> context.getBeanFactory().registerSingleton("farSideProcess", farSide));
	}

	private static Path directory(Environment environment) {
		Path parent = Path.of(environment.getProperty("sample.story.directory", "target/story"));
		Path directory = parent.resolve(LocalDateTime.now().format(STAMP));
		try {
			return Files.createDirectories(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create " + directory + ": set sample.story.directory", ex);
		}
	}

}
