/**
 * The interceptor: from a method call to a protocol call, and what cannot be guarded.
 */
@NullMarked
package dev.once.aop;

import org.jspecify.annotations.NullMarked;
