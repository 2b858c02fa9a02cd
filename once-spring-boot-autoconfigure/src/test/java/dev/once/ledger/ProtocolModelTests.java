package dev.once.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.once.ledger.ProtocolMutants.Mutant;
import dev.once.ledger.ProtocolWorlds.Case;
import dev.once.test.StateSearch;
import dev.once.test.StateSearch.Found;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Visits every state of the protocol. What was found, with the traces of what broke, is
 * left in {@code target/protocol-model.txt}.
 */
class ProtocolModelTests {

	private static final List<String> report = new ArrayList<>();

	@ParameterizedTest
	@MethodSource("dev.once.ledger.ProtocolWorlds#meant")
	void everyInvariantHoldsInEveryState(Case meant) {
		Found found = search(meant.name(), meant.world(), new ModelProtocol());
		assertThat(found.breach()).isNull();
		assertThat(found.states()).isGreaterThan(meant.atLeast());
	}

	@ParameterizedTest
	@MethodSource("dev.once.ledger.ProtocolWorlds#broken")
	void whatOnceDoesNotPromiseIsSeen(Case broken) {
		Found found = search(broken.name(), broken.world(), new ModelProtocol());
		assertThat(found.breach()).isNotNull();
		assertThat(found.breach().invariant()).isEqualTo(ProtocolModel.I1);
		assertThat(found.states()).isGreaterThan(broken.atLeast());
	}

	@ParameterizedTest
	@MethodSource("dev.once.ledger.ProtocolMutants#all")
	void aMutantFails(Mutant mutant) {
		Found found = search(mutant.name(), mutant.world(), mutant.protocol());
		assertThat(found.breach()).as("%s: nothing broke in %d states", mutant, found.states()).isNotNull();
		assertThat(found.breach().invariant()).as("%s broke %s", mutant, found.breach()).isEqualTo(mutant.breaks());
	}

	private static Found search(String name, ModelWorld world, ModelProtocol protocol) {
		Found found = StateSearch.search(new ProtocolModel(world, protocol));
		String result = (found.breach() != null) ? found.breach().toString() : "ok";
		report.add("%s: %,d states: %s".formatted(name, found.states(), result));
		return found;
	}

	@AfterAll
	static void report() throws IOException {
		Files.write(Path.of("target", "protocol-model.txt"), report);
	}

}
