/**
 * What travels with the requests of Spring's HTTP clients: the key, the deadline and the
 * score of what was sent; and what the clients' failures prove.
 */
@NullMarked
package dev.once.http;

import org.jspecify.annotations.NullMarked;
