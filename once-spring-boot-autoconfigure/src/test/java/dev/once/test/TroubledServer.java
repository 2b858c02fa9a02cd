package dev.once.test;

/**
 * A database server that a test can stop and start again.
 */
public interface TroubledServer extends AutoCloseable {

	/**
	 * Makes an empty database.
	 * @return the database, which the caller closes
	 */
	TestDatabase newDatabase();

	/**
	 * Stops it without ending sessions in order.
	 */
	void stop();

	/**
	 * Starts it again where it was, and waits until it serves.
	 */
	void start();

	@Override
	void close();

}
