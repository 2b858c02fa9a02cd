/**
 * Points at which the crash test kills or stops a node (profile {@code crash}).
 */
@NullMarked
package dev.once.sample.crash;

import org.jspecify.annotations.NullMarked;
