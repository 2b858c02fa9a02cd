package dev.once;

/**
 * How far in time a fact or an occurrence reaches. All but {@link #FACT} are taken from a
 * due time, never from the clock at delivery; days, weeks, months and years are those of
 * the schedule's zone, or of {@code once.zone} where the schedule has none.
 */
public enum Grain {

	/**
	 * For ever: the fact is the same whenever it is met.
	 */
	FACT,

	/**
	 * The occurrence of the job.
	 */
	OCCURRENCE,

	/**
	 * The calendar day of the due time.
	 */
	DAY,

	/**
	 * The ISO week of the due time, whatever the locale.
	 */
	WEEK,

	/**
	 * The calendar month of the due time.
	 */
	MONTH,

	/**
	 * The calendar year of the due time.
	 */
	YEAR

}
