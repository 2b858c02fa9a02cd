package dev.once.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.once.ChangedFact;
import dev.once.Effect;
import dev.once.EffectNotSentException;
import dev.once.EffectResolver;
import dev.once.OnceScope;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.lease.Deadline;
import dev.once.lease.Run;
import dev.once.lease.StoreException;
import dev.once.lease.TimeSource;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.ledger.EffectRules.Asking;
import dev.once.ledger.EffectRules.BodyEnd;
import dev.once.ledger.EffectRules.Earlier;
import dev.once.ledger.EffectRules.LateAnswer;
import dev.once.ledger.EffectRules.ReadBack;
import dev.once.ledger.EffectRules.ResolveSchedule;
import dev.once.ledger.EffectRules.Step;
import dev.once.ledger.EffectRules.Terms;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Next;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes an effect happen once: submit, body, settle, and asking before any retry. What
 * leads to what is decided by {@link EffectRules}; this class carries it out in order.
 */
public final class EffectProtocol implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(EffectProtocol.class);

	/** How often one call goes round when others keep moving its row. */
	private static final int ROUNDS = 6;

	private static final int TRIES = 5;

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	/** What the ledger's own statements may take on top of the resolver's time. */
	private static final Duration ASKING_MARGIN = Duration.ofSeconds(5);

	private final EffectLedger ledger;

	private final Failures failures;

	private final Settings settings;

	private final EffectListener listener;

	private final CallEndings endings;

	private final LocalEffects local;

	private final Hooks hooks;

	private final TimeSource time;

	private final Supplier<String> ids;

	private final ResolverCalls resolvers;

	private final ThreadLocal<Boolean> interrupted = new ThreadLocal<>();

	private final Set<LiveAttempt<?>> live = ConcurrentHashMap.newKeySet();

	private volatile boolean stopping;

	/**
	 * Creates the protocol.
	 * @param ledger the ledger
	 * @param failures sorts what bodies throw
	 * @param settings its settings
	 * @param listener is told what it did
	 * @param hooks what else of Once takes part
	 * @param time the process's time
	 * @param ids gives random ids
	 */
	public EffectProtocol(EffectLedger ledger, Failures failures, Settings settings, EffectListener listener,
			Hooks hooks, TimeSource time, Supplier<String> ids) {
		this.ledger = ledger;
		this.failures = failures;
		this.settings = settings;
		this.listener = listener;
		this.endings = new CallEndings(listener);
		this.local = new LocalEffects(ledger, settings.secondRequest(), listener, this.endings, hooks, ids);
		this.hooks = hooks;
		this.time = time;
		this.ids = ids;
		this.resolvers = new ResolverCalls(settings.resolverTimeout());
	}

	/**
	 * Carries an effect out, or does nothing and says why.
	 * @param <T> the effect's answer
	 * @param call the call
	 * @param body sends the request
	 * @return what became of the call
	 * @throws dev.once.RunFencedException when the run has been turned away
	 * @throws dev.once.AnswerUnreadableException when it is done and its answer cannot be
	 * read
	 */
	public <T extends @Nullable Object> Outcome<T> perform(EffectCall<T> call, Body<T> body) {
		turnElsewhere();
		Beginning<T> beginning = begin(call);
		if (beginning instanceof Beginning.Ended<T> ended) {
			return ended.outcome();
		}
		LiveAttempt<T> attempt = ((Beginning.Begun<T>) beginning).attempt();
		Outcome<T> returned;
		try (OnceScope.Restore scope = enter(attempt)) {
			attempt.checkDeadline();
			returned = body.perform(attempt);
		}
		catch (Throwable failure) {
			return endFailed(attempt, failure);
		}
		return endReturned(attempt, returned);
	}

	/**
	 * Carries out an effect whose body answers later. The result is completed after the
	 * settle, and cancelling it cancels nothing.
	 * @param <T> the effect's answer
	 * @param call the call
	 * @param body sends the request
	 * @return what became of the call
	 * @throws dev.once.RunFencedException when the run has been turned away
	 */
	public <T extends @Nullable Object> CompletableFuture<Outcome<T>> performAsync(EffectCall<T> call,
			AsyncBody<T> body) {
		turnElsewhere();
		Beginning<T> beginning = begin(call);
		if (beginning instanceof Beginning.Ended<T> ended) {
			return CompletableFuture.completedFuture(ended.outcome());
		}
		LiveAttempt<T> attempt = ((Beginning.Begun<T>) beginning).attempt();
		CompletionStage<Outcome<T>> stage;
		try (OnceScope.Restore scope = enter(attempt)) {
			attempt.checkDeadline();
			stage = Objects.requireNonNull(body.perform(attempt), "The method returned null instead of a future");
		}
		catch (Throwable failure) {
			return CompletableFuture.completedFuture(endFailed(attempt, failure));
		}
		CompletableFuture<Outcome<T>> result = new CompletableFuture<>();
		stage.whenComplete((returned, failure) -> {
			try {
				result
					.complete((failure != null) ? endFailed(attempt, unwrap(failure)) : endReturned(attempt, returned));
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		});
		return result;
	}

	/**
	 * Carries out an effect that is a write to the ledger's own database, in the same
	 * transaction as its row (T1). What a body throws has rolled it back and is the cause
	 * of what is returned.
	 * @param <T> the effect's answer
	 * @param call the call
	 * @param boundary the transaction, and the ledger in it
	 * @param body does the work
	 * @return what became of the call; in the caller's transaction, what will have become
	 * of it with the commit
	 * @throws dev.once.RunFencedException when the run has been turned away
	 * @throws dev.once.AnswerUnreadableException when it is done and its answer cannot be
	 * read
	 */
	public <T extends @Nullable Object> Outcome<T> performLocally(EffectCall<T> call, LocalBoundary boundary,
			Body<T> body) {
		turnElsewhere();
		if (this.stopping) {
			return notStarted(call);
		}
		Run run = call.run();
		if (run != null && run.isFenced()) {
			throw fenced(call, run);
		}
		this.hooks.beforeSubmit();
		return this.local.perform(call, boundary, body);
	}

	private <T extends @Nullable Object> Outcome<T> notStarted(EffectCall<T> call) {
		return this.endings.ended(call, Ending.NOT_SENT, new Outcome.NotSent<>(call.facts().label(),
				new EffectNotSentException("The application is shutting down and starts no new effect")));
	}

	// Beginning: E1, E2, E6, E8

	private <T extends @Nullable Object> Beginning<T> begin(EffectCall<T> call) {
		if (this.stopping) {
			return new Beginning.Ended<>(notStarted(call));
		}
		Run run = call.run();
		if (run != null && run.isFenced()) {
			throw fenced(call, run);
		}
		this.hooks.beforeSubmit();
		boolean interrupted = Thread.interrupted();
		try {
			return submitOrMeet(call);
		}
		catch (StoreException ex) {
			logger.error("Effect '" + call.facts().label() + "' was not sent: the ledger could not be written", ex);
			return ended(call, null, Ending.NOT_SENT,
					new Outcome.NotSent<>(call.facts().label(), new EffectNotSentException(
							"Effect '" + call.facts().label() + "' was not sent: the ledger could not be written",
							ex)));
		}
		finally {
			restoreInterrupt(interrupted);
		}
	}

	private <T extends @Nullable Object> Beginning<T> submitOrMeet(EffectCall<T> call) {
		Try<T> attempt = firstTry(call);
		Moved moved = submit(attempt);
		for (int round = 1; round <= ROUNDS; round++) {
			if (moved instanceof Moved.Submitted submitted) {
				if (submitted.fact() == Moved.Fact.CHANGED) {
					this.listener.changed(call.facts());
				}
				return begun(attempt, 1, 0);
			}
			if (moved instanceof Moved.Applied applied) {
				return begun(attempt, applied.row().attempt().number(), applied.row().refusals());
			}
			if (moved instanceof Moved.Fenced) {
				throw fenced(call, Objects.requireNonNull(call.run()));
			}
			if (moved instanceof Moved.Blocked blocked) {
				return new Beginning.Ended<>(this.endings.blocked(call, blocked.other()));
			}
			if (moved instanceof Moved.Absent) {
				attempt = firstTry(call);
				moved = submit(attempt);
				continue;
			}
			Step step = EffectRules.onMeeting(((Moved.Met) moved).row(), terms(call.contract(), call.asking()));
			if (step instanceof Step.Again again) {
				attempt = nextTry(call, again);
				moved = submit(attempt);
			}
			else if (step instanceof Step.Ask ask) {
				moved = askForCaller(call, ask.row());
				if (moved instanceof Moved.Absent) {
					return ended(call, ask.row(), Ending.UNKNOWN,
							new Outcome.Unresolved<>(call.facts().label(), null, null, false));
				}
			}
			else {
				return answer(call, step);
			}
		}
		return ended(call, null, Ending.IN_PROGRESS, new Outcome.InProgress<>(call.facts().label(), null));
	}

	private <T extends @Nullable Object> Try<T> firstTry(EffectCall<T> call) {
		String id = this.ids.get();
		Move move = new Move.Submit(call.facts(), id, call.fence(), call.contract().window(),
				call.contract().settleAfter(),
				(call.changedFact() == ChangedFact.WAIT) ? Move.Waiting.FOR_OPEN_FACTS : Move.Waiting.FOR_NOTHING);
		return newTry(call, id, move, Earlier.SETTLED);
	}

	private <T extends @Nullable Object> Try<T> nextTry(EffectCall<T> call, Step.Again again) {
		String id = this.ids.get();
		EffectRow row = again.row();
		Move move = new Move.Resubmit(row.facts().key(), row.facts().revision(), row.state(), row.attempt().id(), id,
				call.fence(), call.contract().window(), call.contract().settleAfter(), call.contract().remembers());
		return newTry(call, id, move, again.earlier());
	}

	private <T extends @Nullable Object> Try<T> newTry(EffectCall<T> call, String id, Move move, Earlier earlier) {
		// L5: the local deadline starts before the statement that sets the database's
		return new Try<>(call, id, move, earlier, Deadline.startingNow(this.time, call.contract().window()),
				Deadline.startingNow(this.time, call.contract().maxWindow()));
	}

	private Moved submit(Try<?> attempt) {
		try {
			return this.ledger.apply(attempt.move());
		}
		catch (StoreException.Unreached nothingCarriedOut) {
			throw nothingCarriedOut;
		}
		catch (StoreException failure) {
			return readBack(attempt, failure);
		}
	}

	/**
	 * E2: an exception from submit is ambiguous. The row decides, read on a new
	 * connection and by the attempt's id; where it shows nothing, the same statement is
	 * made again, which waits for one that is still being committed.
	 */
	private Moved readBack(Try<?> attempt, StoreException failure) {
		Duration pause = FIRST_PAUSE;
		for (int i = 1; i <= TRIES && !(failure instanceof StoreException.Closed); i++) {
			try {
				EffectRow row = this.ledger.readBack(attempt.move().key(), attempt.move().revision()).orElse(null);
				ReadBack shown = EffectRules.onReadBack(row, attempt.id());
				if (shown == ReadBack.NOT_COMMITTED) {
					Moved again = this.ledger.apply(attempt.move());
					row = (again instanceof Moved.Met met) ? met.row() : null;
					shown = EffectRules.onReadBack(row, attempt.id());
					if (shown == ReadBack.NOT_COMMITTED) {
						return again;
					}
				}
				EffectRow mine = Objects.requireNonNull(row);
				return (shown == ReadBack.COMMITTED) ? new Moved.Applied(mine) : new Moved.Met(mine);
			}
			catch (StoreException ex) {
				failure = ex;
				pause(pause);
				pause = longer(pause);
			}
		}
		throw failure;
	}

	private <T extends @Nullable Object> Beginning<T> begun(Try<T> attempt, int number, int refusals) {
		LiveAttempt<T> live = new LiveAttempt<>(attempt.call(), attempt.id(), number, refusals, attempt.earlier(),
				this.settings.secondRequest(), this.time, attempt.deadline(), attempt.longest());
		this.live.add(live);
		EffectResolver<T> resolver = attempt.call().resolver();
		return (attempt.call().askFirst() && resolver != null) ? askFirst(live, resolver) : new Beginning.Begun<>(live);
	}

	// E7: asks before an attempt too; its own submit keeps everybody else out meanwhile
	private <T extends @Nullable Object> Beginning<T> askFirst(LiveAttempt<T> attempt, EffectResolver<T> resolver) {
		EffectCall<T> call = attempt.call();
		EffectFacts facts = call.facts();
		Resolution<T> said = this.resolvers.ask(resolver,
				new UnresolvedEffect(facts.action(), facts.target(), facts.label(), facts.key(),
						attempt.idempotencyKey(), facts.revision(), attempt.attempt() - 1, this.time.now(),
						facts.inputs()));
		if (said instanceof Resolution.DidNotHappen) {
			return new Beginning.Begun<>(attempt);
		}
		if (said instanceof Resolution.Happened<T> happened) {
			storeEnd(attempt, new Move.Lose(facts.key(), facts.revision(), attempt.id(), "asked first: it happened"));
			Moved moved = storeEnd(attempt, new Move.Happened(facts.key(), facts.revision(), attempt.id(),
					written(call.answers(), happened.answer())));
			finished(attempt);
			EffectRow row = (moved instanceof Moved.Applied applied) ? applied.row()
					: (moved instanceof Moved.Met met) ? met.row() : null;
			if (row != null && row.state() == EffectState.DONE) {
				this.listener.resolved(row, Resolved.HAPPENED);
				return answer(call, new Step.Replay(row));
			}
			return ended(call, null, Ending.UNKNOWN, new Outcome.Unresolved<>(facts.label(), null, null, false));
		}
		BodyEnd end = new BodyEnd.Failed(new Failure.NotSent(About.NO_REQUEST), call.contract().backoff(),
				"the far side could not be asked first");
		return new Beginning.Ended<>(end(attempt, end, null, null));
	}

	private <T extends @Nullable Object> Beginning<T> answer(EffectCall<T> call, Step step) {
		return new Beginning.Ended<>(this.endings.met(call, step));
	}

	// Ending: E3, E4, E5

	private <T extends @Nullable Object> Outcome<T> endReturned(LiveAttempt<T> attempt, @Nullable Outcome<T> returned) {
		attempt.bodyEnded();
		if (returned instanceof Outcome.Done<T> done) {
			if (attempt.missedDeadline()) {
				return end(attempt, BodyEnd.Failed.pastDeadline(), null, null);
			}
			return end(attempt, new BodyEnd.Answered(written(attempt.call().answers(), done.answer())), done, null);
		}
		if (returned instanceof Outcome.NotSent<T> notSent) {
			return end(attempt, new BodyEnd.Failed(new Failure.NotSent(About.NO_REQUEST), null, "the body returned it"),
					null, notSent.cause());
		}
		if (returned instanceof Outcome.Refused<T> refused) {
			Failure failure = new Failure.Refused(refused.retryAfter(),
					refused.awaitsPerson() ? Next.A_PERSON : Next.ANOTHER_ATTEMPT);
			return end(attempt, new BodyEnd.Failed(failure, null, "the body returned it"), null, refused.cause());
		}
		return end(attempt, BodyEnd.Failed.ambiguous("the body returned no answer"), null, null);
	}

	private <T extends @Nullable Object> Outcome<T> endFailed(LiveAttempt<T> attempt, Throwable failure) {
		attempt.bodyEnded();
		Outcome<T> outcome = end(attempt, failed(attempt, failure), null, failure);
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		return outcome;
	}

	// E5: what cannot even be sorted proves nothing
	private BodyEnd failed(LiveAttempt<?> attempt, Throwable failure) {
		try {
			return attempt.failed(this.failures.classify(failure, attempt.call().contract()),
					Failures.describe(failure));
		}
		catch (Throwable ex) {
			logger.warn("Failure of effect '" + attempt.label() + "' could not be sorted: its fate is open", ex);
			return BodyEnd.Failed.ambiguous(failure.getClass().getName());
		}
	}

	private <T extends @Nullable Object> Outcome<T> end(LiveAttempt<T> attempt, BodyEnd end,
			Outcome.@Nullable Done<T> done, @Nullable Throwable cause) {
		EffectCall<T> call = attempt.call();
		String label = call.facts().label();
		Move move = EffectRules.onBodyEnd(attempt.attempted(), end, call.contract());
		// E4: an interrupted thread must not lose an answer
		boolean interrupted = Thread.interrupted();
		try {
			if (move instanceof Move.Settle settle && done != null) {
				return settle(attempt, settle, done);
			}
			boolean free = isFree(storeEnd(attempt, move), attempt);
			if (free && move instanceof Move.Release) {
				return this.endings.ended(call, Ending.NOT_SENT, new Outcome.NotSent<>(label, cause));
			}
			if (free && move instanceof Move.Refuse refuse) {
				return this.endings.ended(call, Ending.REFUSED,
						new Outcome.Refused<>(label, refuse.nextAttemptIn(), cause, refuse.attention() != null));
			}
			this.hooks.lost();
			boolean awaitsPerson = call.resolver() == null && call.contract().remembers() == null;
			return this.endings.ended(call, Ending.UNKNOWN, new Outcome.Unresolved<>(label, null, cause, awaitsPerson));
		}
		finally {
			finished(attempt);
			restoreInterrupt(interrupted);
		}
	}

	// E2: a repetition that meets its own first try, or who came after it
	private static boolean isFree(@Nullable Moved moved, LiveAttempt<?> attempt) {
		return moved instanceof Moved.Applied || (moved instanceof Moved.Met met
				&& (met.row().state() == EffectState.CLAIMED || !met.row().isAttempt(attempt.id())));
	}

	private <T extends @Nullable Object> Outcome<T> settle(LiveAttempt<T> attempt, Move.Settle settle,
			Outcome.Done<T> done) {
		EffectCall<T> call = attempt.call();
		Moved moved;
		try {
			moved = storeAnswer(settle);
		}
		catch (StoreException.Closed ex) {
			return this.endings.ended(call, Ending.UNKNOWN,
					new Outcome.Unresolved<>(call.facts().label(), null, ex, false));
		}
		if (moved instanceof Moved.Applied applied) {
			if (EffectRules.contradicts(applied.row())) {
				this.listener.contradiction(call.facts(), applied.row());
			}
		}
		else {
			EffectRow row = (moved instanceof Moved.Met met) ? met.row() : null;
			if (row == null || EffectRules.onLateAnswer(row, attempt.id(), call.asking()) == LateAnswer.CONTRADICTION) {
				this.listener.contradiction(call.facts(), row);
				storeEnd(attempt, new Move.Contradict(settle.key(), settle.revision(),
						"an answer came for an attempt that had been resolved as \"did not happen\""));
			}
		}
		return this.endings.ended(call, Ending.PERFORMED,
				new Outcome.Done<>(done.answer(), false, call.facts().revision()));
	}

	/**
	 * E4: the answer is written until it is stored or the process ends. The repetition is
	 * its own read-back: it waits for the row's lock and finds the attempt's id (E2).
	 */
	private Moved storeAnswer(Move.Settle settle) {
		Duration pause = FIRST_PAUSE;
		for (int i = 1;; i++) {
			try {
				Moved moved = this.ledger.apply(settle);
				if (i > 1) {
					logger.info("Answer of effect " + settle.key() + " is stored, by write " + i);
				}
				return moved;
			}
			catch (StoreException.Closed ex) {
				throw ex;
			}
			catch (StoreException ex) {
				if (ex instanceof StoreException.Unstorable && settle.answer().isKept()) {
					// E11: an answer that the database refuses must not be written for
					// ever
					logger.error("Answer of effect " + settle.key() + " is not kept. " + ex.getMessage());
					settle = new Move.Settle(settle.key(), settle.revision(), settle.attemptId(), Answer.notKept());
					continue;
				}
				// A database that is away is told of once for each answer
				if (i == 1) {
					logger.warn("Answer of effect " + settle.key() + " could not be stored and is written again until"
							+ " it is", ex);
				}
				else {
					logger.debug("Answer of effect " + settle.key() + " could not be stored by write " + i, ex);
				}
				pause(pause);
				pause = longer(pause);
			}
		}
	}

	/**
	 * Stores an end without an answer. Where that fails, the row stays {@code submitted}
	 * and becomes unknown with its window's end, which claims less and loses nothing.
	 */
	private @Nullable Moved storeEnd(LiveAttempt<?> attempt, Move move) {
		Duration pause = FIRST_PAUSE;
		for (int i = 1; i <= TRIES; i++) {
			try {
				return this.ledger.apply(move);
			}
			catch (StoreException ex) {
				if (i == TRIES || ex instanceof StoreException.Closed) {
					logger.warn("End of attempt " + attempt.attempt() + " at effect '" + attempt.label()
							+ "' could not be stored: it becomes unknown", ex);
					break;
				}
				pause(pause);
				pause = longer(pause);
			}
		}
		return null;
	}

	// Asking: E7, E8

	/**
	 * Asks the far side about a row that is unknown or past its window, and records what
	 * it says.
	 * @param <T> the effect's answer
	 * @param row the row as read
	 * @param resolvable what it takes to resolve it
	 * @return the row as it stands afterwards
	 * @throws StoreException when the ledger cannot be written
	 */
	public <T extends @Nullable Object> EffectRow resolve(EffectRow row, Resolvable<T> resolvable) {
		return ask(row, resolvable.contract(), resolvable.resolver(), resolvable.answers());
	}

	private <T extends @Nullable Object> Moved askForCaller(EffectCall<T> call, EffectRow row) {
		try {
			return new Moved.Met(ask(row, call.contract(), call.resolver(), call.answers()));
		}
		catch (StoreException ex) {
			logger.warn("Effect '" + call.facts().label() + "' could not be asked about and stays unknown", ex);
			return new Moved.Absent();
		}
	}

	private <T extends @Nullable Object> EffectRow ask(EffectRow row, FarSideContract contract,
			@Nullable EffectResolver<T> resolver, AnswerFormat<T> answers) {
		// First marked unknown, which ends all extending
		Moved marked = this.ledger.apply(new Move.Ask(row.facts().key(), row.facts().revision(), row.attempt().id(),
				this.resolvers.timeout().plus(ASKING_MARGIN)));
		if (!(marked instanceof Moved.Applied applied)) {
			return (marked instanceof Moved.Met met) ? met.row() : row;
		}
		EffectRow asked = applied.row();
		Move judgement;
		if (resolver == null) {
			judgement = EffectRules.onNobodyToAsk(asked, contract);
		}
		else {
			Resolution<T> said = this.resolvers.ask(resolver, unresolved(asked, contract));
			Answer answer = (said instanceof Resolution.Happened<T> happened) ? written(answers, happened.answer())
					: null;
			judgement = EffectRules.onResolution(asked, said, terms(contract, Asking.RESOLVER), answer);
		}
		Moved judged = store(judgement);
		if (judged instanceof Moved.Applied after) {
			this.listener.resolved(after.row(), resolved(judgement));
			return after.row();
		}
		return (judged instanceof Moved.Met met) ? met.row() : asked;
	}

	// E11: nor must a far side's answer that the database refuses be asked for for ever
	private Moved store(Move judgement) {
		try {
			return this.ledger.apply(judgement);
		}
		catch (StoreException.Unstorable ex) {
			if (judgement instanceof Move.Happened happened && happened.answer().isKept()) {
				logger.error("Answer of effect " + happened.key() + " is not kept. " + ex.getMessage());
				return this.ledger.apply(
						new Move.Happened(happened.key(), happened.revision(), happened.attemptId(), Answer.notKept()));
			}
			throw ex;
		}
	}

	private static Resolved resolved(Move judgement) {
		if (judgement instanceof Move.Happened) {
			return Resolved.HAPPENED;
		}
		if (judgement instanceof Move.DidNotHappen) {
			return Resolved.DID_NOT_HAPPEN;
		}
		return (judgement instanceof Move.KeepUnknown keep && keep.attention() != null) ? Resolved.UNDETERMINED
				: Resolved.CANNOT_TELL;
	}

	private static UnresolvedEffect unresolved(EffectRow row, FarSideContract contract) {
		EffectFacts facts = row.facts();
		return new UnresolvedEffect(facts.action(), facts.target(), facts.label(), facts.key(),
				EffectRules.idempotencyKey(facts, row.refusals(), contract), facts.revision(), row.attempt().number(),
				row.attempt().submittedAt(), facts.inputs());
	}

	// Renewing and shutting down: E3, L4

	/**
	 * Extends the window of every live body that has outlasted a third of it.
	 */
	public void extendDue() {
		List<LiveAttempt.Extension> due = this.live.stream()
			.map(LiveAttempt::extensionDue)
			.filter(Objects::nonNull)
			.toList();
		if (due.isEmpty()) {
			return;
		}
		List<Moved> moved = this.ledger.extend(due.stream().map(LiveAttempt.Extension::move).toList());
		for (int i = 0; i < due.size(); i++) {
			if (moved.get(i) instanceof Moved.Applied) {
				due.get(i).confirmed();
			}
		}
	}

	/**
	 * Starts nothing new from now on.
	 */
	public void stop() {
		this.stopping = true;
	}

	/**
	 * How many attempts are in flight in this process.
	 */
	public int inFlight() {
		return this.live.size();
	}

	@Override
	public void close() {
		stop();
		this.resolvers.close();
	}

	/**
	 * E11: the effect has happened, so its answer's form must not undo that.
	 */
	static <T extends @Nullable Object> Answer written(AnswerFormat<T> answers, T answer) {
		try {
			return answers.write(answer);
		}
		catch (Throwable ex) {
			logger.error("An answer could not be written and is not kept: " + Failures.describe(ex));
			return Answer.notKept();
		}
	}

	// E5: what an inner effect comes to proves nothing about the outer one's request
	private static void turnElsewhere() {
		Effect outer = OnceScope.current().effect();
		if (outer != null) {
			outer.turnsElsewhere();
		}
	}

	private OnceScope.Restore enter(LiveAttempt<?> attempt) {
		return OnceScope.current().with(attempt).open();
	}

	private void finished(LiveAttempt<?> attempt) {
		attempt.bodyEnded();
		this.live.remove(attempt);
	}

	private Terms terms(FarSideContract contract, Asking asking) {
		return new Terms(contract, asking, this.settings.schedule());
	}

	private RuntimeException fenced(EffectCall<?> call, Run run) {
		this.hooks.fenced(run);
		this.endings.tell(call, Ending.FENCED, null);
		return run.fenced();
	}

	private <T extends @Nullable Object> Beginning<T> ended(EffectCall<T> call, @Nullable EffectRow met, Ending ending,
			Outcome<T> outcome) {
		return new Beginning.Ended<>((met != null) ? this.endings.repeated(call, met, ending, outcome)
				: this.endings.ended(call, ending, outcome));
	}

	private void pause(Duration pause) {
		try {
			this.time.pause(pause);
		}
		catch (InterruptedException ex) {
			// A ledger statement is not given up; whoever cleared the flag restores it
			this.interrupted.set(Boolean.TRUE);
		}
	}

	private void restoreInterrupt(boolean interrupted) {
		if (interrupted || this.interrupted.get() != null) {
			Thread.currentThread().interrupt();
		}
		this.interrupted.remove();
	}

	private static Duration longer(Duration pause) {
		Duration twice = pause.multipliedBy(2);
		return (twice.compareTo(LONGEST_PAUSE) < 0) ? twice : LONGEST_PAUSE;
	}

	private static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Sends the effect's request.
	 *
	 * @param <T> the effect's answer
	 */
	@FunctionalInterface
	public interface Body<T extends @Nullable Object> {

		/**
		 * Sends it.
		 * @param effect the current effect
		 * @return {@link Outcome#done} with the far side's answer, or what it declares
		 * instead
		 * @throws Throwable what went wrong
		 */
		Outcome<T> perform(Effect effect) throws Throwable;

	}

	/**
	 * Sends the effect's request and answers later.
	 *
	 * @param <T> the effect's answer
	 */
	@FunctionalInterface
	public interface AsyncBody<T extends @Nullable Object> {

		/**
		 * Sends it.
		 * @param effect the current effect
		 * @return completed with the far side's answer
		 * @throws Throwable what went wrong
		 */
		CompletionStage<Outcome<T>> perform(Effect effect) throws Throwable;

	}

	/**
	 * The protocol's settings.
	 *
	 * @param secondRequest what happens to a second writing request
	 * @param schedule when resolvers are asked again
	 * @param resolverTimeout how long a resolver may take
	 */
	public record Settings(SecondRequest secondRequest, ResolveSchedule schedule, Duration resolverTimeout) {

	}

	/**
	 * What else of Once takes part.
	 */
	public interface Hooks {

		/**
		 * Before a submit: nothing starts that nobody renews.
		 */
		default void beforeSubmit() {
		}

		/**
		 * A run was turned away.
		 * @param run the run
		 */
		default void fenced(Run run) {
		}

		/**
		 * An answer was lost: the caretaker should look soon.
		 */
		default void lost() {
		}

	}

	private record Try<T extends @Nullable Object>(EffectCall<T> call, String id, Move move, Earlier earlier,
			Deadline deadline, Deadline longest) {

	}

	private sealed interface Beginning<T extends @Nullable Object> {

		record Begun<T extends @Nullable Object>(LiveAttempt<T> attempt) implements Beginning<T> {

		}

		record Ended<T extends @Nullable Object>(Outcome<T> outcome) implements Beginning<T> {

		}

	}

}
