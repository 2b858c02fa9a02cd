/**
 * What operators read of Once: endpoint, health, meters.
 */
@NullMarked
package dev.once.actuate;

import org.jspecify.annotations.NullMarked;
