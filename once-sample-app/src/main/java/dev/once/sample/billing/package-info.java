/**
 * The billing assistant: due invoices, and the clients of the providers that it calls.
 */
@NullMarked
package dev.once.sample.billing;

import org.jspecify.annotations.NullMarked;
