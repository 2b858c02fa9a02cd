package dev.once.test;

import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.Unobservable;

/**
 * A class whose guarded method no class of another package can override.
 */
public class PackagePrivateSender {

	@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
	void send(@EffectTarget String target) {
	}

}
