package dev.once;

/**
 * Whether an effect may exist that nobody can ask about afterwards: without a resolver,
 * at a far side that does not deduplicate.
 */
public enum Unobservable {

	/**
	 * No: the application does not start with it.
	 */
	REFUSED,

	/**
	 * Yes: when its answer is lost, it waits for a person.
	 */
	ACCEPTED

}
