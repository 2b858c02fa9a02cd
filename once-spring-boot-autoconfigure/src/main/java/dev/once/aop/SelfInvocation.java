package dev.once.aop;

/**
 * What a call of a guarded method that goes through {@code this}, and so past Once, does
 * to the start.
 */
public enum SelfInvocation {

	/** It stops it. */
	FAIL,

	/** A warning names it. */
	WARN

}
