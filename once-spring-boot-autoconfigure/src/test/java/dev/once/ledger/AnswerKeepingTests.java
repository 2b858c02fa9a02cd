package dev.once.ledger;

import java.util.Collections;

import dev.once.AnswerUnreadableException;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.ledger.UnreliableLedger.Fault;
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

	/** E4, E11: written until it is stored, and not for ever. */
	@Test
	void anAnswerThatTheDatabaseRefusesIsDoneAndNotKept() {
		this.once.ledger().fail(Move.Settle.class, Fault.UNSTORABLE);
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).answer()).isEqualTo(Answer.notKept());
		assertThat(this.once.ledger().moves(Move.Settle.class)).hasSize(2);
	}

	/** E7, E11. */
	@Test
	void anAnswerOfTheFarSideThatTheDatabaseRefusesIsDoneAndNotKept() {
		this.call.perform(this.farSide.acceptsThen(new IllegalStateException("unreadable")));
		this.once.ledger().fail(Move.Happened.class, Fault.UNSTORABLE);
		this.once
			.resolveDue(new Resolvable<>(Contracts.PAYMENTS, (effect) -> Resolution.happened("found"), TestCall.TEXT));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).answer()).isEqualTo(Answer.notKept());
	}

	/** Case 15: a data error is not taken for "somebody else has it". */
	@Test
	void anEffectWhoseValuesTheDatabaseRefusesIsNotSent() {
		this.once.ledger().fail(Move.Submit.class, Collections.nCopies(6, Fault.UNSTORABLE).toArray(Fault[]::new));
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.farSide.requests()).isZero();
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
