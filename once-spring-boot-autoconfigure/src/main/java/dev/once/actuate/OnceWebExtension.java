package dev.once.actuate;

import java.security.Principal;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.once.OnceException;
import dev.once.actuate.OperationAnswer.DrillDescriptor;
import dev.once.actuate.OperationAnswer.OccurrenceDescriptor;
import dev.once.actuate.OperationAnswer.PageDescriptor;
import dev.once.actuate.OperationAnswer.RefusalDescriptor;
import dev.once.actuate.OperationAnswer.RunDescriptor;
import dev.once.lease.StoreException;
import dev.once.occurrence.JobDesk;
import dev.once.occurrence.JobDesk.Answer;
import dev.once.occurrence.JobDesk.Drilled;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.UnknownJobException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.util.StringUtils;

/**
 * What the {@link OnceEndpoint} gives and does over HTTP alone, where there is somebody
 * who asks: pages, and what a person decides (P2).
 */
@EndpointWebExtension(endpoint = OnceEndpoint.class)
@RegisterReflectionForBinding({ RunDescriptor.class, DrillDescriptor.class, RefusalDescriptor.class,
		PageDescriptor.class, OccurrenceDescriptor.class })
public class OnceWebExtension {

	private static final Log logger = LogFactory.getLog(OnceWebExtension.class);

	private static final String OCCURRENCES = "occurrences";

	private static final String RUN_NOW = "run-now";

	private static final String DRILL = "drill";

	private static final int DEFAULT_LIMIT = 50;

	private static final int MAX_LIMIT = 500;

	// Spring Security gives it where a reactive application lets anybody in
	private static final String NOBODY = "org.springframework.security.authentication.AnonymousAuthenticationToken";

	private final Supplier<Optional<JobDesk>> desk;

	private final OccurrenceStore occurrences;

	private final Rights rights;

	/**
	 * Creates the extension.
	 * @param desk gives who carries out what is asked of jobs, where there is one
	 * @param occurrences the table of occurrences
	 * @param rights what may be asked
	 */
	public OnceWebExtension(Supplier<Optional<JobDesk>> desk, OccurrenceStore occurrences, Rights rights) {
		this.desk = desk;
		this.occurrences = occurrences;
		this.rights = rights;
	}

	/**
	 * Shows a page.
	 * @param page which one: {@code occurrences}
	 * @param job the job that it is about
	 * @param state only occurrences in this state, or {@code null} for all
	 * @param limit how many at most, 50 unless given
	 * @return the page, or why there is none
	 */
	@ReadOperation
	public WebEndpointResponse<OperationAnswer> page(@Selector String page, @Nullable String job,
			@Nullable String state, @Nullable Integer limit) {
		if (!page.equals(OCCURRENCES)) {
			return refused(Status.NOT_FOUND, job, "unknown_page", "There is no such page; there is " + OCCURRENCES);
		}
		if (!StringUtils.hasText(job)) {
			return nameless();
		}
		if (limit != null && (limit < 1 || limit > MAX_LIMIT)) {
			return bad(job, "The parameter limit is " + limit + "; it takes 1 to " + MAX_LIMIT);
		}
		Optional<OccurrenceState> wanted = state(state);
		if (state != null && wanted.isEmpty()) {
			return bad(job, "The parameter state names no state; there are " + states());
		}
		try {
			return answer(Status.OK,
					new PageDescriptor(job,
							this.occurrences.list(job, wanted.orElse(null), (limit != null) ? limit : DEFAULT_LIMIT)
								.stream()
								.map(OnceWebExtension::occurrence)
								.toList()));
		}
		catch (StoreException ex) {
			return unavailable(job, "The occurrences cannot be read", ex);
		}
	}

	private static Optional<OccurrenceState> state(@Nullable String word) {
		return Arrays.stream(OccurrenceState.values()).filter((state) -> Words.of(state).equals(word)).findFirst();
	}

	private static String states() {
		return Arrays.stream(OccurrenceState.values()).map(Words::of).collect(Collectors.joining(", "));
	}

	private static OccurrenceDescriptor occurrence(OccurrenceRow row) {
		return new OccurrenceDescriptor(row.occurrence(), row.dueAt(), Words.of(row.state()), row.attempt(),
				row.nextAttemptAt(), row.startedAt(), row.endedAt(), row.token(), row.counts(), row.detail());
	}

