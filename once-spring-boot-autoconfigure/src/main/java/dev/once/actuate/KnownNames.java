package dev.once.actuate;

import java.util.Collection;

/**
 * The names that the code declares, so that meters stand at zero before anything happens
 * and no name out of a table becomes a tag.
 */
public interface KnownNames {

	/**
	 * The actions that are known at start.
	 */
	Collection<String> actions();

	/**
	 * The jobs that are known at start.
	 */
	Collection<String> jobs();

}
