package dev.once;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * The method is a job: one run at a time on all nodes, guarded by a lease whose fencing
 * token every effect of the run carries.
 * <p>
 * Called while another run holds the lease, a method that returns nothing is skipped; one
 * that returns a value throws a {@link JobAlreadyRunningException}. Called within its own
 * run, it is a part of that run.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface OnceJob {

	/**
	 * Name of the job: {@code [a-z][a-z0-9-]*}, at most 64 characters.
	 */
	String name();

	/**
	 * What becomes of a firing that comes while a run is live. Exactly one value, here or
	 * in {@code once.jobs.<name>.overlap}: there is no default.
	 */
	Overlap[] overlap() default {};

	/**
	 * How long the lease lasts without a renewal, at least 5 s; a duration or a
	 * placeholder. Empty means {@code once.defaults.lease}.
	 */
	String lease() default "";

	/**
	 * How many attempts an occurrence has whose run dies or whose body throws; after the
	 * last one it is abandoned. Zero means {@code once.defaults.job-attempts}.
	 */
	int attempts() default 0;

}
