package dev.once.sample.billing;

import java.math.BigDecimal;
import java.time.LocalDate;

import org.jspecify.annotations.Nullable;

/**
 * An invoice to be charged.
 *
 * @param id its number
 * @param customer who is charged
 * @param email where the receipt goes
 * @param amount how much, with two decimals
 * @param dueOn from which day on
 * @param receipt the number of the payment's receipt, null while it is not paid
 */
record Invoice(String id, String customer, String email, BigDecimal amount, LocalDate dueOn, @Nullable String receipt) {
}
