package dev.once.aop;

import dev.once.key.EffectKeys;
import dev.once.lease.TimeSource;
import dev.once.ledger.EffectProtocol;
import dev.once.occurrence.Runs;

/**
 * What guarded calls are carried out with, resolved with the first call.
 *
 * @param keys derives effect keys
 * @param effects makes effects happen once
 * @param runs starts and ends runs
 * @param time the process's time
 */
public record Collaborators(EffectKeys keys, EffectProtocol effects, Runs runs, TimeSource time) {

}
