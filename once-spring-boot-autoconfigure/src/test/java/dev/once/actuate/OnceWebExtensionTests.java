package dev.once.actuate;

import java.security.Principal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.once.OnceException;
import dev.once.actuate.OnceWebExtension.Rights;
import dev.once.actuate.OperationAnswer.DrillDescriptor;
import dev.once.actuate.OperationAnswer.OccurrenceDescriptor;
import dev.once.actuate.OperationAnswer.PageDescriptor;
import dev.once.actuate.OperationAnswer.RefusalDescriptor;
import dev.once.actuate.OperationAnswer.RunDescriptor;
import dev.once.lease.StoreException;
import dev.once.occurrence.JobDesk.Answer;
import dev.once.occurrence.JobDesk.Drilled;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.UnknownJobException;
import dev.once.test.StubDesk;
import dev.once.test.StubOccurrences;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * P2: what a person decides, and what is answered. Case 9: "Run now".
 */
class OnceWebExtensionTests {

	private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

	private static final SecurityContext AMELIA = principal("amelia");

	private final StubDesk desk = new StubDesk();

	private final StubOccurrences occurrences = new StubOccurrences();

	private final OnceWebExtension extension = with(new Rights(false, true));

	private OnceWebExtension with(Rights rights) {
		return new OnceWebExtension(() -> Optional.of(this.desk), this.occurrences, rights);
	}

	private static SecurityContext principal(String name) {
		return new SecurityContext() {

			@Override
			public Principal getPrincipal() {
				return () -> name;
			}

			@Override
			public boolean isUserInRole(String role) {
				return false;
			}

		};
	}

	@Test
	void aRunThatHasBegunIsAccepted() {
		this.desk.answers(() -> new Answer.Started("2026-11-02T06:00Z", 17));
		answers(runNow(), 202,
				new RunDescriptor("nightly", "2026-11-02T06:00Z", "started", 17L, null, null, "started with token 17"));
		assertThat(this.desk.asked()).containsExactly(Arrays.asList("run-now", "nightly", null, "amelia", null));
	}

	@Test
	void aSecondOneIsToldThatItIsAlreadyRunning() {
		this.desk.answers(() -> new Answer.Running("a", "a"));
		answers(runNow(), 409,
				new RunDescriptor("nightly", "a", "running", null, "a", null, "already running: occurrence a"));
	}

	@Test
	void anotherOccurrencesRunIsNamed() {
		this.desk.answers(() -> new Answer.Running("b", "a"));
		answers(runNow(), 409, new RunDescriptor("nightly", "b", "running", null, "a", null,
				"nothing was started: a run of occurrence a is live"));
		this.desk.answers(() -> new Answer.Running("b", null));
		assertThat(((RunDescriptor) runNow().getBody()).message()).contains("belongs to no occurrence");
	}

	@Test
	void whatIsDoneIsAlreadyDone() {
		this.desk.answers(() -> new Answer.AlreadyDone("a", NOON));
		answers(runNow(), 200, new RunDescriptor("nightly", "a", "already_done", null, null, NOON,
				"already done at 2026-11-02T12:00:00Z"));
		this.desk.answers(() -> new Answer.AlreadyDone("a", null));
		answers(runNow(), 200, new RunDescriptor("nightly", "a", "already_done", null, null, null, "already done"));
	}

	@Test
	void whatCannotBeRunSaysWhyNot() {
		this.desk.answers(() -> new Answer.NotRun("a", "its attempts are used up"));
		answers(runNow(), 409,
				new RunDescriptor("nightly", "a", "not_run", null, null, null, "its attempts are used up"));
	}

