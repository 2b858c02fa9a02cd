package dev.once.sample.farside;

import java.io.IOException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * The far side's process: no auto-configuration, so no data source, no Once and no
 * servlet container, which could not drop a connection on demand.
 */
@Configuration(proxyBeanMethods = false)
@Profile(FarSideApplication.PROFILE)
@EnableConfigurationProperties(FarSideProperties.class)
public class FarSideApplication {

	/**
	 * The profile that makes a process the far side.
	 */
	public static final String PROFILE = "far-side";

	private static final Logger logger = LoggerFactory.getLogger(FarSideApplication.class);

	/**
	 * Starts the far side in this process.
	 * @param args the command line
	 * @return the context, which stops the far side when it is closed
	 */
	public static ConfigurableApplicationContext run(String[] args) {
		return new SpringApplicationBuilder(FarSideApplication.class).web(WebApplicationType.NONE)
			.profiles(PROFILE)
			.run(args);
	}

	@Bean
	FarSideRecord farSideRecord(FarSideProperties properties) throws IOException {
		return new FarSideRecord(properties.record(), JsonMapper.shared());
	}

	@Bean
	FarSideServer farSideServer(FarSideProperties properties, FarSideRecord record) throws IOException {
		Behaviour behaviour = new Behaviour(properties.deduplicate(), properties.listLate());
		FarSideServer server = new FarSideServer(properties.port(), record, behaviour);
		logger.info("Far side ready at {}, {} requests in {}", server.url(), record.all().size(), properties.record());
		return server;
	}

}
