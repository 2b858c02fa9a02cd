package dev.once.sample.crash;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the crash test arms in a node.
 *
 * @param point Point at which the signal is sent.
 * @param at Number of the passing at which it is sent.
 * @param signal Name of the signal, KILL or STOP.
 */
@ConfigurationProperties("crash")
record CrashProperties(@Nullable KillPoint point, @DefaultValue("1") int at, @DefaultValue("KILL") String signal) {
}
