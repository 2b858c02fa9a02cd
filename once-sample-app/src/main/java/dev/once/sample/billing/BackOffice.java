package dev.once.sample.billing;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;

import dev.once.JobRun;
import dev.once.OnMissed;
import dev.once.OnceJob;
import dev.once.Overlap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * What runs beside the billing, each with the policy that fits it.
 */
@Component
@ConditionalOnBooleanProperty(name = "sample.back-office", matchIfMissing = true)
public class BackOffice {

	private static final Log logger = LogFactory.getLog(BackOffice.class);

	private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

	private final Invoices invoices;

	private final Books books;

	private final Clock clock;

	BackOffice(Invoices invoices, Books books, Clock clock) {
		this.invoices = invoices;
		this.books = books;
		this.clock = clock;
	}

	/**
	 * A look that is late is of no use: the next one does.
	 */
	@Scheduled(cron = "*/5 * * * * *")
	@OnceJob(name = "watch-invoices", overlap = Overlap.COALESCE, lease = "5s")
	void watchInvoices() {
		logger.debug(this.invoices.due(LocalDate.now(this.clock)).size() + " invoices are open");
	}

	/**
	 * A night that was slept through is made up for, once.
	 */
	@Scheduled(cron = "0 30 2 * * *", zone = "Europe/Zurich")
	@OnceJob(name = "nightly-reserve", overlap = Overlap.COALESCE, onMissed = OnMissed.RUN_LATEST)
	void setReserve() {
		this.books.reserve("open", this.invoices.openBy(day()));
	}

	/**
	 * Whoever asks is served, one after the other.
	 * @param customer whose statement is exported
	 */
	@OnceJob(name = "export-statement", overlap = Overlap.QUEUE, queueDepth = 20, occurrence = "#customer")
	public void exportStatement(String customer) {
		this.books.export(customer, this.invoices.chargedTo(customer));
	}

	/**
	 * Two closes at once are a mistake that somebody has to hear of.
	 */
	@Scheduled(cron = "0 0 18 * * *", zone = "Europe/Zurich")
	@OnceJob(name = "close-day", overlap = Overlap.FAIL)
	void closeDay() {
		this.books.close("day", this.invoices.paidBy(day()));
	}

	/** The day that the run is due for, whenever it runs. */
	private static LocalDate day() {
		return LocalDate.ofInstant(Objects.requireNonNull(JobRun.current().due()).at(), ZURICH);
	}

}
