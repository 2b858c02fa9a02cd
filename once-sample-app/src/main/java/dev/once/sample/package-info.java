/**
 * A billing assistant whose effects happen once.
 */
@NullMarked
package dev.once.sample;

import org.jspecify.annotations.NullMarked;
