package dev.once.aop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import dev.once.Overlap;

/**
 * The table of what is guarded, printed once at start.
 */
final class GuardTable {

	private GuardTable() {
	}

	static String of(List<GuardedJob> jobs, List<GuardedEffect> effects) {
		if (jobs.isEmpty() && effects.isEmpty()) {
			return "Once guards nothing: no bean has a method with @OnceJob or @OnceEffect";
		}
		StringBuilder text = new StringBuilder("Once guards ").append(count(jobs.size(), "job"))
			.append(" and ")
			.append(count(effects.size(), "effect"));
		if (!jobs.isEmpty()) {
			List<String[]> rows = new ArrayList<>();
			rows.add(new String[] { "JOB", "METHOD", "SCHEDULE", "ZONE", "GRAIN", "LEASE", "OVERLAP" });
			for (GuardedJob job : jobs) {
				rows.add(new String[] { job.name(), job.method(), (job.schedule() != null) ? job.schedule() : "-",
						zone(job), word(job.grain()), chosen(Durations.brief(job.lease()), job.leaseChoice()),
						overlap(job) });
			}
			print(text, rows);
		}
		if (!effects.isEmpty()) {
			List<String[]> rows = new ArrayList<>();
			rows.add(new String[] { "EFFECT", "METHOD", "TARGET", "INPUTS", "FAR SIDE", "CHANGED FACT",
					"SECOND ONE STOPPED BY" });
			for (GuardedEffect effect : effects) {
				rows.add(new String[] { effect.action(), effect.method(), String.join(", ", effect.target()),
						effect.inputs().isEmpty() ? "-" : String.join(", ", effect.inputs()), effect.farSide(),
						chosen(word(effect.changedFact()), effect.changedFactChoice()), effect.secondStoppedBy() });
			}
			print(text, rows);
		}
		return text.toString();
	}

	private static String count(int number, String noun) {
		return number + " " + noun + ((number == 1) ? "" : "s");
	}

	private static String chosen(String value, Choice choice) {
		return (choice == Choice.DEFAULT) ? value + " (default)" : value;
	}

	private static String zone(GuardedJob job) {
		return job.zones() + (job.usesFallbackZone() && job.zoneChoice() == Choice.DEFAULT ? " (JVM's)" : "");
	}

	private static String overlap(GuardedJob job) {
		String overlap = word(job.policy().overlap());
		return (job.policy().overlap() == Overlap.QUEUE) ? overlap + " of " + job.policy().queueDepth() : overlap;
	}

	private static String word(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

	private static void print(StringBuilder text, List<String[]> rows) {
		int[] widths = new int[rows.get(0).length];
		rows.forEach((row) -> Arrays.setAll(widths, (i) -> Math.max(widths[i], row[i].length())));
		for (String[] row : rows) {
			StringBuilder line = new StringBuilder("\n ");
			for (int i = 0; i < row.length; i++) {
				line.append(' ').append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 1));
			}
			text.append(line.toString().stripTrailing());
		}
	}

}
