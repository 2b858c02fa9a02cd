package dev.once.sample.billing;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Objects;

import dev.once.DueTime;
import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.Grain;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.Outcome;

import org.springframework.stereotype.Service;

/**
 * Posts the day's figure: once for each day of the due times, whichever run gets there.
 */
@Service
@FarSide(name = "figures")
class Figures {

	private final FiguresClient board;

	Figures(FiguresClient board) {
		this.board = board;
	}

	@OnceEffect(action = "post-figure", grain = Grain.DAY)
	Outcome<Receipt> post(@EffectTarget String figure, @EffectInput BigDecimal amount) {
		return Outcome.done(this.board.post(day(), amount));
	}

	private static LocalDate day() {
		DueTime due = Objects.requireNonNull(JobRun.current().due());
		return LocalDate.ofInstant(due.at(), Objects.requireNonNull(due.zone()));
	}

}
