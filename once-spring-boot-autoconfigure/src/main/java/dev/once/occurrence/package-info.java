/**
 * The runs of a job: each holds the job's lease, counts what became of its effects, and
 * says so in one line.
 */
@NullMarked
package dev.once.occurrence;

import org.jspecify.annotations.NullMarked;