	/**
	 * Carries out what a person decides. Who that is comes from the security context
	 * alone.
	 * @param security who asks
	 * @param operation what is asked: {@code run-now} or {@code drill}
	 * @param job the job's name
	 * @param name what tells a further run apart, or {@code null} to run what is due
	 * @param why why it is asked, needed for a further run
	 * @return what became of it
	 */
	@WriteOperation
	public WebEndpointResponse<OperationAnswer> carryOut(SecurityContext security, @Selector String operation,
			@Nullable String job, @Nullable String name, @Nullable String why) {
		if (!operation.equals(RUN_NOW) && !operation.equals(DRILL)) {
			return refused(Status.NOT_FOUND, job, "unknown_operation",
					"There is no such operation; there are " + RUN_NOW + " and " + DRILL);
		}
		if (operation.equals(DRILL) && !this.rights.drill()) {
			return forbidden(job, "A drill runs the body of a job again, and is off: set once.drill.enabled=true");
		}
		String who = who(security);
		if (who == null) {
			return forbidden(job,
					"It is recorded who decides, and this request has no authenticated principal: protect the endpoint"
							+ " with Spring Security, or set once.decisions.allow-anonymous=true, which records"
							+ " 'anonymous'");
		}
		if (!StringUtils.hasText(job)) {
			return nameless();
		}
		if (operation.equals(RUN_NOW) && name != null && !StringUtils.hasText(why)) {
			return bad(job, "A further run (parameter name) is recorded with its reason, and the parameter why is"
					+ " missing: say why, or leave name out to run what is due");
		}
		Optional<JobDesk> desk = this.desk.get();
		if (desk.isEmpty()) {
			return refused(Status.UNAVAILABLE, job, "unavailable",
					"This application has no JobDesk bean, so that no job can be run by hand");
		}
		try {
			return operation.equals(DRILL) ? drilled(job, desk.get().drill(job, who, why)) : run(job, (name != null)
					? desk.get().runAgain(job, name, who, String.valueOf(why)) : desk.get().runNow(job, who, why));
		}
		catch (UnknownJobException ex) {
			return refused(Status.NOT_FOUND, job, "unknown_job", message(ex));
		}
		catch (StoreException ex) {
			return unavailable(job, "It is not known what became of it, and it is safe to ask again", ex);
		}
		catch (OnceException ex) {
			return bad(job, message(ex));
		}
	}

	private @Nullable String who(SecurityContext security) {
		Principal principal = security.getPrincipal();
		if (principal != null && !principal.getClass().getName().equals(NOBODY)
				&& StringUtils.hasText(principal.getName())) {
			return principal.getName();
		}
		return this.rights.anonymous() ? "anonymous" : null;
	}

	private static WebEndpointResponse<OperationAnswer> run(String job, Answer answer) {
		String occurrence = answer.occurrence();
		if (answer instanceof Answer.Started started) {
			return answer(Status.ACCEPTED, new RunDescriptor(job, occurrence, "started", started.token(), null, null,
					"started with token " + started.token()));
		}
		if (answer instanceof Answer.Running running) {
			return answer(Status.CONFLICT,
					new RunDescriptor(job, occurrence, "running", null, running.running(), null, message(running)));
		}
		if (answer instanceof Answer.AlreadyDone done) {
			return answer(Status.OK, new RunDescriptor(job, occurrence, "already_done", null, null, done.at(),
					(done.at() != null) ? "already done at " + done.at() : "already done"));
		}
		return answer(Status.CONFLICT,
				new RunDescriptor(job, occurrence, "not_run", null, null, null, ((Answer.NotRun) answer).why()));
	}

	private static String message(Answer.Running running) {
		String other = running.running();
		if (running.occurrence().equals(other)) {
			return "already running: occurrence " + other;
		}
		return "nothing was started: a run of "
				+ ((other != null) ? "occurrence " + other : "the job that belongs to no occurrence") + " is live";
	}

	private static WebEndpointResponse<OperationAnswer> drilled(String job, Drilled drilled) {
		String thrown = (drilled.thrown() != null) ? "; the body threw " + drilled.thrown() : "";
		return answer(Status.OK,
				new DrillDescriptor(job, drilled.occurrence(), "drilled", drilled.effects(), drilled.turnedAway(),
						drilled.thrown(),
						drilled.effects() + " effects, " + drilled.turnedAway() + " turned away" + thrown));
	}

	private static WebEndpointResponse<OperationAnswer> nameless() {
		return bad(null, "The parameter job is missing: give the job's name");
	}

	private static WebEndpointResponse<OperationAnswer> bad(@Nullable String job, String message) {
		return refused(Status.BAD_REQUEST, job, "bad_request", message);
	}

	private static WebEndpointResponse<OperationAnswer> forbidden(@Nullable String job, String message) {
		return refused(Status.FORBIDDEN, job, "forbidden", message);
	}

	// What the database said may name hosts and users: health shows it to whom it may
	private static WebEndpointResponse<OperationAnswer> unavailable(String job, String what, StoreException failure) {
		String message = what + "; the health component 'once' tells what is wrong with the database";
		logger.debug(message, failure);
		return refused(Status.UNAVAILABLE, job, "unavailable", message);
	}

	private static WebEndpointResponse<OperationAnswer> refused(int status, @Nullable String job, String outcome,
			String message) {
		return answer(status, new RefusalDescriptor(job, outcome, message));
	}

	private static WebEndpointResponse<OperationAnswer> answer(int status, OperationAnswer answer) {
		return new WebEndpointResponse<>(answer, status);
	}

	private static String message(OnceException refusal) {
		return (refusal.getMessage() != null) ? refusal.getMessage() : refusal.getClass().getSimpleName();
	}

	/**
	 * What may be asked.
	 *
	 * @param anonymous whether without an authenticated principal
	 * @param drill whether for a drill
	 */
	public record Rights(boolean anonymous, boolean drill) {

	}

	/** The statuses of HTTP that answers have. */
	private static final class Status {

		static final int OK = WebEndpointResponse.STATUS_OK;

		static final int ACCEPTED = 202;

		static final int BAD_REQUEST = WebEndpointResponse.STATUS_BAD_REQUEST;

		static final int FORBIDDEN = 403;

		static final int NOT_FOUND = WebEndpointResponse.STATUS_NOT_FOUND;

		static final int CONFLICT = 409;

		static final int UNAVAILABLE = WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;

	}

}
