package dev.once.sample.farside;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The rules and settings in force. A request meets the oldest matching rule of those that
 * are good for a number of requests, else the one that stands for its target, else the
 * one that stands for all.
 */
final class Behaviour {

	private final Deduplication initialDeduplication;

	private final Duration initialListLate;

	private final Map<FarSideAction, Settings> settings = new EnumMap<>(FarSideAction.class);

	Behaviour(Deduplication deduplicate, Duration listLate) {
		this.initialDeduplication = deduplicate;
		this.initialListLate = listLate;
		reset();
	}

	/**
	 * Answers everything again, with the settings of the start.
	 */
	synchronized void reset() {
		for (FarSideAction action : FarSideAction.values()) {
			this.settings.put(action,
					new Settings(this.initialDeduplication, this.initialListLate.toMillis(), List.of()));
		}
	}

	synchronized void change(ControlRequest request) {
		for (FarSideAction action : request.actions()) {
			Settings now = of(action);
			List<Rule> rules = new ArrayList<>(now.rules());
			Rule added = request.rule(action);
			if (added != null) {
				if (added.next() == null) {
					rules.removeIf((rule) -> rule.next() == null && rule.side() == added.side()
							&& Objects.equals(rule.target(), added.target()));
				}
				rules.add(added);
			}
			this.settings.put(action,
					new Settings((request.deduplicate() != null) ? request.deduplicate() : now.deduplicate(),
							(request.listLate() != null) ? request.listLate() : now.listLate(), rules));
		}
	}

	/**
	 * Finds how a request is to be treated and uses up one of its rule's requests.
	 */
	synchronized Treatment treat(FarSideAction action, Rule.Side side, @Nullable String target) {
		Settings now = of(action);
		List<Rule> rules = new ArrayList<>(now.rules());
		Rule met = useNext(rules, side, target);
		this.settings.put(action, new Settings(now.deduplicate(), now.listLate(), rules));
		if (met == null) {
			met = standing(rules, side, target);
		}
		return new Treatment((met != null) ? met : Rule.answer(action, side), now.deduplicate(),
				Duration.ofMillis(now.listLate()));
	}

	synchronized Map<FarSideAction, Settings> current() {
		return new EnumMap<>(this.settings);
	}

	private Settings of(FarSideAction action) {
		return Objects.requireNonNull(this.settings.get(action));
	}

	private static @Nullable Rule useNext(List<Rule> rules, Rule.Side side, @Nullable String target) {
		ListIterator<Rule> candidates = rules.listIterator();
		while (candidates.hasNext()) {
			Rule rule = candidates.next();
			if (rule.next() != null && rule.concerns(side, target)) {
				if (rule.next() == 1) {
					candidates.remove();
				}
				else {
					candidates.set(rule.usedOnce());
				}
				return rule;
			}
		}
		return null;
	}

	private static @Nullable Rule standing(List<Rule> rules, Rule.Side side, @Nullable String target) {
		Rule standing = null;
		for (Rule rule : rules) {
			if (rule.next() == null && rule.concerns(side, target) && (standing == null || standing.target() == null)) {
				standing = rule;
			}
		}
		return standing;
	}

	/**
	 * What is in force for one action.
	 *
	 * @param deduplicate whether a known key is recognised
	 * @param listLate how long look-ups do not show new effects, in milliseconds
	 * @param rules the rules, oldest first
	 */
	record Settings(Deduplication deduplicate, long listLate, List<Rule> rules) {

		Settings {
			rules = List.copyOf(rules);
		}

	}

}
