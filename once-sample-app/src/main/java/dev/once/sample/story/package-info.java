/**
 * Tells what happens to the billing's effects, in figures read from the far side and from
 * the actuator.
 */
@NullMarked
package dev.once.sample.story;

import org.jspecify.annotations.NullMarked;
