package dev.once.sample.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One cell of the crash test: where a node is killed or stopped, on which database, and
 * whether the far side can be asked afterwards.
 *
 * @param point where
 * @param signal KILL, or STOP until lease and window have passed
 * @param database which database
 * @param resolver whether the far side can be asked
 * @param setting what is special about the application
 */
record Cell(KillPoint point, Signal signal, Database database, boolean resolver, Setting setting) {

	/** Points that every cell of the table can reach. */
	private static final List<KillPoint> EVERYWHERE = List.of(KillPoint.BEFORE_CLAIM, KillPoint.AFTER_CLAIM,
			KillPoint.BEFORE_SUBMIT, KillPoint.AFTER_SUBMIT, KillPoint.BEFORE_SEND, KillPoint.AFTER_SEND,
			KillPoint.BEFORE_SETTLE, KillPoint.AFTER_SETTLE, KillPoint.BEFORE_LOSE, KillPoint.AFTER_LOSE,
			KillPoint.BEFORE_ASK, KillPoint.AFTER_ASK, KillPoint.BEFORE_RENEWAL, KillPoint.AFTER_RENEWAL,
			KillPoint.BEFORE_RELEASE, KillPoint.AFTER_RELEASE);

	/** Points that only a node with a resolver passes. */
	private static final List<KillPoint> RESOLVING = List.of(KillPoint.DURING_RESOLVER, KillPoint.BEFORE_RESOLVED,
			KillPoint.AFTER_RESOLVED);

	private static final List<KillPoint> IN_SPECIAL_SETTINGS = List.of(KillPoint.AFTER_SUBMIT, KillPoint.AFTER_SEND,
			KillPoint.BEFORE_SETTLE);

	/**
	 * The eight cells that every build runs.
	 */
	static List<Cell> few() {
		return List.of(kill(KillPoint.AFTER_SUBMIT, Database.H2, true),
				kill(KillPoint.AFTER_SEND, Database.H2, true).with(Setting.POOL_OF_ONE),
				kill(KillPoint.BEFORE_SETTLE, Database.H2, false).with(Setting.IN_TRANSACTION),
				kill(KillPoint.DURING_RESOLVER, Database.H2, true),
				kill(KillPoint.AFTER_SUBMIT, Database.POSTGRESQL, false).with(Setting.AUTO_COMMIT_OFF),
				kill(KillPoint.AFTER_SEND, Database.POSTGRESQL, true).with(Setting.IN_TRANSACTION),
				kill(KillPoint.AFTER_SETTLE, Database.POSTGRESQL, true).with(Setting.POOL_OF_ONE),
				kill(KillPoint.AFTER_RENEWAL, Database.POSTGRESQL, true));
	}

	/**
	 * The whole table, and a stopped node at every point, the gap included.
	 */
	static List<Cell> all() {
		List<Cell> cells = new ArrayList<>();
		for (Database database : Database.values()) {
			EVERYWHERE.forEach((point) -> cells.add(kill(point, database, true)));
			RESOLVING.forEach((point) -> cells.add(kill(point, database, true)));
			EVERYWHERE.forEach((point) -> cells.add(kill(point, database, false)));
		}
		for (Database database : Database.values()) {
			EVERYWHERE.forEach((point) -> cells.add(stop(point, database)));
			RESOLVING.forEach((point) -> cells.add(stop(point, database)));
			for (Setting setting : Setting.special()) {
				IN_SPECIAL_SETTINGS.forEach((point) -> cells.add(kill(point, database, true).with(setting)));
			}
		}
		return cells;
	}

	private static Cell kill(KillPoint point, Database database, boolean resolver) {
		return new Cell(point, Signal.KILL, database, resolver, Setting.PLAIN);
	}

	private static Cell stop(KillPoint point, Database database) {
		return new Cell(point, Signal.STOP, database, true, Setting.PLAIN);
	}

	private Cell with(Setting setting) {
		return new Cell(this.point, this.signal, this.database, this.resolver, setting);
	}

	/**
	 * Whether the node is paused where the README admits that it can still send late.
	 */
	boolean isGap() {
		return this.signal == Signal.STOP && this.point == KillPoint.BEFORE_SEND;
	}

	/**
	 * Number of the passing at which the signal is sent: in the middle of the list where
	 * a point is passed for each invoice.
	 */
	int at() {
		return switch (this.point) {
			case BEFORE_SUBMIT, AFTER_SUBMIT, BEFORE_SEND, AFTER_SEND, BEFORE_SETTLE, AFTER_SETTLE -> 15;
			default -> 1;
		};
	}

	String name() {
		return this.database.word() + "-" + (this.resolver ? "resolver" : "no-resolver") + "-" + this.point.word() + "-"
				+ this.signal.name().toLowerCase(Locale.ROOT)
				+ ((this.setting != Setting.PLAIN) ? "-" + this.setting.word() : "");
	}

	enum Signal {

		KILL, STOP

	}

	enum Database {

		H2, POSTGRESQL;

		String word() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * What is special about the application that is killed.
	 */
	enum Setting {

		PLAIN, POOL_OF_ONE("--spring.datasource.hikari.maximum-pool-size=1"),

		AUTO_COMMIT_OFF("--spring.datasource.hikari.auto-commit=false"),

		/** Each call of an effect is inside a transaction of the application's. */
		IN_TRANSACTION("--sample.billing.in-transaction=true");

		private final List<String> arguments;

		Setting(String... arguments) {
			this.arguments = List.of(arguments);
		}

		static List<Setting> special() {
			return List.of(POOL_OF_ONE, AUTO_COMMIT_OFF, IN_TRANSACTION);
		}

		List<String> arguments() {
			return this.arguments;
		}

		String word() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
