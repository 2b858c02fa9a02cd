/**
 * What an application imports: annotations, the current effect and run, outcomes and
 * exceptions. Nothing else of Once is API.
 */
@NullMarked
package dev.once;

import org.jspecify.annotations.NullMarked;
