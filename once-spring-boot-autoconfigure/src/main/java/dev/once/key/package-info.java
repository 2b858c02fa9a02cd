/**
 * The effect key: from the parts of an effect to one canonical encoding and its digest.
 */
@NullMarked
package dev.once.key;

import org.jspecify.annotations.NullMarked;
