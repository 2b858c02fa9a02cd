package dev.once.aop;

import java.lang.reflect.Method;

/**
 * A call of a guarded method that goes, or may go, through {@code this}.
 *
 * @param guarded the method that is called
 * @param caller the class and method that call it, for people
 * @param receiver whether it is certain
 */
record SelfCall(Method guarded, String caller, Origin receiver) {

}
