/**
 * The database server that two nodes of the sample share.
 */
@NullMarked
package dev.once.sample.database;

import org.jspecify.annotations.NullMarked;
