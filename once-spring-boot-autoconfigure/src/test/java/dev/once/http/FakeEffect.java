package dev.once.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

import dev.once.Effect;
import dev.once.OnceScope;
import org.jspecify.annotations.Nullable;

/**
 * An effect of a run that writes down what it is told.
 */
final class FakeEffect implements Effect {

	final List<String> told = Collections.synchronizedList(new ArrayList<>());

	OnceScope.Restore enter() {
		return new OnceScope(null, this, null).open();
	}

	@Override
	public String action() {
		return "charge";
	}

	@Override
	public String label() {
		return "charge/inv-17";
	}

	@Override
	public String idempotencyKey() {
		return "key-17";
	}

	@Override
	public int revision() {
		return 1;
	}

	@Override
	public int attempt() {
		return 1;
	}

	@Override
	public OptionalLong fencingToken() {
		return OptionalLong.of(42);
	}

	@Override
	public String mailMessageId() {
		return "<key-17@once.invalid>";
	}

	@Override
	public Duration timeLeft() {
		return Duration.ofSeconds(30);
	}

	@Override
	public boolean covers(@Nullable String host) {
		return !"other-side".equals(host);
	}

	@Override
	public Sending sending(String request) {
		this.told.add(request);
		return () -> this.told.add("nothing came of " + request);
	}

	@Override
	public void turnsElsewhere() {
		this.told.add("elsewhere");
	}

}