	@Test
	void aNameAsksForAFurtherRunAndIsRecordedWithWhy() {
		assertThat(
				this.extension.carryOut(AMELIA, "run-now", "nightly", "again", "the mail server was down").getStatus())
			.isEqualTo(202);
		assertThat(this.desk.asked())
			.containsExactly(Arrays.asList("run-again", "nightly", "again", "amelia", "the mail server was down"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void aFurtherRunWithoutAReasonIsRefused(String why) {
		refuses(this.extension.carryOut(AMELIA, "run-now", "nightly", "again", why), 400, "bad_request",
				"the parameter why is missing");
		refuses(this.extension.carryOut(AMELIA, "run-now", "nightly", "again", null), 400, "bad_request",
				"the parameter why is missing");
	}

	@Test
	void withoutAJobNothingIsAsked() {
		refuses(this.extension.carryOut(AMELIA, "run-now", null, null, null), 400, "bad_request",
				"The parameter job is missing");
		refuses(this.extension.carryOut(AMELIA, "drill", " ", null, null), 400, "bad_request",
				"The parameter job is missing");
	}

	@Test
	void anUnknownJobIsNotFound() {
		this.desk.answers(() -> {
			throw new UnknownJobException("There is no job 'nightly'; there is 'weekly'");
		});
		WebEndpointResponse<OperationAnswer> refused = runNow();
		this.desk.asked();
		refuses(refused, 404, "unknown_job", "There is no job 'nightly'; there is 'weekly'");
	}

	@Test
	void badInputIsToldWithItsMend() {
		this.desk.answers(() -> {
			throw new OnceException("The name 'A' does not match [a-z0-9][a-z0-9-]*");
		});
		WebEndpointResponse<OperationAnswer> refused = this.extension.carryOut(AMELIA, "run-now", "nightly", "A", "so");
		this.desk.asked();
		refuses(refused, 400, "bad_request", "The name 'A' does not match [a-z0-9][a-z0-9-]*");
	}

	@Test
	void aDatabaseThatDoesNotAnswerIsNotNamed() {
		this.desk.answers(() -> {
			throw new StoreException("Connection to db17.internal:5432 refused", new IllegalStateException());
		});
		WebEndpointResponse<OperationAnswer> refused = runNow();
		this.desk.asked();
		refuses(refused, 503, "unavailable", "It is not known what became of it, and it is safe to ask again");
		assertThat(refused.getBody().toString()).doesNotContain("db17");
	}

	@Test
	void nobodyDecidesAnything() {
		for (SecurityContext nobody : new SecurityContext[] { SecurityContext.NONE, principal(" ") }) {
			refuses(this.extension.carryOut(nobody, "run-now", "nightly", null, null), 403, "forbidden",
					"no authenticated principal: protect the endpoint with Spring Security, or set"
							+ " once.decisions.allow-anonymous=true");
		}
	}

	@Test
	void anonymousDecidesWhereThatIsAllowed() {
		with(new Rights(true, false)).carryOut(SecurityContext.NONE, "run-now", "nightly", null, null);
		with(new Rights(true, false)).carryOut(AMELIA, "run-now", "nightly", null, null);
		assertThat(this.desk.asked()).extracting((asked) -> asked.get(3)).containsExactly("anonymous", "amelia");
	}

	@Test
	void aDrillTellsHowManyEffectsWereTurnedAway() {
		this.desk.drills(() -> new Drilled("a", 3, 3, null));
		answers(this.extension.carryOut(AMELIA, "drill", "nightly", null, "audit"), 200,
				new DrillDescriptor("nightly", "a", "drilled", 3, 3, null, "3 effects, 3 turned away"));
		assertThat(this.desk.asked()).containsExactly(Arrays.asList("drill", "nightly", null, "amelia", "audit"));
		this.desk.drills(() -> new Drilled("a", 3, 1, "java.lang.IllegalStateException"));
		answers(this.extension.carryOut(AMELIA, "drill", "nightly", null, null), 200,
				new DrillDescriptor("nightly", "a", "drilled", 3, 1, "java.lang.IllegalStateException",
						"3 effects, 1 turned away; the body threw java.lang.IllegalStateException"));
	}

	@Test
	void aDrillIsOffUnlessItIsTurnedOn() {
		refuses(with(new Rights(false, false)).carryOut(AMELIA, "drill", "nightly", null, null), 403, "forbidden",
				"set once.drill.enabled=true");
	}

	@Test
	void anUnknownOperationIsNotFound() {
		refuses(this.extension.carryOut(AMELIA, "run", "nightly", null, null), 404, "unknown_operation",
				"there are run-now and drill");
	}

	@Test
	void withoutADeskNothingCanBeAsked() {
		OnceWebExtension alone = new OnceWebExtension(Optional::empty, this.occurrences, new Rights(false, true));
		refuses(alone.carryOut(AMELIA, "run-now", "nightly", null, null), 503, "unavailable", "no JobDesk bean");
	}

	@Test
	void aPageOfOccurrencesShowsEach() {
		this.occurrences.with(row("b", OccurrenceState.OPEN)).with(row("a", OccurrenceState.FINISHED));
		answers(this.extension.page("occurrences", "nightly", null, null), 200,
				new PageDescriptor("nightly", List.of(
						new OccurrenceDescriptor("b", NOON, "open", 2, NOON.plusSeconds(60), NOON.plusSeconds(1),
								NOON.plusSeconds(9), 17L, "{\"performed\":1}", "IllegalStateException"),
						new OccurrenceDescriptor("a", NOON, "finished", 2, NOON.plusSeconds(60), NOON.plusSeconds(1),
								NOON.plusSeconds(9), 17L, "{\"performed\":1}", "IllegalStateException"))));
		assertThat(((PageDescriptor) this.extension.page("occurrences", "nightly", "finished", null).getBody())
			.occurrences()).extracting(OccurrenceDescriptor::occurrence).containsExactly("a");
	}

	@Test
	void aPageIsBounded() {
		IntStream.range(0, 600).forEach((i) -> this.occurrences.with(row("o" + i, OccurrenceState.FINISHED)));
		assertThat(((PageDescriptor) this.extension.page("occurrences", "nightly", null, null).getBody()).occurrences())
			.hasSize(50);
		assertThat(((PageDescriptor) this.extension.page("occurrences", "nightly", null, 500).getBody()).occurrences())
			.hasSize(500);
		refuses(this.extension.page("occurrences", "nightly", null, 501), 400, "bad_request", "it takes 1 to 500");
		refuses(this.extension.page("occurrences", "nightly", null, 0), 400, "bad_request", "it takes 1 to 500");
	}

	@Test
	void aPageIsNamedWithItsJobAndAStateThatThereIs() {
		refuses(this.extension.page("occurrences", null, null, null), 400, "bad_request", "parameter job is missing");
		refuses(this.extension.page("occurrences", "nightly", "done", null), 400, "bad_request", "running, open,");
		refuses(this.extension.page("effect", "nightly", null, null), 404, "unknown_page", "there is occurrences");
	}

	@Test
	void aNativeImageCanWriteEachAnswer() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, OnceWebExtension.class);
		for (Class<?> answer : OperationAnswer.class.getPermittedSubclasses()) {
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(answer, "job")).accepts(hints);
		}
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(OccurrenceDescriptor.class, "dueAt"))
			.accepts(hints);
	}

	private WebEndpointResponse<OperationAnswer> runNow() {
		return this.extension.carryOut(AMELIA, "run-now", "nightly", null, null);
	}

	private static void answers(WebEndpointResponse<OperationAnswer> response, int status, OperationAnswer body) {
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(response.getBody()).isEqualTo(body);
	}

	private void refuses(WebEndpointResponse<OperationAnswer> response, int status, String outcome, String message) {
		assertThat(response.getStatus()).isEqualTo(status);
		assertThat(response.getBody()).isInstanceOfSatisfying(RefusalDescriptor.class, (refusal) -> {
			assertThat(refusal.outcome()).isEqualTo(outcome);
			assertThat(refusal.message()).contains(message);
		});
		assertThat(this.desk.asked()).isEmpty();
	}

	private static OccurrenceRow row(String occurrence, OccurrenceState state) {
		return new OccurrenceRow("nightly", occurrence, NOON, null, state, 2, NOON.plusSeconds(60), "run-1", "owner-1",
				17, "[\"s3cr3t\"]", NOON.plusSeconds(1), NOON.plusSeconds(9), "{\"performed\":1}",
				"IllegalStateException", NOON.plusSeconds(10));
	}

}
