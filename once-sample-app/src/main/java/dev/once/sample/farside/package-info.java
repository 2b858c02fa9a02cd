/**
 * The far side of the sample, simulated in a process of its own: a payment provider, a
 * mail provider and a figures board that keep a durable record of what they accepted.
 */
@NullMarked
package dev.once.sample.farside;

import org.jspecify.annotations.NullMarked;
