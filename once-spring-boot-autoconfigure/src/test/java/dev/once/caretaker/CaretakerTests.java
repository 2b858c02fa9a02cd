package dev.once.caretaker;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.EffectResolver;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.ledger.Attention;
import dev.once.ledger.Contracts;
import dev.once.ledger.EffectState;
import dev.once.ledger.FarSideDouble;
import dev.once.ledger.Move;
import dev.once.ledger.ProtocolUnderTest;
import dev.once.ledger.Resolvable;
import dev.once.ledger.TestCall;
import dev.once.ledger.UnreliableLedger.Fault;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * E7: open rows are looked after without waiting for the next call.
 */
@ExtendWith(OutputCaptureExtension.class)
class CaretakerTests {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final Map<String, Resolvable<?>> declared = new HashMap<>();

	private @Nullable Caretaker caretaker;

	@AfterEach
	void close() {
		if (this.caretaker != null) {
			this.caretaker.close();
		}
		this.once.close();
	}

	/** E7: the process that sent it is dead, and nobody calls again. */
	@Test
	void aRowPastItsWindowBecomesUnknownAndIsAskedAboutWithoutACall() {
		TestCall call = submitAndDie("inv-1");
		declare((effect) -> {
			assertThat(this.once.row(call).state()).isEqualTo(EffectState.UNKNOWN);
			return Resolution.happened("found");
		});
		assertThat(caretaker(Duration.ofMinutes(1)).round()).isZero();
		this.once.time().advance(Duration.ofSeconds(30));
		assertThat(caretaker(Duration.ofMinutes(1)).round()).isOne();
		assertThat(this.once.row(call).state()).isEqualTo(EffectState.DONE);
		assertThat(call.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("found", true, 1));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E7: and is free again once that may be believed, for whoever comes back. */
	@Test
	void aRowThatDidNotHappenIsFreeOnceSettleAfterHasPassed() {
		TestCall call = submitAndDie("inv-1");
		declare((effect) -> Resolution.didNotHappen());
		Caretaker caretaker = caretaker(Duration.ofMinutes(1));
		this.once.time().advance(Duration.ofSeconds(30));
		caretaker.round();
		assertThat(this.once.row(call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(caretaker.round()).isZero();
		this.once.time().advance(Duration.ofMinutes(1).plusMillis(1));
		caretaker.round();
		assertThat(this.once.row(call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** I7: everything ends done, or with a person where a metric shows it. */
	@Test
	void anEffectOfAnActionThatNobodyDeclaresEndsUpWithAPersonAndIsSaidOnce(CapturedOutput output) {
		TestCall call = lose("inv-1");
		lose("inv-2");
		Caretaker caretaker = caretaker(Duration.ofMinutes(1));
		for (int tries = 0; tries < 8; tries++) {
			assertThat(caretaker.round()).isEqualTo(2);
			this.once.time().advance(Duration.ofMinutes(10));
		}
		assertThat(caretaker.round()).isZero();
		assertThat(this.once.row(call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.row(call).attention()).isEqualTo(Attention.UNDETERMINED);
		assertThat(output.getAll().lines().filter((line) -> line.contains("Effects of action 'charge' are open")))
			.hasSize(1);
	}

	/** E7: one that fails holds nobody up. */
	@Test
	void aRowThatCannotBeAskedAboutHoldsNoOtherUp() {
		TestCall first = lose("inv-1");
		TestCall second = lose("inv-2");
		declare((effect) -> Resolution.happened("found"));
		this.once.ledger().fail(Move.Ask.class, Fault.NOT_COMMITTED);
		Caretaker caretaker = caretaker(Duration.ofMinutes(1));
		assertThat(caretaker.round()).isOne();
		assertThat(this.once.row(first).state() == EffectState.DONE ^ this.once.row(second).state() == EffectState.DONE)
			.isTrue();
		assertThat(caretaker.round()).isOne();
		assertThat(this.once.row(first).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(second).state()).isEqualTo(EffectState.DONE);
	}

	/** E7: two nodes, one asking. */
	@Test
	void ofTwoCaretakersOneAsks() {
		lose("inv-1");
		AtomicInteger askings = new AtomicInteger();
		Caretaker other = caretaker(Duration.ofMinutes(1));
		declare((effect) -> {
			askings.incrementAndGet();
			other.round();
			return Resolution.cannotTell();
		});
		try (Caretaker first = caretaker(Duration.ofMinutes(1))) {
			first.round();
		}
		finally {
			other.close();
		}
		assertThat(askings).hasValue(1);
	}

	/** Nothing but closing ends it. */
	@Test
	void itGoesOnThroughALedgerThatIsDownAndLooksSoonWhenItIsTold() {
		declare((effect) -> Resolution.happened("found"));
		TestCall call = lose("inv-1");
		this.once.ledger().goDown();
		Caretaker caretaker = caretaker(Duration.ofHours(1));
		assertThatException().isThrownBy(caretaker::round);
		caretaker.start();
		this.once.ledger().comeBack();
		Awaitility.await().untilAsserted(() -> {
			caretaker.look();
			assertThat(this.once.row(call).state()).isEqualTo(EffectState.DONE);
		});
	}

	/** A ledger that is read-only is not asked in a circle. */
	@Test
	void aFullBatchThatCannotBeMovedIsLeftUntilTheNextRoundAndToldOfOnce(CapturedOutput output) {
		for (int i = 0; i < 100; i++) {
			lose("inv-" + i);
		}
		AtomicInteger askings = new AtomicInteger();
		this.declared.put("charge",
				new Resolvable<>(Contracts.PAYMENTS, (effect) -> Resolution.cannotTell(), TestCall.TEXT));
		for (int i = 0; i < 1000; i++) {
			this.once.ledger().fail(Move.Ask.class, Fault.NOT_COMMITTED);
			this.once.ledger().before(Move.Ask.class, askings::incrementAndGet);
		}
		caretaker(Duration.ofHours(1)).start();
		Awaitility.await().untilAsserted(() -> assertThat(askings).hasValueGreaterThanOrEqualTo(100));
		Awaitility.await().during(Duration.ofMillis(300)).untilAsserted(() -> assertThat(askings).hasValue(100));
		assertThat(output.getAll()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains("Looking after open effects"))).hasSize(1);
	}

	private Caretaker caretaker(Duration interval) {
		this.caretaker = new Caretaker(this.once.ledger(), this.once.protocol(), this.declared::get,
				Resolvable.undeclared(Contracts.PAYMENTS, TestCall.TEXT), interval);
		return this.caretaker;
	}

	private void declare(EffectResolver<String> resolver) {
		this.declared.put("charge", new Resolvable<>(Contracts.PAYMENTS, resolver, TestCall.TEXT));
	}

	private TestCall lose(String invoice) {
		TestCall call = this.once.charge(invoice);
		call.perform(this.farSide.acceptsThen(new IllegalStateException("unreadable")));
		return call;
	}

	private TestCall submitAndDie(String invoice) {
		TestCall call = this.once.charge(invoice);
		call.performAsync((effect) -> {
			this.farSide.accept(effect);
			return new CompletableFuture<>();
		});
		return call;
	}

}
