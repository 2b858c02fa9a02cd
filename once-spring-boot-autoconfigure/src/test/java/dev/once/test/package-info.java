/**
 * What the tests of several packages stand on: databases and faults on the wire.
 */
@NullMarked
package dev.once.test;

import org.jspecify.annotations.NullMarked;
