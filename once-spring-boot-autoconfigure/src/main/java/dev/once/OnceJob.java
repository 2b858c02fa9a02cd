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
 * Called while another run holds the lease, or for an occurrence that is known already, a
 * method that returns nothing is skipped; one that returns a value throws a
 * {@link JobNotRunException}, but not to its own timer. Called within its own run, it is
 * a part of that run; named another occurrence there, it is refused. What becomes of a
 * call, or of a due time, that comes while another run is live says {@link #overlap};
 * refused calls throw a {@link JobRefusedException}, to their own timer too.
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
	 * How many occurrences may wait: those that {@link Overlap#QUEUE} keeps, and those
	 * that {@link #onMissed} has run afterwards. Zero means
	 * {@code once.defaults.queue-depth}.
	 */
	int queueDepth() default 0;

	/**
	 * What becomes of due times that passed while no run was live.
	 */
	OnMissed onMissed() default OnMissed.REPORT;

	/**
	 * How long the lease lasts without a renewal, at least 5 s; a duration or a
	 * placeholder. Empty means {@code once.defaults.lease}.
	 */
	String lease() default "";

	/**
	 * Whether the lease is renewed while the body runs. If not, another run may start
	 * when it has lapsed, and this one then starts no further effect.
	 */
	boolean renew() default true;

	/**
	 * How long a run may last; a duration or a placeholder. What lasts longer is no
	 * longer renewed, so that another run may start, and starts no further effect. At
	 * least the lease. Empty means for as long as it takes.
	 */
	String maxRun() default "";

	/**
	 * How many attempts an occurrence has whose run dies or whose body throws; after the
	 * last one it is abandoned. Zero means {@code once.defaults.job-attempts}.
	 */
	int attempts() default 0;

	/**
	 * How much of the due time names an occurrence: {@link Grain#DAY} makes it one a day,
	 * whatever the cron. {@link Grain#FACT} is refused.
	 */
	Grain grain() default Grain.OCCURRENCE;

	/**
	 * SpEL over the arguments ({@code #order.id}, {@code {#customer, #day}}) that names
	 * an occurrence of triggered work, which is due when it is first called. Data only:
	 * no types, constructors or beans. The arguments are recorded, so that a run that
	 * comes back can be given them. Not for {@code @Scheduled} methods.
	 */
	String occurrence() default "";

}
