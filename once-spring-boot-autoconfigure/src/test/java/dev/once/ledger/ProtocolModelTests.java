package dev.once.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.once.ledger.ProtocolMutants.Mutant;
import dev.once.ledger.ProtocolWorlds.Case;
import dev.once.test.StateSearch;
import dev.once.test.StateSearch.Found;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Visits every state of the protocol. What was found, with the traces of what broke, is
 * left in {@code target/protocol-model.txt}.
 */
class ProtocolModelTests {

	private static final List<String> report = new ArrayList<>();

	/** Every search, begun at once on all processors: each takes seconds on one. */
	private static final Map<String, CompletableFuture<Found>> searches = new ConcurrentHashMap<>();

	private static final ExecutorService processors = Executors
		.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

	@BeforeAll
	static void begin() {
		ProtocolWorlds.meant().forEach((meant) -> begin(meant.name(), meant.world(), new ModelProtocol()));
		ProtocolWorlds.broken().forEach((broken) -> begin(broken.name(), broken.world(), new ModelProtocol()));
		ProtocolMutants.all().forEach((mutant) -> begin(mutant.name(), mutant.world(), mutant.protocol()));
	}

	private static void begin(String name, ModelWorld world, ModelProtocol protocol) {
		searches.put(name, CompletableFuture.supplyAsync(() -> StateSearch.search(new ProtocolModel(world, protocol)),
				processors));
	}

	@ParameterizedTest
	@MethodSource("dev.once.ledger.ProtocolWorlds#meant")
	void everyInvariantHoldsInEveryState(Case meant) {
		Found found = search(meant.name());
		assertThat(found.breach()).isNull();
		assertThat(found.states()).isGreaterThan(meant.atLeast());
	}

	@ParameterizedTest
	@MethodSource("dev.once.ledger.ProtocolWorlds#broken")
	void whatOnceDoesNotPromiseIsSeen(Case broken) {
		Found found = search(broken.name());
		assertThat(found.breach()).isNotNull();
		assertThat(found.breach().invariant()).isEqualTo(ProtocolModel.I1);
		assertThat(found.states()).isGreaterThan(broken.atLeast());
	}

	@ParameterizedTest
	@MethodSource("dev.once.ledger.ProtocolMutants#all")
	void aMutantFails(Mutant mutant) {
		Found found = search(mutant.name());
		assertThat(found.breach()).as("%s: nothing broke in %d states", mutant, found.states()).isNotNull();
		assertThat(found.breach().invariant()).as("%s broke %s", mutant, found.breach()).isEqualTo(mutant.breaks());
	}

	private static Found search(String name) {
		Found found = searches.remove(name).join();
		String result = (found.breach() != null) ? found.breach().toString() : "ok";
		report.add("%s: %,d states: %s".formatted(name, found.states(), result));
		return found;
	}

	@AfterAll
	static void report() throws IOException {
		processors.shutdown();
		Files.write(Path.of("target", "protocol-model.txt"), report);
	}

}
