package dev.once.aop;

import java.math.BigDecimal;
import java.net.SocketTimeoutException;
import java.util.List;

import dev.once.EffectRefusedException;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceException;
import dev.once.OnceOperations;
import dev.once.OnceResolver;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.Unobservable;
import dev.once.UnresolvedEffect;
import dev.once.UnstableTypeException;
import dev.once.aop.Payments.Receipt;
import dev.once.ledger.EffectState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Effects that are described by calls.
 */
class EffectOperationsTests {

	private final TestSettings settings = new TestSettings();

	private final GuardedContext guarded = start();

	private final Payments payments = this.guarded.get(Payments.class);

	private final OnceOperations once = this.guarded.get(OnceOperations.class);

	private GuardedContext start() {
		this.settings.keySecret = true;
		return GuardedContext.of(this.settings, Payments.class, Resolver.class, Mails.class);
	}

	@AfterEach
	void close() {
		this.guarded.close();
	}

	private Outcome<Receipt> charge(String invoice, BigDecimal amount) {
		return this.once.effect("charge")
			.target(invoice)
			.input("amount", amount)
			.answer(Receipt.class)
			.perform((effect) -> this.payments.take(invoice, amount));
	}

	@Test
	void theFirstCallDoesItAndARepeatReturnsTheAnswer() {
		assertThat(charge("inv-1", BigDecimal.TEN))
			.isEqualTo(new Outcome.Done<>(new Receipt("receipt-1", BigDecimal.TEN), false, 1));
		assertThat(charge("inv-1", new BigDecimal("10.00")))
			.isEqualTo(new Outcome.Done<>(new Receipt("receipt-1", BigDecimal.TEN), true, 1));
		assertThat(this.payments.count()).isOne();
		assertThat(this.guarded.row().facts().label()).isEqualTo("charge/inv-1");
		assertThat(this.guarded.row().facts().inputs()).isEqualTo("{\"amount\":10}");
	}

	@Test
	void theResolverOfTheActionIsAskedAndKnownToTheCaretaker() {
		this.payments.failWith(new SocketTimeoutException("Read timed out"));
		this.payments.finds(Resolution.happened(new Receipt("found", BigDecimal.TEN)));
		assertThat(charge("inv-1", BigDecimal.TEN)).isInstanceOf(Outcome.Unresolved.class);
		this.guarded.resolveDue("charge");
		assertThat(charge("inv-1", BigDecimal.TEN).orElseThrow().number()).isEqualTo("found");
		assertThat(this.guarded.methods().actions()).contains("charge");
	}

	@Test
	void anEffectWithoutAnswerOnAFarSideThatIsDeclaredElsewhere() {
		for (int i = 0; i < 2; i++) {
			Outcome<Void> outcome = this.once.effect("remind")
				.target("a@example.org")
				.target(7)
				.farSide("mail")
				.perform((effect) -> this.payments.take("mail", BigDecimal.ONE));
			assertThat(outcome.isDone()).isTrue();
		}
		assertThat(this.payments.count()).isOne();
		assertThat(this.guarded.methods().resolvable("remind").contract().name()).isEqualTo("mail");
	}

	@Test
	void aRefusalIsAnOutcome() {
		Outcome<Receipt> outcome = this.once.effect("charge")
			.target("inv-1")
			.answer(Receipt.class)
			.perform((effect) -> {
				throw new EffectRefusedException("card expired");
			});
		assertThat(outcome).isInstanceOf(Outcome.Refused.class);
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.CLAIMED);
	}

	@Test
	void anUnobservableEffectIsRefusedAtTheCallAndNothingIsSent() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> this.once.effect("unobserved")
				.target("a")
				.perform((effect) -> this.payments.take("a", BigDecimal.ONE)))
			.withMessageContaining("Effect 'unobserved'")
			.withMessageContaining("unobservable(ACCEPTED)");
		assertThat(this.payments.count()).isZero();
		this.once.effect("unobserved")
			.target("a")
			.unobservable(Unobservable.ACCEPTED)
			.perform((effect) -> this.payments.take("a", BigDecimal.ONE));
		assertThat(this.payments.count()).isOne();
	}

	@Test
	void anAnswerThatTheResolverCannotGiveIsRefusedAtTheCall() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> this.once.effect("charge").target("a").answer(String.class).perform((effect) -> "x"))
			.withMessageContaining("find(UnresolvedEffect)");
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(
				() -> this.once.effect("charge").target("a").answer(new ParameterizedTypeReference<List<String>>() {
				}).perform((effect) -> List.of("x")));
	}

	@Test
	void badNamesAndUnstableOrMissingPartsAreRefused() {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.once.effect("Charge It"));
		assertThatExceptionOfType(UnstableTypeException.class)
			.isThrownBy(() -> this.once.effect("charge").target(new Object()));
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.once.effect("charge").answer(Receipt.class).perform((effect) -> null))
			.withMessageContaining("has no target");
	}

	@Test
	void explainShowsThePartsAndTheKeyAndNoSecret() {
		OnceOperations.EffectCall call = this.once.effect("charge")
			.target("inv-1")
			.input("amount", BigDecimal.TEN)
			.secretInput("card", "4111111111111111");
		String explained = call.explain();
		assertThat(explained).contains("inv-1").contains("'amount': number 10").doesNotContain("4111");
		call.answer(Receipt.class).perform((effect) -> this.payments.take("inv-1", BigDecimal.TEN));
		assertThat(explained).contains("key: " + this.guarded.row().facts().key());
	}

	@FarSide(name = "payments")
	static class Resolver {

		private final Payments payments;

		Resolver(Payments payments) {
			this.payments = payments;
		}

		@OnceResolver("charge")
		Resolution<Receipt> find(UnresolvedEffect effect) {
			return this.payments.find();
		}

	}

	@FarSide(name = "mail", remembers = "24h")
	static class Mails {

		@OnceEffect(action = "mail")
		void send(@EffectTarget String address) {
		}

	}

}
