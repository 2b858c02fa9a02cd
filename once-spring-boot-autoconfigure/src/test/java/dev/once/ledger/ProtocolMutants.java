package dev.once.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.once.Resolution;
import dev.once.ledger.EffectRules.Attempted;
import dev.once.ledger.EffectRules.BodyEnd;
import dev.once.ledger.EffectRules.Earlier;
import dev.once.ledger.EffectRules.ReadBack;
import dev.once.ledger.EffectRules.Step;
import dev.once.ledger.EffectRules.Terms;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Ambiguous;
import dev.once.ledger.Failure.Next;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.Failure.Refused;
import dev.once.ledger.ModelState.Fault;
import dev.once.ledger.MoveSemantics.Around;
import dev.once.ledger.MoveSemantics.Result;
import org.jspecify.annotations.Nullable;

import static dev.once.ledger.ModelWorld.FOR_EVER;

/**
 * The protocol with one rule left out or read in another way, each with the world in
 * which that shows. They must all fail.
 */
final class ProtocolMutants {

	private ProtocolMutants() {
	}

	static List<Mutant> all() {
		return List.of(
				// E1
				new Mutant("E1 the fence is not checked", ProtocolModel.I3, ModelWorld.run().faults(0),
						new ModelProtocol() {

							@Override
							Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
								Fence fence = (move instanceof Move.Submit submit) ? submit.fence()
										: (move instanceof Move.Resubmit resubmit) ? resubmit.fence() : null;
								Around open = (fence != null)
										? new Around(Map.of(fence.job(), fence.token()), List.of()) : around;
								return super.apply(row, open, move, now);
							}

						}),
				new Mutant("E1 claimed to submitted is blind", ProtocolModel.I1,
						ModelWorld.standalone().faults(0).upTo(3, 3, 3), new Forging() {

							@Override
							EffectRow forge(EffectRow row, Move move) {
								return (move instanceof Move.Resubmit resubmit && row.state() != EffectState.DONE)
										? as(row, resubmit.seenState(), resubmit.seenAttemptId()) : row;
							}

						}),
				// E2
				new Mutant("E2 sent after an ambiguous commit without reading back", ProtocolModel.I2,
						ModelWorld.run().faults(1, Fault.AMBIGUOUS_COMMIT), new ModelProtocol() {

							@Override
							boolean readsBack() {
								return false;
							}

						}),
				new Mutant("E2 read back by state, not by attempt id", ProtocolModel.I2,
						ModelWorld.standalone().faults(1, Fault.AMBIGUOUS_COMMIT), new ModelProtocol() {

							@Override
							ReadBack onReadBack(@Nullable EffectRow row, String attemptId) {
								return super.onReadBack((row != null) ? as(row, row.state(), attemptId) : null,
										attemptId);
							}

						}),
				// E3
				new Mutant("E3 no deadline", ProtocolModel.I1, ModelWorld.run().faults(0), new ModelProtocol() {

					@Override
					boolean checksOnEntry() {
						return false;
					}

					@Override
					boolean checksAsRequestLeaves() {
						return false;
					}

				}), new Mutant("E3 deadline checked on entry only", ProtocolModel.I1, ModelWorld.run().faults(0),
						new ModelProtocol() {

							@Override
							boolean checksAsRequestLeaves() {
								return false;
							}

						}),
				new Mutant("E3 deadline counted from the statement's return", ProtocolModel.I1,
						ModelWorld.run().faults(1, Fault.AMBIGUOUS_COMMIT), new ModelProtocol() {

							@Override
							int countedFrom(int before, int after) {
								return after;
							}

						}),
				new Mutant("E3 a body that swallows the refusal of a late send is recorded as done", ProtocolModel.J1,
						ModelWorld.run().faults(0), new ModelProtocol() {

							@Override
							BodyEnd onSwallowedDeadline() {
								return new BodyEnd.Answered(new Answer("nothing", "model"));
							}

						}),
				new Mutant("E3 extension names the attempt only", ProtocolModel.I1, extending(), new ModelProtocol() {

					@Override
					Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
						if (row == null || !(move instanceof Move.Extend extend)
								|| !row.isAttempt(extend.attemptId())) {
							return super.apply(row, around, move, now);
						}
						EffectRow open = windowed(as(row, EffectState.SUBMITTED, extend.attemptId()),
								row.attempt().submittedAt(), now.plusMillis(1));
						EffectRow extended = super.apply(open, around, move, now).row();
						EffectRow kept = as(extended, row.state(), extend.attemptId());
						return new Result(new Moved.Applied(kept), kept);
					}

				}), new Mutant("E3 own deadline moves when the extension is issued", ProtocolModel.I1, extending(),
						new ModelProtocol() {

							@Override
							boolean extendsBeforeConfirmed() {
								return true;
							}

						}),
				new Mutant("E3 own deadline counts from the extension's return", ProtocolModel.I1, extending(),
						new ModelProtocol() {

							// It returns a tick after it was executed
							@Override
							int extensionCountedFrom(int issued, int known) {
								return known + 1;
							}

						}),
				new Mutant("E3 settle-after counts from the window before its extension", ProtocolModel.I1,
						extending().upTo(9, 2, 2), new ModelProtocol() {

							@Override
							Move onResolution(EffectRow asked, Resolution<?> said, Terms terms, @Nullable Answer answer,
									Instant now) {
								return super.onResolution(unextended(asked, terms.contract()), said, terms, answer,
										now);
							}

							@Override
							Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
								EffectRow forged = (row != null && move instanceof Move.DidNotHappen)
										? windowed(row, row.attempt().submittedAt(), Instant.EPOCH) : row;
								return super.apply(forged, around, move, now);
							}

						}),
				new Mutant("L4 the caretaker extends the windows of dead processes", ProtocolModel.I7,
						ModelWorld.run().faults(1, Fault.CRASH).endsWell(), new ModelProtocol() {

							@Override
							Move onOpenWindow(EffectRow row) {
								return new Move.Extend(row.facts().key(), row.facts().revision(), row.attempt().id(),
										ModelWorld.window(1), ModelWorld.ticks(FOR_EVER));
							}

						}),
				// E4
				new Mutant("E4 settle without compare-and-set", ProtocolModel.I5, ModelWorld.run().faults(0),
						new Forging() {

							@Override
							EffectRow forge(EffectRow row, Move move) {
								return (move instanceof Move.Settle settle)
										? as(row, EffectState.SUBMITTED, settle.attemptId()) : row;
							}

						}),
				new Mutant("E4 an answer takes the contradiction of an earlier attempt from its row", ProtocolModel.J5,
						ModelWorld.run().farSide(1, 1, 0).remembers(FOR_EVER).faults(0), new ModelProtocol() {

							@Override
							Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
								EffectRow seen = (row != null && move instanceof Move.Settle) ? unattended(row) : row;
								return super.apply(seen, around, move, now);
							}

						}),
				new Mutant("E4 the answer is written only until the window ends", ProtocolModel.J2,
						ModelWorld.run().faults(0), new ModelProtocol() {

							@Override
							boolean givesAnswerUp(int now, int deadline) {
								return now > deadline;
							}

						}),
				new Mutant("E4 an answer for a row wrongly put back to claimed is only reported", ProtocolModel.J2,
						ModelWorld.run().farSide(1, 1, 0).faults(0).upTo(6, 2, 1), new ModelProtocol() {

							@Override
							Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
								return (move instanceof Move.Settle && row != null
										&& row.state() == EffectState.CLAIMED)
												? new Result(new Moved.Met(MoveSemantics.readAt(row, now)), row)
												: super.apply(row, around, move, now);
							}

						}),
				// E5
				new Mutant("E5 a time-out is taken for not sent", ProtocolModel.I1, ModelWorld.run().faults(0),
						ending((end) -> (end.failure() instanceof Ambiguous)
								? new BodyEnd.Failed(new NotSent(About.THE_LAST_REQUEST), null, null) : end)),
				new Mutant("E5 a time-out is taken for a refusal", ProtocolModel.I1, ModelWorld.run().faults(0),
						ending((end) -> (end.failure() instanceof Ambiguous)
								? new BodyEnd.Failed(new Refused(null, Next.ANOTHER_ATTEMPT), null, null) : end)),
				new Mutant("E5 the last throw is judged alone", ProtocolModel.I1,
						ModelWorld.run().faults(2, Fault.RETRY_IN_BODY),
						attempted((attempt) -> new Attempted(attempt.key(), attempt.revision(), attempt.id(),
								attempt.refusals(), attempt.earlier(), 0, false))),
				new Mutant("E5 back to claimed without compare-and-set on the attempt", ProtocolModel.I1,
						ModelWorld.standalone().faults(0).upTo(5, 3, 3), new Forging() {

							@Override
							EffectRow forge(EffectRow row, Move move) {
								return (move instanceof Move.Release release)
										? as(row, row.state(), release.attemptId()) : row;
							}

							@Override
							EffectRow restore(EffectRow row, EffectRow changed, Move move) {
								return (move instanceof Move.Release) ? as(changed, changed.state(), row.attempt().id())
										: changed;
							}

						}),
				// E6
				new Mutant("E6 a row in flight is attempted", ProtocolModel.I1, ModelWorld.run().faults(0),
						meeting(EffectState.SUBMITTED)),
				new Mutant("E6 unknown is attempted without asking", ProtocolModel.I1, ModelWorld.run().faults(0),
						meeting(EffectState.UNKNOWN)),
				new Mutant("E9 a done row is attempted again", ProtocolModel.I5, ModelWorld.run().faults(0),
						meeting(EffectState.DONE)),
				// E7
				new Mutant("E7 'did not happen' is believed without settle-after", ProtocolModel.I1,
						ModelWorld.run().faults(0), new ModelProtocol() {

							@Override
							Move onResolution(EffectRow asked, Resolution<?> said, Terms terms, @Nullable Answer answer,
									Instant now) {
								return (said instanceof Resolution.DidNotHappen)
										? new Move.DidNotHappen(asked.facts().key(), asked.facts().revision(),
												asked.attempt().id(), Instant.MAX, null)
										: super.onResolution(asked, said, terms, answer, now);
							}

						}),
				new Mutant("E7 settle-after is judged when the answer is recorded", ProtocolModel.I1,
						ModelWorld.run().faults(0), new ModelProtocol() {

							@Override
							Move onResolution(EffectRow asked, Resolution<?> said, Terms terms, @Nullable Answer answer,
									Instant now) {
								return super.onResolution(MoveSemantics.readAt(asked, now), said, terms, answer, now);
							}

						}),
				new Mutant("E7 compare-and-set on the state, not on the attempt asked about", ProtocolModel.I1,
						ModelWorld.standalone().faults(0).upTo(5, 3, 3), new ModelProtocol() {

							@Override
							Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
								if (row != null && move instanceof Move.DidNotHappen not) {
									Move blind = new Move.DidNotHappen(not.key(), not.revision(), row.attempt().id(),
											Instant.MAX, not.shows());
									return super.apply(row, around, blind, now);
								}
								return super.apply(row, around, move, now);
							}

						}),
				new Mutant("E7 'did not happen' counts however late it is asked", ProtocolModel.I1,
						ModelWorld.run().shows(4).faults(0), new ModelProtocol() {

							@Override
							Move onResolution(EffectRow asked, Resolution<?> said, Terms terms, @Nullable Answer answer,
									Instant now) {
								return super.onResolution(asked, said, ModelWorld.run().terms(), answer, now);
							}

						}),
				new Mutant("E7 'did not happen' counts if the asking only began while the far side shows it",
						ProtocolModel.I1, ModelWorld.run().shows(5).upTo(7, 2, 2).faults(0), new ModelProtocol() {

							@Override
							Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
								Instant judged = (move instanceof Move.DidNotHappen not) ? not.askedAt() : now;
								return super.apply(row, around, move, judged);
							}

						}),
				// E8
				new Mutant("E8 re-sent without regard to the memory", ProtocolModel.I1, remembering().faults(0),
						remembers(EffectRow::firstSubmittedAt, FOR_EVER)),
				new Mutant("E8 memory counted from the last submit", ProtocolModel.I1,
						remembering().faults(0).upTo(7, 3, 3), remembers((row) -> row.attempt().submittedAt(), 5)),
				new Mutant("E8 the window need not end within the memory", ProtocolModel.I1, remembering().faults(0),
						remembers(EffectRow::firstSubmittedAt, 8)),
				new Mutant("E8 a re-send that is not sent goes back to claimed", ProtocolModel.I1,
						remembering().faults(1, Fault.NOT_SENT).upTo(7, 3, 3), attempted(ProtocolMutants::settled)),
				new Mutant("E8 a re-send that is refused goes back to claimed", ProtocolModel.I1,
						remembering().faults(1, Fault.REFUSAL).upTo(7, 3, 3), attempted(ProtocolMutants::settled)),
				new Mutant("E8 re-sent to a far side that does not deduplicate", ProtocolModel.I1,
						ModelWorld.run().withoutResolver().faults(0), remembers(EffectRow::firstSubmittedAt, FOR_EVER)),
				// E10
				new Mutant("E10 a key for each attempt", ProtocolModel.I1,
						ModelWorld.run().withoutResolver().remembers(FOR_EVER).faults(0), new ModelProtocol() {

							@Override
							String idempotencyKey(EffectFacts facts, int refusals, int attempt,
									FarSideContract contract) {
								return facts.key() + "-" + attempt;
							}

						}),
				new Mutant("E10 freshKeyAfterRefusal counts refusals while an earlier attempt is open",
						ProtocolModel.I1,
						ModelWorld.run()
							.withoutResolver()
							.remembers(FOR_EVER)
							.freshKeyAfterRefusal()
							.faults(1, Fault.REFUSAL)
							.upTo(6, 3, 3),
						attempted(ProtocolMutants::settled)));
	}

	private static ModelWorld extending() {
		return ModelWorld.run().window(3, 6).farSide(0, 1, 1).faults(1, Fault.EXTENSION).upTo(7, 2, 2);
	}

	private static ModelWorld remembering() {
		return ModelWorld.run().withoutResolver().farSide(0, 1, 1).remembers(5).upTo(7, 3, 2);
	}

	private static Attempted settled(Attempted attempt) {
		return new Attempted(attempt.key(), attempt.revision(), attempt.id(), attempt.refusals(), Earlier.SETTLED,
				attempt.openBeforeLast(), attempt.lastOpen());
	}

	private static EffectRow as(EffectRow row, EffectState state, String attemptId) {
		AttemptFacts attempt = row.attempt();
		return new EffectRow(row.facts(),
				new AttemptFacts(attempt.number(), attemptId, attempt.fence(), attempt.submittedAt(),
						attempt.windowUntil(), attempt.settleAfter()),
				state, row.outcome(), row.attention(), row.refusals(), row.firstSubmittedAt(), row.nextAttemptAt(),
				row.resolveTries(), row.nextResolveAt(), row.answer(), row.detail(), row.readAt());
	}

	private static EffectRow windowed(EffectRow row, Instant submittedAt, Instant windowUntil) {
		AttemptFacts attempt = row.attempt();
		return new EffectRow(row.facts(),
				new AttemptFacts(attempt.number(), attempt.id(), attempt.fence(), submittedAt, windowUntil,
						attempt.settleAfter()),
				row.state(), row.outcome(), row.attention(), row.refusals(), row.firstSubmittedAt(),
				row.nextAttemptAt(), row.resolveTries(), row.nextResolveAt(), row.answer(), row.detail(), row.readAt());
	}

	private static EffectRow unattended(EffectRow row) {
		return new EffectRow(row.facts(), row.attempt(), row.state(), row.outcome(), null, row.refusals(),
				row.firstSubmittedAt(), row.nextAttemptAt(), row.resolveTries(), row.nextResolveAt(), row.answer(),
				row.detail(), row.readAt());
	}

	private static EffectRow unextended(EffectRow row, FarSideContract contract) {
		Instant submittedAt = row.attempt().submittedAt();
		return windowed(row, submittedAt, submittedAt.plus(contract.window()));
	}

	private static ModelProtocol ending(UnaryOperator<BodyEnd.Failed> mutation) {
		return new ModelProtocol() {

			@Override
			Move onBodyEnd(Attempted attempt, BodyEnd end, FarSideContract contract) {
				return super.onBodyEnd(attempt, (end instanceof BodyEnd.Failed failed) ? mutation.apply(failed) : end,
						contract);
			}

		};
	}

	private static ModelProtocol attempted(UnaryOperator<Attempted> mutation) {
		return new ModelProtocol() {

			@Override
			Move onBodyEnd(Attempted attempt, BodyEnd end, FarSideContract contract) {
				return super.onBodyEnd(mutation.apply(attempt), end, contract);
			}

		};
	}

	// A row in this state is attempted like a claimed one
	private static ModelProtocol meeting(EffectState state) {
		return new Forging() {

			@Override
			Step onMeeting(EffectRow row, Terms terms) {
				return (row.state() == state) ? new Step.Again(row, Earlier.SETTLED) : super.onMeeting(row, terms);
			}

			@Override
			EffectRow forge(EffectRow row, Move move) {
				return (move instanceof Move.Resubmit resubmit && resubmit.seenState() == state && row.state() == state)
						? as(row, EffectState.CLAIMED, row.attempt().id()) : row;
			}

			@Override
			Move forge(Move move) {
				return (move instanceof Move.Resubmit resubmit && resubmit.seenState() == state)
						? new Move.Resubmit(resubmit.key(), resubmit.revision(), EffectState.CLAIMED,
								resubmit.seenAttemptId(), resubmit.attemptId(), resubmit.fence(), resubmit.window(),
								resubmit.settleAfter(), resubmit.remembers())
						: move;
			}

		};
	}

	// E8 with another memory, or counted from another time
	private static ModelProtocol remembers(Function<EffectRow, Instant> from, int ticks) {
		return new Forging() {

			@Override
			Step onMeeting(EffectRow row, Terms terms) {
				return super.onMeeting(since(row),
						ModelWorld.run().withoutResolver().farSide(0, 1, 1).remembers(ticks).terms());
			}

			private EffectRow since(EffectRow row) {
				return new EffectRow(row.facts(), row.attempt(), row.state(), row.outcome(), row.attention(),
						row.refusals(), from.apply(row), row.nextAttemptAt(), row.resolveTries(), row.nextResolveAt(),
						row.answer(), row.detail(), row.readAt());
			}

			@Override
			EffectRow forge(EffectRow row, Move move) {
				return (move instanceof Move.Resubmit) ? since(row) : row;
			}

			@Override
			EffectRow restore(EffectRow row, EffectRow changed, Move move) {
				return new EffectRow(changed.facts(), changed.attempt(), changed.state(), changed.outcome(),
						changed.attention(), changed.refusals(), row.firstSubmittedAt(), changed.nextAttemptAt(),
						changed.resolveTries(), changed.nextResolveAt(), changed.answer(), changed.detail(),
						changed.readAt());
			}

			@Override
			Move forge(Move move) {
				return (move instanceof Move.Resubmit resubmit) ? new Move.Resubmit(resubmit.key(), resubmit.revision(),
						resubmit.seenState(), resubmit.seenAttemptId(), resubmit.attemptId(), resubmit.fence(),
						resubmit.window(), resubmit.settleAfter(), ModelWorld.ticks(ticks)) : move;
			}

		};
	}

	/**
	 * A protocol with something wrong.
	 *
	 * @param name what is wrong, with the rule's number
	 * @param breaks the invariant that it breaks
	 * @param world the world in which that shows
	 * @param protocol the protocol
	 */
	record Mutant(String name, String breaks, ModelWorld world, ModelProtocol protocol) {

		@Override
		public String toString() {
			return this.name;
		}

	}

	/**
	 * A ledger whose statements see another row, or another move, than they should: what
	 * is missing in a `where` clause is forged to match.
	 */
	private abstract static class Forging extends ModelProtocol {

		EffectRow forge(EffectRow row, Move move) {
			return row;
		}

		Move forge(Move move) {
			return move;
		}

		EffectRow restore(EffectRow row, EffectRow changed, Move move) {
			return changed;
		}

		@Override
		Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
			if (row == null) {
				return super.apply(null, around, move, now);
			}
			Result result = super.apply(forge(row, move), around, forge(move), now);
			EffectRow changed = result.row();
			if (!(result.moved() instanceof Moved.Applied) || changed == null) {
				return new Result((result.moved() instanceof Moved.Met) ? new Moved.Met(MoveSemantics.readAt(row, now))
						: result.moved(), row);
			}
			EffectRow restored = restore(row, changed, move);
			return new Result(new Moved.Applied(restored), restored);
		}

	}

}
