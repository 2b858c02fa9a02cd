/**
 * The background work: rows past their window become unknown and are resolved without
 * waiting for the next call.
 */
@NullMarked
package dev.once.caretaker;

import org.jspecify.annotations.NullMarked;
