package dev.once.sample.billing;

import java.math.BigDecimal;
import java.time.LocalDate;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.Outcome;

import org.springframework.stereotype.Service;

/**
 * Posts the day's figure.
 */
@Service
@FarSide(name = "figures")
class Figures {

	private final FiguresClient board;

	Figures(FiguresClient board) {
		this.board = board;
	}

	@OnceEffect(action = "post-figure")
	Outcome<Receipt> post(@EffectTarget LocalDate day, @EffectInput BigDecimal amount) {
		return Outcome.done(this.board.post(day, amount));
	}

}
