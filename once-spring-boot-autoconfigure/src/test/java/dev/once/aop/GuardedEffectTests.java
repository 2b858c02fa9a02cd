package dev.once.aop;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.once.AnswerUnreadableException;
import dev.once.Effect;
import dev.once.EffectInput;
import dev.once.EffectNotSentException;
import dev.once.EffectTarget;
import dev.once.EffectUnresolvedException;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceResolver;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.Unobservable;
import dev.once.UnresolvedEffect;
import dev.once.aop.Payments.Receipt;
import dev.once.ledger.EffectState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a caller of an annotated method gets.
 */
class GuardedEffectTests {

	private final GuardedContext guarded = GuardedContext.of(new TestSettings().selfInvocation(SelfInvocation.WARN),
			Payments.class, Charges.class);

	private final Payments payments = this.guarded.get(Payments.class);

	private final Charges charges = this.guarded.get(Charges.class);

	@AfterEach
	void close() {
		this.guarded.close();
	}

	@Test
	void theFirstCallDoesItAndARepeatReturnsTheRecordedAnswer() throws Throwable {
		Receipt first = this.charges.charge("inv-1", new BigDecimal("10.00"), "trace-1");
		Receipt second = this.charges.charge("inv-1", new BigDecimal("10.00"), "trace-2");
		assertThat(first).isEqualTo(new Receipt("receipt-1", new BigDecimal("10.00")));
		assertThat(second).isEqualTo(first);
		assertThat(this.payments.charges()).containsExactly("inv-1");
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.DONE);
		assertThat(this.guarded.row().facts().label()).isEqualTo("charge/inv-1");
		assertThat(this.guarded.row().facts().inputs()).isEqualTo("{\"amount\":10}");
	}

	/** Case 11. */
	@Test
	void threeSpellingsOfTenAreOneEffectAndAnotherAmountIsASecond() throws Throwable {
		this.charges.charge("inv-1", new BigDecimal("10.0"), "a");
		this.charges.charge("inv-1", new BigDecimal("10.00"), "b");
		this.charges.charge("inv-1", new BigDecimal("1E+1"), "c");
		assertThat(this.payments.count()).isOne();
		this.charges.charge("inv-1", new BigDecimal("10.01"), "d");
		assertThat(this.payments.count()).isEqualTo(2);
	}

	@Test
	void theFirstFailureIsTheBodysOwnAndARepeatIsToldThatItIsUnsettled() {
		SocketTimeoutException timeout = new SocketTimeoutException("Read timed out");
		this.payments.failWith(timeout);
		assertThatThrownBy(() -> this.charges.charge("inv-1", BigDecimal.TEN, "a")).isSameAs(timeout);
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.UNKNOWN);
		assertThatExceptionOfType(EffectUnresolvedException.class)
			.isThrownBy(() -> this.charges.charge("inv-1", BigDecimal.TEN, "a"))
			.satisfies((ex) -> assertThat(ex.retryable()).isTrue());
		assertThat(this.payments.count()).isOne();
	}

	@Test
	void anErrorOfTheBodyIsThrownAndLeavesTheEffectUnknown() {
		this.payments.failWith(new NoClassDefFoundError("com/acme/Parser"));
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> this.charges.charge("inv-1", BigDecimal.TEN, "a"));
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.UNKNOWN);
	}

	@Test
	void whatABodyDidNotSendMayBeTriedAgain() throws Throwable {
		EffectNotSentException invalid = new EffectNotSentException("no such customer");
		assertThatThrownBy(() -> this.charges.validate("inv-1", invalid)).isSameAs(invalid);
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.CLAIMED);
		this.charges.validate("inv-1", null);
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.DONE);
	}

	@Test
	void aMethodThatReturnsAnOutcomeNeverThrowsForTheUnsettled() {
		SocketTimeoutException timeout = new SocketTimeoutException("Read timed out");
		this.payments.failWith(timeout);
		Outcome<Receipt> first = this.charges.tryCharge("inv-1", BigDecimal.TEN);
		assertThat(first).isInstanceOfSatisfying(Outcome.Unresolved.class,
				(unresolved) -> assertThat(unresolved.cause()).isSameAs(timeout));
		assertThat(this.charges.tryCharge("inv-1", BigDecimal.TEN)).isInstanceOf(Outcome.Unresolved.class);
		this.payments.failWith(null);
		Outcome<Receipt> other = this.charges.tryCharge("inv-2", BigDecimal.TEN);
		assertThat(other).isEqualTo(new Outcome.Done<>(new Receipt("receipt-2", BigDecimal.TEN), false, 1));
		assertThat(this.charges.tryCharge("inv-2", BigDecimal.TEN))
			.isEqualTo(new Outcome.Done<>(new Receipt("receipt-2", BigDecimal.TEN), true, 1));
	}

	@Test
	void primitivesOptionalsAndNothingAreAnswersToo() {
		assertThat(this.charges.count("inv-1")).isEqualTo(7);
		assertThat(this.charges.count("inv-1")).isEqualTo(7);
		assertThat(this.charges.maybe("inv-1", true)).contains(new Receipt("r", BigDecimal.ONE));
		assertThat(this.charges.maybe("inv-1", true)).contains(new Receipt("r", BigDecimal.ONE));
		assertThat(this.charges.maybe("inv-2", false)).isEmpty();
		assertThat(this.charges.maybe("inv-2", false)).isEmpty();
		this.charges.nothing("inv-1");
		this.charges.nothing("inv-1");
		assertThat(this.guarded.rows()).hasSize(4).allSatisfy((row) -> assertThat(row.attempt().number()).isOne());
	}

	/** Case 9: no NullPointerException from unboxing. */
	@Test
	void aPrimitiveWithoutARecordedAnswerIsATypedException() {
		this.payments.failWith(new IllegalStateException("lost"));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.charges.count("inv-1"));
		this.guarded.resolveDue("count");
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.DONE);
		assertThatExceptionOfType(AnswerUnreadableException.class).isThrownBy(() -> this.charges.count("inv-1"));
	}

	@Test
	void aNestedEffectIsAnEffectOfItsOwn() {
		this.charges.outer("inv-1", () -> this.charges.nothing("inv-1"));
		assertThat(this.guarded.rows()).hasSize(2)
			.allSatisfy((row) -> assertThat(row.state()).isEqualTo(EffectState.DONE));
	}

	@Test
	void theResolverIsAskedThroughItsBean() {
		this.payments.finds(Resolution.happened(new Receipt("found", BigDecimal.TEN)));
		this.payments.failWith(new SocketTimeoutException("Read timed out"));
		assertThatExceptionOfType(SocketTimeoutException.class)
			.isThrownBy(() -> this.charges.charge("inv-1", BigDecimal.TEN, "a"));
		this.guarded.resolveDue("charge");
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.DONE);
		assertThat(this.charges.tryCharge("inv-1", BigDecimal.TEN).orElseThrow().number()).isEqualTo("found");
	}

	@Test
	void aFutureIsCompletedAfterTheSettleAndCancellingItCancelsNothing() {
		CompletableFuture<Receipt> body = new CompletableFuture<>();
		CompletableFuture<Receipt> caller = this.charges.later("inv-1", body);
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.SUBMITTED);
		assertThat(caller.cancel(true)).isTrue();
		assertThat(body).isNotDone();
		body.complete(new Receipt("late", BigDecimal.ONE));
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.DONE);
		assertThat(this.charges.later("inv-1", new CompletableFuture<>()))
			.isCompletedWithValue(new Receipt("late", BigDecimal.ONE));
	}

	@Test
	void aFutureThatFailsGivesTheBodysOwnException() {
		CompletableFuture<Receipt> body = new CompletableFuture<>();
		CompletableFuture<Receipt> caller = this.charges.later("inv-1", body);
		IOException lost = new IOException("connection reset");
		body.completeExceptionally(lost);
		assertThatThrownBy(caller::join).hasCause(lost);
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.UNKNOWN);
		assertThatThrownBy(() -> this.charges.later("inv-1", body).join())
			.hasCauseInstanceOf(EffectUnresolvedException.class);
	}

	@Test
	void aFutureOfAnOutcomeNeverFailsForTheUnsettled() {
		CompletableFuture<Outcome<Receipt>> body = new CompletableFuture<>();
		CompletableFuture<Outcome<Receipt>> caller = this.charges.laterOutcome("inv-1", body);
		body.completeExceptionally(new IOException("connection reset"));
		assertThat(caller.join()).isInstanceOf(Outcome.Unresolved.class);
	}

	@Test
	void aNullTargetIsRefusedBeforeAnythingIsSent() {
		assertThatThrownBy(() -> this.charges.charge(null, BigDecimal.TEN, "a")).hasMessageContaining("'charge'")
			.hasMessageContaining("(invoice) is null");
		assertThat(this.payments.count()).isZero();
		assertThat(this.guarded.rows()).isEmpty();
	}

	@Test
	void aCallThroughThisIsToldByTheCurrentEffect() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.charges.throughThis("inv-1"))
			.withMessageContaining("Not inside a guarded call");
	}

	@FarSide(name = "payments")
	static class Charges {

		private final Payments payments;

		Charges(Payments payments) {
			this.payments = payments;
		}

		@OnceEffect(action = "charge")
		Receipt charge(@EffectTarget String invoice, @EffectInput BigDecimal amount, String traceId) throws Throwable {
			return this.payments.charge(invoice, amount);
		}

		@OnceEffect(action = "charge")
		Outcome<Receipt> tryCharge(@EffectTarget String invoice, @EffectInput BigDecimal amount) {
			try {
				return Outcome.done(this.payments.charge(invoice, amount));
			}
			catch (Throwable ex) {
				throw sneaky(ex);
			}
		}

		@SuppressWarnings("unchecked")
		private static <E extends Throwable> RuntimeException sneaky(Throwable ex) throws E {
			throw (E) ex;
		}

		@OnceResolver("charge")
		Resolution<Receipt> find(UnresolvedEffect effect) {
			return this.payments.find();
		}

		@OnceEffect(action = "validate", unobservable = Unobservable.ACCEPTED)
		protected void validate(@EffectTarget String invoice, EffectNotSentException invalid) {
			if (invalid != null) {
				throw invalid;
			}
		}

		@OnceEffect(action = "count", unobservable = Unobservable.ACCEPTED)
		public int count(@EffectTarget String invoice) {
			this.payments.failIfAsked();
			return 7;
		}

		@OnceResolver("count")
		Resolution<Integer> countAgain(UnresolvedEffect effect) {
			return Resolution.happened(null);
		}

		@OnceEffect(action = "maybe", unobservable = Unobservable.ACCEPTED)
		Optional<Receipt> maybe(@EffectTarget String invoice, boolean there) {
			return there ? Optional.of(new Receipt("r", BigDecimal.ONE)) : Optional.empty();
		}

		@OnceEffect(action = "nothing", unobservable = Unobservable.ACCEPTED)
		void nothing(@EffectTarget String invoice) {
			Effect.current().sending("");
		}

		@OnceEffect(action = "outer", unobservable = Unobservable.ACCEPTED)
		void outer(@EffectTarget String invoice, Runnable inner) {
			Effect.current().sending("outer");
			inner.run();
			assertThat(Effect.current().action()).isEqualTo("outer");
		}

		@OnceEffect(action = "later", unobservable = Unobservable.ACCEPTED)
		CompletableFuture<Receipt> later(@EffectTarget String invoice, CompletableFuture<Receipt> body) {
			return body;
		}

		@OnceEffect(action = "later-outcome", unobservable = Unobservable.ACCEPTED)
		CompletableFuture<Outcome<Receipt>> laterOutcome(@EffectTarget String invoice,
				CompletableFuture<Outcome<Receipt>> body) {
			return body;
		}

		void throughThis(String invoice) {
			nothing(invoice);
		}

	}

}
