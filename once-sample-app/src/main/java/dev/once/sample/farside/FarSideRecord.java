package dev.once.sample.farside;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The far side's own memory: a file with one JSON line for each request, on the disk
 * before the request is answered and read back at the next start. One lock covers the
 * check for a known key and the write, so that of two requests with one key only one can
 * be the first.
 */
final class FarSideRecord implements Closeable {

	private final JsonMapper json;

	// Not a FileChannel: an interrupted thread would close that under all others.
	private final FileOutputStream file;

	private final List<RecordedRequest> requests = new ArrayList<>();

	private final Map<KnownKey, RecordedRequest> firstByKey = new HashMap<>();

	FarSideRecord(Path path, JsonMapper json) throws IOException {
		this.json = json;
		Files.createDirectories(path.toAbsolutePath().getParent());
		if (Files.exists(path)) {
			cutTornLine(path);
			for (String line : Files.readAllLines(path)) {
				remember(json.readValue(line, RecordedRequest.class));
			}
		}
		this.file = new FileOutputStream(path.toFile(), true);
	}

	/**
	 * Drops what a killed process left of its last line: it had not been answered.
	 */
	private static void cutTornLine(Path path) throws IOException {
		byte[] bytes = Files.readAllBytes(path);
		int length = bytes.length;
		while (length > 0 && bytes[length - 1] != '\n') {
			length--;
		}
		if (length < bytes.length) {
			try (RandomAccessFile torn = new RandomAccessFile(path.toFile(), "rw")) {
				torn.setLength(length);
			}
		}
	}

	/**
	 * Applies the request, or recognises it as a repeat where keys are remembered.
	 * @return the line written, {@link Verdict#APPLIED} or {@link Verdict#REPEATED}
	 * @throws IOException if the line could not be stored; then nothing happened
	 */
	synchronized RecordedRequest accept(Arrival arrival, Treatment treatment) throws IOException {
		RecordedRequest first = (treatment.deduplicate() == Deduplication.ON) ? firstWithKeyOf(arrival) : null;
		Instant now = Instant.now();
		return (first != null) ? write(arrival, Verdict.REPEATED, treatment.rule(), now, null, first.sequence())
				: write(arrival, Verdict.APPLIED, treatment.rule(), now, now.plus(treatment.listLate()), null);
	}

	synchronized RecordedRequest refuse(Arrival arrival, Rule rule) throws IOException {
		return write(arrival, Verdict.REFUSED, rule, Instant.now(), null, null);
	}

	/**
	 * Records a look-up and returns the effects of the arrival's key or target that are
	 * visible by now.
	 */
	synchronized List<RecordedRequest> lookUp(Arrival arrival, Rule rule) throws IOException {
		Instant now = Instant.now();
		List<RecordedRequest> found = this.requests.stream()
			.filter((request) -> request.verdict() == Verdict.APPLIED && request.action() == arrival.action())
			.filter((request) -> arrival.key() == null || arrival.key().equals(request.key()))
			.filter((request) -> arrival.target() == null || arrival.target().equals(request.target()))
			.filter((request) -> request.visibleAt() != null && !request.visibleAt().isAfter(now))
			.toList();
		write(arrival, found.isEmpty() ? Verdict.ABSENT : Verdict.SHOWN, rule, now, null, null);
		return found;
	}

	synchronized List<RecordedRequest> all() {
		return List.copyOf(this.requests);
	}

	Map<FarSideAction, Summary> summary() {
		List<RecordedRequest> all = all();
		Map<FarSideAction, Summary> summary = new EnumMap<>(FarSideAction.class);
		for (FarSideAction action : FarSideAction.values()) {
			summary.put(action, Summary.of(action, all));
		}
		return summary;
	}

	/**
	 * The answer given to the first request with the key of the given one.
	 */
	synchronized RecordedRequest answerOf(RecordedRequest request) {
		return (request.repeats() != null) ? this.requests.get((int) (request.repeats() - 1)) : request;
	}

	private @Nullable RecordedRequest firstWithKeyOf(Arrival arrival) {
		return (arrival.key() != null) ? this.firstByKey.get(new KnownKey(arrival.action(), arrival.key())) : null;
	}

	private RecordedRequest write(Arrival arrival, Verdict verdict, Rule rule, Instant at, @Nullable Instant visibleAt,
			@Nullable Long repeats) throws IOException {
		RecordedRequest request = new RecordedRequest(this.requests.size() + 1, at, arrival.action(), verdict,
				arrival.target(), arrival.key(), arrival.token(), arrival.digest(), arrival.amount(), rule.mode(),
				rule.status(), visibleAt, repeats);
		this.file.write((this.json.writeValueAsString(request) + "\n").getBytes(StandardCharsets.UTF_8));
		this.file.getFD().sync();
		remember(request);
		return request;
	}

	private void remember(RecordedRequest request) {
		this.requests.add(request);
		if (request.verdict() == Verdict.APPLIED && request.key() != null) {
			this.firstByKey.putIfAbsent(new KnownKey(request.action(), request.key()), request);
		}
	}

	@Override
	public synchronized void close() throws IOException {
		this.file.close();
	}

	private record KnownKey(FarSideAction action, String key) {
	}

}
