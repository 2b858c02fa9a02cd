package dev.once.sample.database;

import java.sql.SQLException;

import org.h2.tools.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * H2's own server, in a process that outlives the nodes that use it.
 */
@Configuration(proxyBeanMethods = false)
@Profile(H2ServerApplication.PROFILE)
@EnableConfigurationProperties(H2ServerProperties.class)
public class H2ServerApplication {

	/**
	 * The profile that makes a process the database server.
	 */
	public static final String PROFILE = "h2-server";

	private static final Logger logger = LoggerFactory.getLogger(H2ServerApplication.class);

	/**
	 * Starts the database server in this process.
	 * @param args the command line
	 * @return the context, which stops the server when it is closed
	 */
	public static ConfigurableApplicationContext run(String[] args) {
		return new SpringApplicationBuilder(H2ServerApplication.class).web(WebApplicationType.NONE)
			.profiles(PROFILE)
			.run(args);
	}

	// Without -tcpAllowOthers the server answers this machine only.
	@Bean(destroyMethod = "stop")
	Server h2Server(H2ServerProperties properties) throws SQLException {
		Server server = Server
			.createTcpServer("-tcpPort", String.valueOf(properties.port()), "-baseDir",
					properties.directory().toAbsolutePath().toString(), "-ifNotExists")
			.start();
		logger.info("H2 ready at jdbc:h2:tcp://localhost:{}/./billing, files in {}", server.getPort(),
				properties.directory());
		return server;
	}

}
