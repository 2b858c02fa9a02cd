package dev.once.ledger;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.Effect;
import dev.once.EffectNotSentException;
import dev.once.EffectRefusedException;
import dev.once.Outcome;
import dev.once.SecondRequestException;
import dev.once.ledger.EffectProtocol.Body;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E5: a failure proves something about its own request only, so that every other one has
 * to be accounted for before an effect is free again.
 */
class RequestScoreTests {

	private static final String CHARGE = FarSideDouble.REQUEST;

	private ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E5: the first one may have arrived. */
	@Test
	void aReadTimeOutFollowedByAnInnerRetrysConnectRefusedIsUnknown() {
		assertThat(stateAfter((effect) -> {
			this.farSide.accept(effect);
			effect.sending(CHARGE);
			throw new ConnectException("refused");
		})).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: and a refusal of the second proves nothing about the first. */
	@Test
	void aReadTimeOutFollowedByAnInnerRetrysRefusalIsUnknownAndNotCountedAsRefusal() {
		assertThat(stateAfter((effect) -> {
			this.farSide.accept(effect);
			effect.sending(CHARGE);
			throw new EffectRefusedException("429");
		})).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.row(this.once.charge("inv-1")).refusals()).isZero();
	}

	/** E5: the order does not matter. */
	@Test
	void aConnectRefusedFollowedByAnInnerRetrysReadTimeOutIsUnknown() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE).didNothing();
			this.farSide.accept(effect);
			throw new SocketTimeoutException("Read timed out");
		})).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: it does not say which request it is about. */
	@Test
	void aBareNotSentAfterACountedRequestIsUnknown() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE);
			throw new EffectNotSentException("gave up");
		})).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: its cause does. */
	@Test
	void aNotSentThatWrapsTheTransportsFailureIsAboutTheLastRequest() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE);
			throw new EffectNotSentException("gave up", new ConnectException("refused"));
		})).isEqualTo(EffectState.CLAIMED);
	}

	/** E5: definitely refused, too. */
	@Test
	void requestsThatDidNothingDoNotStandInTheWay() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE).didNothing();
			effect.sending(CHARGE).didNothing();
			effect.sending(CHARGE);
			throw new ConnectException("refused");
		})).isEqualTo(EffectState.CLAIMED);
	}

	/** E5. */
	@Test
	void aBareNotSentIsBelievedWhenTheOnlyRequestDidNothing() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE).didNothing();
			throw new EffectNotSentException("gave up");
		})).isEqualTo(EffectState.CLAIMED);
	}

	/** E5: whichever of them is open. */
	@Test
	void oneOpenRequestAmongManyIsEnoughToBeUnknown() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE).didNothing();
			effect.sending(CHARGE);
			effect.sending(CHARGE).didNothing();
			throw new EffectRefusedException("429");
		})).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: a database or another host that refuses says nothing about the request. */
	@Test
	void aRefusedConnectionAfterTheBodyTurnedElsewhereIsUnknown() {
		assertThat(stateAfter((effect) -> {
			this.farSide.accept(effect);
			effect.turnsElsewhere();
			throw new ConnectException("the database is down");
		})).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: it is about the inner effect's request, whoever passes it on. */
	@Test
	void aRefusalOfAnInnerEffectSaysNothingAboutTheOutersRequest() {
		Body<String> refused = (inner) -> {
			throw new EffectRefusedException("429");
		};
		assertThat(stateAfter((effect) -> {
			this.farSide.accept(effect);
			return this.once.charge("inner").perform(refused);
		})).isEqualTo(EffectState.UNKNOWN);
		TestCall thrown = this.once.charge("inv-2");
		thrown.perform((effect) -> {
			this.farSide.accept(effect);
			this.once.charge("inner").perform(refused);
			throw new EffectRefusedException("passed on");
		});
		assertThat(this.once.row(thrown).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: a transport whose failures carry the request's name would have said so. */
	@Test
	void aRefusedConnectionThatNamesNoRequestDoesNotExcuseOneThatFailsByName() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE).failsByName();
			throw new ConnectException("refused by whom?");
		})).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: one effect is one writing request. */
	@ParameterizedTest
	@ValueSource(strings = { "POST https://payments.example/refunds", "PUT https://payments.example/charges", "" })
	void aSecondDifferentRequestIsRefusedAndTheFirstStaysUnknown(String second) {
		AtomicReference<SecondRequestException> refusal = new AtomicReference<>();
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE);
			try {
				effect.sending(second);
				this.farSide.accept(effect);
			}
			catch (SecondRequestException ex) {
				refusal.set(ex);
				throw ex;
			}
			return Outcome.done("both");
		})).isEqualTo(EffectState.UNKNOWN);
		assertThat(refusal.get()).hasMessageContaining("'charge/inv-1'")
			.hasMessageContaining("once.http.second-request=warn");
		assertThat(this.farSide.requests()).isZero();
	}

	/** E5: a repetition of the same request is an inner retry. */
	@Test
	void theSameRequestMayBeRepeated() {
		assertThat(stateAfter((effect) -> {
			effect.sending(CHARGE);
			effect.sending(CHARGE);
			return Outcome.done("receipt");
		})).isEqualTo(EffectState.DONE);
	}

	/** E5, {@code once.http.second-request=warn}. */
	@Test
	void aSecondDifferentRequestPassesWhereItIsOnlyWarnedOfAndCountsAllTheSame() {
		this.once.close();
		this.once = new ProtocolUnderTest(SecondRequest.WARN, List.of(), Duration.ofSeconds(10));
		assertThat(stateAfter((effect) -> {
			effect.sending("POST https://payments.example/customers");
			effect.sending(CHARGE).didNothing();
			throw new EffectRefusedException("422");
		})).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5, E8: while an earlier attempt's fate is open, neither leads to claimed. */
	@Test
	void aReSendThatIsNotSentOrRefusedGoesBackToUnknown() {
		TestCall call = this.once.charge("inv-1").under(Contracts.remembering(Duration.ofHours(24)));
		call.perform(this.farSide.acceptsThen(new SocketTimeoutException("Read timed out")));
		Outcome<String> notSent = call.perform(this.farSide.unreachable(new ConnectException("refused")));
		assertThat(notSent).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.row(call).attempt().number()).isEqualTo(2);
		call.perform(this.farSide.unreachable(new EffectRefusedException("422", null, null, true)));
		EffectRow row = this.once.row(call);
		assertThat(row.state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(row.attention()).isNull();
		assertThat(row.refusals()).isZero();
		call.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		assertThat(this.once.row(call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(call.perform(this.farSide::charge).isDone()).isTrue();
	}

	/** E3, E8: nor does a deadline. */
	@Test
	void aReSendThatMissesItsDeadlineGoesBackToUnknown() {
		TestCall call = this.once.charge("inv-1").under(Contracts.remembering(Duration.ofHours(24)));
		call.perform(this.farSide.acceptsThen(new SocketTimeoutException("Read timed out")));
		call.perform((effect) -> {
			this.once.time().advance(Duration.ofSeconds(30));
			return this.farSide.charge(effect);
		});
		assertThat(this.once.row(call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E5: the score is taken once, and nothing is added to it afterwards. */
	@Test
	void noRequestIsCountedOnceTheScoreIsTaken() {
		AtomicReference<Effect> kept = new AtomicReference<>();
		this.once.ledger().before(Move.Release.class, () -> {
			assertThatExceptionOfType(EffectNotSentException.class).isThrownBy(() -> this.farSide.accept(kept.get()));
		});
		assertThat(stateAfter((effect) -> {
			kept.set(effect);
			throw new EffectNotSentException("gave up waiting for the connection");
		})).isEqualTo(EffectState.CLAIMED);
		assertThat(this.farSide.requests()).isZero();
	}

	private EffectState stateAfter(Body<String> body) {
		TestCall call = this.once.charge("inv-1");
		call.perform(body);
		return this.once.row(call).state();
	}

}
