package dev.once.sample.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Judges the cells of a crash test from their files alone. It can be run again on them:
 * {@code CrashReport <directory>}.
 */
final class CrashReport {

	private static final Pattern RUN = Pattern.compile("Run of job 'billing'.* \\(token (\\d+)\\)");

	private static final JsonMapper json = JsonMapper.builder().build();

	private final List<Verdict> verdicts;

	private CrashReport(List<Verdict> verdicts) {
		this.verdicts = verdicts;
	}

	public static void main(String[] args) throws IOException {
		CrashReport report = of(Path.of(args[0]));
		System.out.println(report.table());
		report.write(Path.of(args[0]));
	}

	static CrashReport of(Path directory) throws IOException {
		try (Stream<Path> cells = Files.list(directory)) {
			return new CrashReport(cells.filter((cell) -> Files.exists(cell.resolve("cell.json")))
				.sorted()
				.map(CrashReport::judge)
				.toList());
		}
	}

	private static Verdict judge(Path directory) {
		try {
			JsonNode cell = json.readTree(directory.resolve("cell.json"));
			boolean crashed = Files.readString(directory.resolve("node-a.log"))
				.contains("CRASH POINT " + cell.get("point").asString() + " " + cell.get("signal").asString());
			List<JsonNode> record = new ArrayList<>();
			for (String line : Files.readAllLines(directory.resolve("far-side.jsonl"))) {
				record.add(json.readTree(line));
			}
			List<JsonNode> ledger = effects(directory.resolve("ledger.json"));
			return new Verdict(cell.get("name").asString(), cell.get("point").asString(), cell.get("signal").asString(),
					cell.get("gap").asBoolean(), crashed, cell.get("settled").asBoolean(), requests(record),
					ledger.size(), duplicates(record), lost(record, ledger, cell.get("invoices").asInt()),
					sentUnsubmitted(record, ledger), asked(record, ledger), count(ledger, "unknown"),
					stuck(ledger, "claimed"), stuck(ledger, "submitted"), reopened(directory, ledger),
					tokensRise(directory, record));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<JsonNode> effects(Path dump) throws IOException {
		if (!Files.exists(dump)) {
			return List.of();
		}
		List<JsonNode> effects = new ArrayList<>();
		json.readTree(dump).get("effects").forEach(effects::add);
		return effects;
	}

	private static List<JsonNode> applied(List<JsonNode> record) {
		return record.stream().filter((line) -> "applied".equals(text(line, "verdict"))).toList();
	}

	private static long requests(List<JsonNode> record) {
		return record.stream().filter((line) -> !isLookup(line)).count();
	}

	private static boolean isLookup(JsonNode line) {
		return Set.of("shown", "absent").contains(text(line, "verdict"));
	}

	// I1
	private static long duplicates(List<JsonNode> record) {
		Set<String> seen = new HashSet<>();
		return applied(record).stream()
			.filter((line) -> !seen.add(text(line, "action") + "/" + text(line, "target")))
			.count();
	}

	// An effect that is recorded as done and never reached the far side, or an invoice
	// that nobody knows of
	private static long lost(List<JsonNode> record, List<JsonNode> ledger, int invoices) {
		Set<String> keys = new HashSet<>();
		applied(record).forEach((line) -> keys.add(text(line, "key")));
		long untrue = ledger.stream()
			.filter((row) -> "done".equals(text(row, "state")) && !keys.contains(text(row, "effect_key")))
			.count();
		long charges = ledger.stream().filter((row) -> "charge".equals(text(row, "action"))).count();
		return untrue + invoices - charges;
	}

	// I2
	private static long sentUnsubmitted(List<JsonNode> record, List<JsonNode> ledger) {
		Set<String> keys = new HashSet<>();
		ledger.forEach((row) -> keys.add(text(row, "effect_key")));
		return applied(record).stream().filter((line) -> !keys.contains(text(line, "key"))).count();
	}

	// Unknown at some time: asked about at the far side, or still held
	private static long asked(List<JsonNode> record, List<JsonNode> ledger) {
		Set<String> keys = new HashSet<>();
		record.stream().filter(CrashReport::isLookup).forEach((line) -> keys.add(text(line, "key")));
		ledger.stream()
			.filter((row) -> "unknown".equals(text(row, "state")))
			.forEach((row) -> keys.add(text(row, "effect_key")));
		return keys.size();
	}

	private static long count(List<JsonNode> ledger, String state) {
		return ledger.stream().filter((row) -> state.equals(text(row, "state"))).count();
	}

	// I7
	private static long stuck(List<JsonNode> ledger, String state) {
		return ledger.stream()
			.filter((row) -> state.equals(text(row, "state")) && text(row, "attention").isEmpty())
			.count();
	}

	// I5: what was done when the node died is done in the same way at the end
	private static long reopened(Path directory, List<JsonNode> ledger) throws IOException {
		Map<String, JsonNode> end = new HashMap<>();
		ledger.forEach((row) -> end.put(text(row, "effect_key"), row));
		return effects(directory.resolve("ledger-at-crash.json")).stream()
			.filter((row) -> "done".equals(text(row, "state")))
			.filter((row) -> {
				JsonNode later = end.get(text(row, "effect_key"));
				return later == null || !"done".equals(text(later, "state"))
						|| !text(row, "response").equals(text(later, "response"))
						|| !text(row, "attempt_id").equals(text(later, "attempt_id"));
			})
			.count();
	}

	// I3, I4: no token is given to two runs, and no request under an older one follows a
	// newer one's
	private static boolean tokensRise(Path directory, List<JsonNode> record) throws IOException {
		Set<String> runs = new HashSet<>();
		for (String node : List.of("node-a.log", "node-b.log")) {
			for (String line : Files.readAllLines(directory.resolve(node))) {
				Matcher run = RUN.matcher(line);
				if (run.find() && !runs.add(run.group(1))) {
					return false;
				}
			}
		}
		long last = 0;
		for (JsonNode line : applied(record)) {
			long token = Long.parseLong(text(line, "token"));
			if (token < last) {
				return false;
			}
			last = token;
		}
		return true;
	}

	private static String text(JsonNode node, String field) {
		JsonNode value = node.get(field);
		return (value == null || value.isNull()) ? "" : value.asString();
	}

	String table() {
		StringBuilder text = new StringBuilder("%-16s %-4s %6s %9s %11s %8s %9s%n".formatted("point", "how", "times",
				"requests", "duplicates", "unknown", "resolved"));
		Map<String, List<Verdict>> points = new LinkedHashMap<>();
		this.verdicts.forEach((verdict) -> points
			.computeIfAbsent("%-16s %-4s".formatted(verdict.point(), verdict.signal()), (key) -> new ArrayList<>())
			.add(verdict));
		points.forEach((point,
				all) -> text.append("%s %6d %9d %11d %8d %9d%s%n".formatted(point,
						all.stream().filter(Verdict::crashed).count(), sum(all, Verdict::requests),
						sum(all, Verdict::duplicates), sum(all, Verdict::unknownSeen),
						sum(all, (verdict) -> verdict.unknownSeen() - verdict.unknownHeld()),
						all.get(0).gap() ? "   (the gap: see README)" : "")));
		this.verdicts.stream()
			.filter((verdict) -> !verdict.isRight())
			.forEach((verdict) -> text.append("NOT RIGHT: ").append(verdict).append(System.lineSeparator()));
		return text.toString();
	}

	Path write(Path directory) throws IOException {
		List<Verdict> counted = this.verdicts.stream().filter((verdict) -> !verdict.gap()).toList();
		List<Verdict> gaps = this.verdicts.stream().filter(Verdict::gap).toList();
		Map<String, Object> report = new LinkedHashMap<>();
		report.put("kills", counted.stream().filter((one) -> one.crashed() && "KILL".equals(one.signal())).count());
		report.put("stops", counted.stream().filter((one) -> one.crashed() && "STOP".equals(one.signal())).count());
		report.put("effects", sum(counted, Verdict::effects));
		report.put("farSideRequests", sum(counted, Verdict::requests));
		report.put("duplicates", sum(counted, Verdict::duplicates));
		report.put("lost", sum(counted, Verdict::lost));
		report.put("unknownSeen", sum(counted, Verdict::unknownSeen));
		report.put("unknownResolved", sum(counted, (one) -> one.unknownSeen() - one.unknownHeld()));
		report.put("unknownHeld", sum(counted, Verdict::unknownHeld));
		report.put("stuckClaimed", sum(counted, Verdict::stuckClaimed));
		report.put("stuckSubmitted", sum(counted, Verdict::stuckSubmitted));
		report.put("tokensRise", counted.stream().allMatch(Verdict::tokensRise));
		report.put("pausedInGap", Map.of("stops", gaps.size(), "duplicates", sum(gaps, Verdict::duplicates)));
		report.put("notRight", counted.stream().filter((one) -> !one.isRight()).map(Verdict::name).toList());
		Path file = directory.resolve("report.json");
		Files.writeString(file, json.writerWithDefaultPrettyPrinter().writeValueAsString(report));
		return file;
	}

	List<Verdict> wrong() {
		return this.verdicts.stream().filter((verdict) -> !verdict.isRight()).toList();
	}

	List<Verdict> verdicts() {
		return this.verdicts;
	}

	private static long sum(List<Verdict> verdicts, ToLongFunction<Verdict> figure) {
		return verdicts.stream().mapToLong(figure).sum();
	}

	/**
	 * What a cell's files say.
	 *
	 * @param duplicates effects that the far side applied more than once (I1)
	 * @param lost effects recorded as done that it never applied, and invoices that
	 * nobody knows of
	 * @param sentUnsubmitted requests without a row in the ledger (I2)
	 * @param unknownSeen effects that were unknown at some time
	 * @param unknownHeld effects that are
	 * @param stuckClaimed rows that are claimed, without a reason (I7)
	 * @param stuckSubmitted rows that are submitted, without a reason (I7)
	 * @param reopened rows that were done at the crash and are not so at the end (I5)
	 * @param tokensRise whether no token was given twice or used after a newer one (I3,
	 * I4)
	 */
	record Verdict(String name, String point, String signal, boolean gap, boolean crashed, boolean settled,
			long requests, long effects, long duplicates, long lost, long sentUnsubmitted, long unknownSeen,
			long unknownHeld, long stuckClaimed, long stuckSubmitted, long reopened, boolean tokensRise) {

		boolean isRight() {
			boolean right = this.crashed && this.settled && this.lost == 0 && this.sentUnsubmitted == 0
					&& this.stuckClaimed == 0 && this.stuckSubmitted == 0 && this.reopened == 0;
			return right && (this.gap || (this.duplicates == 0 && this.tokensRise));
		}

	}

}
