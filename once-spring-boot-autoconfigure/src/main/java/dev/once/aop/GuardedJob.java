package dev.once.aop;

import java.time.Duration;

import dev.once.Overlap;

/**
 * A job that is guarded, for people.
 *
 * @param name the job's name
 * @param method bean and method
 * @param overlap what becomes of a firing that comes while a run is live
 * @param lease how long a run's lease lasts without a renewal
 * @param leaseChoice whether somebody chose that
 */
public record GuardedJob(String name, String method, Overlap overlap, Duration lease, Choice leaseChoice) {

}
