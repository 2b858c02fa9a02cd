package dev.once.ledger;

import dev.once.AnswerUnreadableException;
import dev.once.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E11: the effect has happened, so that its answer's form undoes nothing.
 */
class AnswerKeepingTests {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	static AnswerFormat<String> unwritable() {
		return new AnswerFormat<>() {

			@Override
			public Answer write(String answer) {
				throw new StackOverflowError("a cycle");
			}

			@Override
			public String read(Answer answer) {
				return TestCall.TEXT.read(answer);
			}

		};
	}

	/** E11: done, not kept, and a typed exception on replay. */
	@Test
	void anAnswerThatCannotBeWrittenIsDoneAndNotKept() {
		this.call.answeredIn(unwritable());
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).answer()).isEqualTo(Answer.notKept());
		assertThatExceptionOfType(AnswerUnreadableException.class)
			.isThrownBy(() -> this.call.perform(this.farSide::charge));
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.call.endings()).containsExactly(Ending.PERFORMED, Ending.DUPLICATE);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** A row that a person resolved without an answer. */
	@Test
	void aDoneRowWithoutAnAnswerIsReplayedAsNotKept() {
		this.call.perform(this.farSide::charge);
		EffectRow row = this.once.row(this.call);
		this.once.rows()
			.put(new EffectRow(row.facts(), row.attempt(), row.state(), row.outcome(), null, 0, row.firstSubmittedAt(),
					null, 0, null, null, null, row.readAt()));
		assertThatExceptionOfType(AnswerUnreadableException.class)
			.isThrownBy(() -> this.call.perform(this.farSide::charge));
		assertThat(this.farSide.requests()).isOne();
	}

}
