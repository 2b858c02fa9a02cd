package dev.once.approval;

import dev.once.OnceException;
import dev.once.key.CleanText;
import org.jspecify.annotations.Nullable;

/**
 * One decision of a person (P2). Its texts are cleaned and cut as it is made, so that no
 * decision is lost because one could not be stored (E11).
 *
 * @param id a random id: written again under it, it is still one decision
 * @param kind what was decided
 * @param job the job that it is about, or {@code null}
 * @param occurrence the occurrence that it is about, or {@code null}
 * @param effectKey key of the effect that it is about, or {@code null}
 * @param revision revision of that effect, or {@code null}
 * @param who the authenticated principal, at most 255 characters
 * @param why why, at most 2000 characters, or {@code null} where nothing was said
 * @param detail what became of it, at most 2000 characters, or {@code null}
 */
public record Decision(String id, DecisionKind kind, @Nullable String job, @Nullable String occurrence,
		@Nullable String effectKey, @Nullable Integer revision, String who, @Nullable String why,
		@Nullable String detail) {

	private static final int MAX_WHO = 255;

	private static final int MAX_TEXT = 2000;

	/**
	 * Makes a decision.
	 * @throws OnceException when {@code who} is blank
	 */
	public Decision {
		if (who.isBlank()) {
			throw new OnceException("A decision is recorded with who decides, and nobody is named: give the"
					+ " authenticated principal a name");
		}
		who = CleanText.clean(who, MAX_WHO);
		why = text(why);
		detail = text(detail);
	}

	/**
	 * Makes a decision about a job.
	 * @param id a random id
	 * @param kind what was decided
	 * @param job the job's name
	 * @param occurrence the occurrence's name, or {@code null}
	 * @param who the authenticated principal
	 * @param why why, or {@code null}
	 * @param detail what became of it, or {@code null}
	 * @return the decision
	 * @throws OnceException when {@code who} is blank
	 */
	public static Decision ofJob(String id, DecisionKind kind, String job, @Nullable String occurrence, String who,
			@Nullable String why, @Nullable String detail) {
		return new Decision(id, kind, job, occurrence, null, null, who, why, detail);
	}

	private static @Nullable String text(@Nullable String text) {
		return (text != null && !text.isBlank()) ? CleanText.clean(text, MAX_TEXT) : null;
	}

}
