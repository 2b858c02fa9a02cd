package dev.once.jdbc;

/**
 * What Once does about its tables as it starts.
 */
public enum InitializeSchema {

	/** Creates or updates them where something is missing. */
	ALWAYS,

	/** Stops the start where something is missing, and changes nothing. */
	VALIDATE,

	/** Does not look. */
	NEVER

}
