package dev.once.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

import dev.once.Effect;
import dev.once.EffectDeadlineException;
import dev.once.SecondRequestException;
import dev.once.lease.Deadline;
import dev.once.lease.Run;
import dev.once.lease.TimeSource;
import dev.once.ledger.EffectRules.Attempted;
import dev.once.ledger.EffectRules.BodyEnd;
import dev.once.ledger.EffectRules.Earlier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * An attempt while its body runs: its deadline and the score of its writing requests.
 */
final class LiveAttempt<T extends @Nullable Object> implements Effect {

	private static final Log logger = LogFactory.getLog(LiveAttempt.class);

	private final EffectCall<T> call;

	private final String id;

	private final int number;

	private final int refusals;

	private final Earlier earlier;

	private final SecondRequest secondRequest;

	private final TimeSource time;

	private final Deadline longest;

	private final List<Request> requests = new ArrayList<>();

	private volatile Deadline deadline;

	private volatile boolean missed;

	private volatile boolean bodyLive = true;

	LiveAttempt(EffectCall<T> call, String id, int number, int refusals, Earlier earlier, SecondRequest secondRequest,
			TimeSource time, Deadline deadline, Deadline longest) {
		this.call = call;
		this.id = id;
		this.number = number;
		this.refusals = refusals;
		this.earlier = earlier;
		this.secondRequest = secondRequest;
		this.time = time;
		this.deadline = deadline;
		this.longest = longest;
	}

	EffectCall<T> call() {
		return this.call;
	}

	String id() {
		return this.id;
	}

	@Override
	public String action() {
		return this.call.facts().action();
	}

	@Override
	public String label() {
		return this.call.facts().label();
	}

	@Override
	public String idempotencyKey() {
		return EffectRules.idempotencyKey(this.call.facts(), this.refusals, this.call.contract());
	}

	@Override
	public int revision() {
		return this.call.facts().revision();
	}

	@Override
	public int attempt() {
		return this.number;
	}

	@Override
	public OptionalLong fencingToken() {
		Run run = this.call.run();
		return (run != null) ? OptionalLong.of(run.hold().token()) : OptionalLong.empty();
	}

	@Override
	public String mailMessageId() {
		return "<" + this.call.facts().key() + "." + this.call.facts().revision() + "@once.invalid>";
	}

	@Override
	public Duration timeLeft() {
		return this.deadline.left();
	}

	@Override
	public boolean covers(@Nullable String host) {
		return this.call.contract().hosts().isEmpty()
				|| (host != null && this.call.contract().hosts().contains(host.toLowerCase(Locale.ROOT)));
	}

	@Override
	public Sending sending(String request) {
		checkDeadline();
		synchronized (this.requests) {
			// E5: what became of the attempt was judged by the requests sent until then
			if (!this.bodyLive) {
				throw new EffectDeadlineException(
						"Attempt " + this.number + " at effect '" + label() + "' has ended and sends nothing more");
			}
			if (!this.requests.isEmpty() && !this.requests.get(0).description.equals(request)) {
				secondRequest(request);
			}
			Request sending = new Request(request);
			this.requests.add(sending);
			return sending;
		}
	}

	@Override
	public void turnsElsewhere() {
		synchronized (this.requests) {
			if (!this.requests.isEmpty()) {
				this.requests.get(this.requests.size() - 1).leftBehind = true;
			}
		}
	}

	private void secondRequest(String request) {
		String message = "Effect '" + label() + "' was about to send a second writing request"
				+ (request.isEmpty() ? "" : " (" + request + ")")
				+ " in one attempt. One effect is one writing request: "
				+ "give the second one an @OnceEffect method of its own, or set once.http.second-request=warn";
		if (this.secondRequest == SecondRequest.FAIL) {
			throw new SecondRequestException(message);
		}
		logger.warn(message);
	}

	/**
	 * E3: past the deadline nothing is sent, and the attempt can no longer settle as
	 * done, even if the body swallows this exception.
	 */
	void checkDeadline() {
		if (this.deadline.isPast()) {
			this.missed = true;
			throw new EffectDeadlineException("The window of attempt " + this.number + " at effect '" + label()
					+ "' has ended; nothing was sent");
		}
	}

	boolean missedDeadline() {
		return this.missed;
	}

	Attempted attempted() {
		synchronized (this.requests) {
			int open = (int) this.requests.stream().filter((request) -> request.open).count();
			Request last = this.requests.isEmpty() ? null : this.requests.get(this.requests.size() - 1);
			// E5: what failed after the body turned elsewhere is not the last counted
			// request
			boolean lastOpen = last != null && last.open && !last.leftBehind;
			return new Attempted(this.call.facts().key(), this.call.facts().revision(), this.id, this.refusals,
					this.earlier, lastOpen ? open - 1 : open, lastOpen);
		}
	}

	/**
	 * The end of a body that threw.
	 * @param failure what was thrown, and what that proves by itself
	 * @param detail cleaned and cut text
	 */
	BodyEnd failed(Failure failure, String detail) {
		synchronized (this.requests) {
			boolean aboutAnother = failure instanceof Failure.Named named && !this.requests.isEmpty()
					&& !this.requests.get(this.requests.size() - 1).mayFailAs(named.request());
			return new BodyEnd.Failed(aboutAnother ? failure.aboutAnother() : failure.aboutTheLast(), null, detail);
		}
	}

	void bodyEnded() {
		synchronized (this.requests) {
			this.bodyLive = false;
		}
	}

	/**
	 * The extension that the window needs now, or {@code null} (E3, L4).
	 */
	@Nullable Extension extensionDue() {
		Deadline deadline = this.deadline;
		Duration window = this.call.contract().window();
		Duration third = window.dividedBy(3);
		Duration left = deadline.left();
		if (!this.bodyLive || left.isZero() || left.compareTo(window.minus(third)) > 0
				|| this.longest.left().compareTo(left) <= 0) {
			return null;
		}
		Duration longest = this.longest.left();
		// L5: the local count starts before the statement, so that it always ends first
		Deadline extended = Deadline.startingNow(this.time, (window.compareTo(longest) < 0) ? window : longest);
		return new Extension(new Move.Extend(this.call.facts().key(), this.call.facts().revision(), this.id, window,
				this.call.contract().maxWindow()), this, extended);
	}

	/**
	 * An extension that is on its way.
	 *
	 * @param move what the ledger is asked
	 * @param attempt whose window it is
	 * @param deadline the attempt's own deadline once it is confirmed
	 */
	record Extension(Move.Extend move, LiveAttempt<?> attempt, Deadline deadline) {

		// E3: its own deadline moves only after the extension is confirmed
		void confirmed() {
			this.attempt.deadline = this.deadline;
		}

	}

	private static final class Request implements Sending {

		private final String description;

		private volatile boolean open = true;

		private volatile boolean failsByName;

		private boolean leftBehind;

		private Request(String description) {
			this.description = description;
		}

		@Override
		public void didNothing() {
			this.open = false;
		}

		@Override
		public void failsByName() {
			this.failsByName = true;
		}

		private boolean mayFailAs(String name) {
			return name.equals(this.description)
					|| (!this.failsByName && (name.isEmpty() || this.description.isEmpty()));
		}

	}

}
