package dev.once;

/**
 * Asks the far side whether an effect happened.
 *
 * @param <T> the effect's answer
 */
@FunctionalInterface
public interface EffectResolver<T> {

	/**
	 * Asks the far side. A throw counts as {@link Resolution#cannotTell()}.
	 * @param effect the effect asked about
	 * @return what the far side says
	 * @throws Exception when it cannot be asked
	 */
	Resolution<T> resolve(UnresolvedEffect effect) throws Exception;

}
