package dev.once.ledger;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;

import dev.once.Effect;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Named;
import dev.once.ledger.Failure.Next;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.Failure.Refused;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * E5: a body goes on after its request was answered, and what fails then is not the
 * request.
 */
class FailuresOfOthersTests {

	private static final String REQUEST = FarSideDouble.REQUEST;

	private final ProtocolUnderTest once = new ProtocolUnderTest(SecondRequest.FAIL,
			List.of(FailuresOfOthersTests::named), Duration.ofSeconds(10));

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	@Test
	void aRefusedConnectionToSomethingElseIsUnknown() {
		assertThat(stateAfter((effect) -> effect.sending(REQUEST).failsByName(), new ConnectException("Redis")))
			.isEqualTo(EffectState.UNKNOWN);
	}

	@Test
	void aRefusedConnectionOfTheRequestIsNotSent() {
		assertThat(stateAfter((effect) -> effect.sending(REQUEST).failsByName(), new NamedFailure(REQUEST)))
			.isEqualTo(EffectState.CLAIMED);
	}

	@Test
	void aRefusedConnectionOfAnotherRequestIsUnknown() {
		assertThat(stateAfter((effect) -> effect.sending(REQUEST), new NamedFailure("POST https://chat.example/")))
			.isEqualTo(EffectState.UNKNOWN);
	}

	@Test
	void aRefusalAfterTheBodyTurnedElsewhereIsUnknown() {
		assertThat(stateAfter((effect) -> {
			effect.sending(REQUEST);
			effect.turnsElsewhere();
		}, new IllegalStateException("404"))).isEqualTo(EffectState.UNKNOWN);
	}

	@Test
	void aRefusalOfARepetitionAfterTheBodyTurnedElsewhereIsOne() {
		assertThat(stateAfter((effect) -> {
			effect.sending(REQUEST).didNothing();
			effect.turnsElsewhere();
			effect.sending(REQUEST);
		}, new IllegalStateException("404"))).isEqualTo(EffectState.CLAIMED);
	}

	private EffectState stateAfter(Body sending, Exception failure) {
		this.call.perform((effect) -> {
			sending.send(effect);
			throw failure;
		});
		return this.once.row(this.call).state();
	}

	private static Failure named(Throwable failure) {
		if (failure instanceof NamedFailure named) {
			return new Named(named.getMessage(), new NotSent(About.THE_LAST_REQUEST));
		}
		return (failure instanceof IllegalStateException) ? new Refused(null, Next.A_PERSON) : null;
	}

	private interface Body {

		void send(Effect effect);

	}

	private static final class NamedFailure extends Exception {

		private NamedFailure(String request) {
			super(request);
		}

	}

}
