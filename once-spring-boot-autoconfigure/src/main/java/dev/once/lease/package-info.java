/**
 * Leases, renewal, fencing: which run owns a job, and until when (rules L1 to L5).
 */
@NullMarked
package dev.once.lease;

import org.jspecify.annotations.NullMarked;
