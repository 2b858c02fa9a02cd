package dev.once.autoconfigure;

import java.util.List;
import java.util.function.Function;

import dev.once.aop.InvalidGuardException;
import dev.once.aop.InvalidGuardException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Tells what cannot be guarded, and the mend of each, without the way to it through the
 * bean factory.
 */
class InvalidGuardFailureAnalyzer extends AbstractFailureAnalyzer<InvalidGuardException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidGuardException cause) {
		List<Problem> problems = cause.problems();
		return new FailureAnalysis(list(problems, (problem) -> problem.where() + ": " + problem.what() + "."),
				list(problems, (problem) -> problem.mend() + "."), cause);
	}

	private static String list(List<Problem> problems, Function<Problem, String> text) {
		if (problems.size() == 1) {
			return text.apply(problems.get(0));
		}
		StringBuilder list = new StringBuilder();
		for (int i = 0; i < problems.size(); i++) {
			list.append((i > 0) ? "\n" : "").append(i + 1).append(". ").append(text.apply(problems.get(i)));
		}
		return list.toString();
	}

}
