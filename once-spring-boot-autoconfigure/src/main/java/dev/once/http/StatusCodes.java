package dev.once.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Set;

import dev.once.ledger.Failure;
import dev.once.ledger.Failure.Ambiguous;
import dev.once.ledger.Failure.Next;
import dev.once.ledger.Failure.Refused;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * E5: what an answer's status proves where the far side's contract says nothing else.
 */
final class StatusCodes {

	private static final int TOO_MANY_REQUESTS = 429;

	// No repetition of the same request can succeed before somebody has looked. 401 is
	// not
	// among them: a proxy says it, too, for a request whose copy has passed
	private static final Set<Integer> FOR_GOOD = Set.of(400, 402, 403, 404, 410, 422);

	private static final Duration LONGEST_WAIT = Duration.ofDays(30);

	private StatusCodes() {
	}

	static boolean refuse(HttpStatusCode status) {
		return status.value() == TOO_MANY_REQUESTS || FOR_GOOD.contains(status.value());
	}

	/**
	 * What the status proves. 408, 409 and 425 may be about an earlier copy of the
	 * request that is still at work, 5xx says that the far side does not know itself.
	 */
	static Failure classify(HttpStatusCode status, @Nullable HttpHeaders headers) {
		if (status.value() == TOO_MANY_REQUESTS) {
			return new Refused((headers != null) ? retryAfter(headers) : null, Next.ANOTHER_ATTEMPT);
		}
		return FOR_GOOD.contains(status.value()) ? new Refused(null, Next.A_PERSON) : new Ambiguous();
	}

	/**
	 * The wait that the far side asks for, or {@code null} for one that makes no sense. A
	 * date is counted from the far side's own clock where the answer shows it.
	 */
	private static @Nullable Duration retryAfter(HttpHeaders headers) {
		String value = headers.getFirst(HttpHeaders.RETRY_AFTER);
		if (value == null) {
			return null;
		}
		try {
			Duration wait = value.strip().chars().allMatch(Character::isDigit)
					? Duration.ofSeconds(Long.parseLong(value.strip())) : Duration.between(now(headers), date(value));
			return (wait.compareTo(LONGEST_WAIT) > 0) ? null : wait.isNegative() ? Duration.ZERO : wait;
		}
		catch (DateTimeException | NumberFormatException ex) {
			return null;
		}
	}

	private static Instant now(HttpHeaders headers) {
		String date = headers.getFirst(HttpHeaders.DATE);
		try {
			return (date != null) ? date(date) : Instant.now();
		}
		catch (DateTimeException ex) {
			return Instant.now();
		}
	}

	private static Instant date(String value) {
		return ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
	}

}
