package dev.once.sample.farside;

import java.nio.file.Path;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.TaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class FarSideApplicationTests {

	@TempDir
	private Path directory;

	@Test
	void theFarSideHasNoDataSourceNoOnceAndNoScheduler() {
		try (ConfigurableApplicationContext context = FarSideApplication
			.run(new String[] { "--far-side.port=0", "--far-side.record=" + this.directory.resolve("record.jsonl") })) {
			assertThat(context.getBeanNamesForType(DataSource.class)).isEmpty();
			assertThat(context.getBeanNamesForType(TaskScheduler.class)).isEmpty();
			assertThat(context.getBeanDefinitionNames()).noneMatch((name) -> name.startsWith("once"));
			assertThat(context.getBeanNamesForType(FarSideServer.class)).hasSize(1);
		}
	}

}
