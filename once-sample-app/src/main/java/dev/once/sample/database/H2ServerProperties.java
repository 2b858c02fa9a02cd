package dev.once.sample.database;

import java.nio.file.Path;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the database server's process.
 *
 * @param port Port to listen on; 0 takes a free one, which is printed.
 * @param directory Directory of the database files.
 */
@ConfigurationProperties("h2-server")
record H2ServerProperties(@DefaultValue("9092") int port, @DefaultValue("data") Path directory) {
}
