/**
 * Properties and wiring.
 */
@NullMarked
package dev.once.autoconfigure;

import org.jspecify.annotations.NullMarked;
