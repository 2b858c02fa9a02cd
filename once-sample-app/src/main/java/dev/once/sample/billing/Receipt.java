package dev.once.sample.billing;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * What a provider says of an effect.
 *
 * @param number the provider's own number for it
 * @param target what it was about
 * @param amount the amount, null for a mail
 */
record Receipt(String number, String target, @Nullable BigDecimal amount) {
}
