package dev.once.aop;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.once.OnceException;
import dev.once.ledger.Fence;
import dev.once.ledger.LocalTransaction;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Joins the transaction of the current thread's caller, or opens one, with a method's own
 * attribute.
 */
final class SpringTransaction implements LocalTransaction {

	private final LocalDatabase database;

	private final TransactionDefinition definition;

	private final TransactionDefinition own;

	private final String where;

	SpringTransaction(LocalDatabase database, TransactionDefinition definition, String where) {
		this.database = database;
		this.definition = definition;
		DefaultTransactionDefinition own = new DefaultTransactionDefinition(definition);
		own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.own = own;
		this.where = where;
	}

	@Override
	public <T extends @Nullable Object> T run(Work<T> work) throws Throwable {
		TransactionStatus status = manager().getTransaction(definition());
		return status.isNewTransaction() ? runOwn(status, work) : runJoined(status, work);
	}

	private PlatformTransactionManager manager() {
		return this.database.manager();
	}

	// What joined a transaction after its commit would be committed by nobody
	private TransactionDefinition definition() {
		if (!CallersTransaction.hasEnded()) {
			return this.definition;
		}
		if (this.definition.getPropagationBehavior() == TransactionDefinition.PROPAGATION_MANDATORY) {
			throw new IllegalTransactionStateException(
					this.where + " needs its caller's transaction (MANDATORY), and that one has ended");
		}
		return this.own;
	}

	private <T extends @Nullable Object> T runOwn(TransactionStatus status, Work<T> work) throws Throwable {
		Parts parts = new Parts(status);
		T result;
		try {
			checkBound();
			result = work.in(parts);
			if (!parts.rolledBack) {
				// Nothing but the commit comes after it
				parts.beforeCommit();
			}
		}
		catch (Throwable failure) {
			rollBack(status, failure);
			parts.ended(End.ROLLED_BACK);
			throw failure;
		}
		if (parts.rolledBack) {
			manager().rollback(status);
			return result;
		}
		try {
			manager().commit(status);
		}
		catch (RuntimeException | Error failure) {
			throw new NotCommittedException(failure);
		}
		parts.ended(End.COMMITTED);
		return result;
	}

	private <T extends @Nullable Object> T runJoined(TransactionStatus status, Work<T> work) throws Throwable {
		Parts parts = new Parts(status);
		T result;
		try {
			checkWritable();
			checkBound();
			result = work.in(parts);
			if (!parts.rolledBack) {
				attach(parts);
			}
		}
		catch (Throwable failure) {
			// Whatever the rollback rules say: a part of the work without its row
			status.setRollbackOnly();
			rollBack(status, failure);
			throw failure;
		}
		if (parts.rolledBack) {
			status.setRollbackOnly();
			manager().rollback(status);
			return result;
		}
		manager().commit(status);
		return result;
	}

	private void rollBack(TransactionStatus status, Throwable failure) {
		try {
			manager().rollback(status);
		}
		catch (RuntimeException | Error ex) {
			failure.addSuppressed(ex);
		}
	}

	private void checkWritable() {
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new OnceException(this.where + " is called inside a read-only transaction"
					+ named(TransactionSynchronizationManager.getCurrentTransactionName())
					+ ", and boundary = DATABASE writes in it. Take readOnly = true from the caller's @Transactional");
		}
	}

	private static String named(@Nullable String name) {
		return (name != null) ? " (" + name + ")" : "";
	}

	private void checkBound() {
		if (!TransactionSynchronizationManager.hasResource(this.database.dataSource())) {
			throw new OnceException(this.where + " cannot be carried out with boundary = DATABASE: the transaction"
					+ " manager has begun a transaction without a JDBC connection of the ledger's data source. With JPA,"
					+ " use a JpaDialect that shows its connection, as Hibernate's does");
		}
	}

	private void attach(Parts parts) {
		if (isAnothersSynchronization()) {
			parts.beforeCommit();
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					parts.ended(end(status));
				}

			});
			return;
		}
		Commit.of(this.database.dataSource()).parts.add(parts);
	}

	/**
	 * Whether a transaction of another manager was begun inside this one: the
	 * synchronizations are that one's, and are not called when it is rolled back. The
	 * fence may be checked too early instead, since its lock lasts until the commit.
	 */
	private boolean isAnothersSynchronization() {
		return TransactionSynchronizationManager.getResourceMap()
			.entrySet()
			.stream()
			.anyMatch((bound) -> bound.getValue() instanceof ResourceHolderSupport holder
					&& holder.isSynchronizedWithTransaction() && !this.database.resources().contains(bound.getKey()));
	}

	private static End end(int status) {
		return switch (status) {
			case TransactionSynchronization.STATUS_COMMITTED -> End.COMMITTED;
			case TransactionSynchronization.STATUS_ROLLED_BACK -> End.ROLLED_BACK;
			default -> End.UNKNOWN;
		};
	}

	/**
	 * The parts of one call.
	 */
	private static final class Parts implements Current {

		private final TransactionStatus status;

		private final List<Part> parts = new ArrayList<>();

		private boolean rolledBack;

		private Parts(TransactionStatus status) {
			this.status = status;
		}

		@Override
		public boolean isRollbackOnly() {
			return this.status.isRollbackOnly();
		}

		@Override
		public void rollBack() {
			this.rolledBack = true;
		}

		@Override
		public void add(Part part) {
			this.parts.add(part);
		}

		private void beforeCommit() {
			// JPA would write after the fence had been looked at
			this.status.flush();
			beforeCommit(new HashSet<>());
		}

		private void beforeCommit(Set<Fence> checked) {
			this.parts.forEach((part) -> part.beforeCommit(checked));
		}

		private void ended(End end) {
			this.parts.forEach((part) -> part.ended(end));
		}

	}

	/**
	 * What the commit of a caller's transaction waits for. It is the last of the
	 * transaction's synchronizations.
	 */
	private static final class Commit implements TransactionSynchronization {

		private final Key key;

		private final List<Parts> parts = new ArrayList<>();

		private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

		private Commit(Key key) {
			this.key = key;
		}

		private static Commit of(Object dataSource) {
			Key key = new Key(dataSource);
			Commit commit = (Commit) TransactionSynchronizationManager.getResource(key);
			if (commit == null) {
				commit = new Commit(key);
				TransactionSynchronizationManager.registerSynchronization(commit);
				TransactionSynchronizationManager.bindResource(key, commit);
			}
			return commit;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			Set<Fence> checked = new HashSet<>();
			if (!this.parts.isEmpty()) {
				this.parts.get(0).status.flush();
			}
			this.parts.forEach((part) -> part.beforeCommit(checked));
		}

		@Override
		public void savepoint(Object savepoint) {
			this.savepoints.put(savepoint, this.parts.size());
		}

		// One that was set before the first effect came is not known here
		@Override
		public void savepointRollback(Object savepoint) {
			List<Parts> undone = this.parts.subList(this.savepoints.getOrDefault(savepoint, 0), this.parts.size());
			undone.forEach((part) -> part.ended(End.ROLLED_BACK));
			undone.clear();
		}

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
		}

		@Override
		public void resume() {
			TransactionSynchronizationManager.bindResource(this.key, this);
		}

		@Override
		public void beforeCompletion() {
			TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
		}

		@Override
		public void afterCompletion(int status) {
			this.parts.forEach((part) -> part.ended(end(status)));
		}

		private record Key(Object dataSource) {

		}

	}

}
