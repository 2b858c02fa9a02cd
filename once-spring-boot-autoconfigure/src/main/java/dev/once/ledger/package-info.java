/**
 * The effect's states and moves. {@link dev.once.ledger.EffectProtocol} is the one place
 * where the E rules live, {@link dev.once.ledger.EffectRules} the one definition of which
 * event leads to which move.
 */
@NullMarked
package dev.once.ledger;

import org.jspecify.annotations.NullMarked;
