package dev.once.test;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * A TCP proxy in front of PostgreSQL that understands enough of its protocol to let one
 * statement through and lose the answer, to lose the statement itself, to let something
 * happen before it, to wait, and to stand still. It serves any number of connections,
 * without TLS.
 */
public final class SwallowingProxy implements AutoCloseable {

	private static final int CANCEL_REQUEST = 80877102;

	private static final Set<Integer> ENCRYPTION_REQUESTS = Set.of(80877103, 80877104);

	private final int serverPort;

	private final ServerSocket listener;

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final AtomicReference<Fault> armed = new AtomicReference<>();

	private final Object gate = new Object();

	private boolean paused;

	private Duration delay = Duration.ZERO;

	public SwallowingProxy(int serverPort) {
		this.serverPort = serverPort;
		try {
			this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start("accept", this::accept);
	}

	public int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * The next statement that matches is carried out by the server; once the server has
	 * finished with it the connection is closed, and the client never sees the answer.
	 * @param sql matches the statement's text; a driver's commit is {@code COMMIT}
	 * @return completed with the statement when its answer was swallowed
	 */
	public CompletableFuture<String> swallowAnswerTo(Predicate<String> sql) {
		return arm(Loss.ANSWER, sql);
	}

	/**
	 * In place of the next statement that matches, the connection is closed: the server
	 * never carries it out.
	 * @param sql matches the statement's text
	 * @return completed with the statement when it was lost
	 */
	public CompletableFuture<String> swallow(Predicate<String> sql) {
		return arm(Loss.STATEMENT, sql);
	}

	/**
	 * Something happens to the server's side right before the next statement that matches
	 * reaches it.
	 * @param sql matches the statement's text
	 * @param event is given the port from which the server sees the connection
	 * @return completed with the statement when it was sent on
	 */
	public CompletableFuture<String> before(Predicate<String> sql, IntConsumer event) {
		return arm(Loss.NONE, sql, event);
	}

	private CompletableFuture<String> arm(Loss loss, Predicate<String> sql) {
		return arm(loss, sql, (port) -> {
		});
	}

	private CompletableFuture<String> arm(Loss loss, Predicate<String> sql, IntConsumer event) {
		Fault fault = new Fault(loss, sql, event, new CompletableFuture<>());
		if (!this.armed.compareAndSet(null, fault)) {
			throw new IllegalStateException("Another loss is armed and has not struck");
		}
		return fault.struck();
	}

	/**
	 * Stands still in both directions, with all connections open, until
	 * {@link #resume()}.
	 */
	public void pause() {
		synchronized (this.gate) {
			this.paused = true;
		}
	}

	public void resume() {
		synchronized (this.gate) {
			this.paused = false;
			this.gate.notifyAll();
		}
	}

	/**
	 * Holds every request back for a while before the server sees it.
	 * @param delay the time added to each round trip
	 */
	public void delay(Duration delay) {
		synchronized (this.gate) {
			this.delay = delay;
		}
	}

	/**
	 * Closes all connections that are open now.
	 */
	public void cut() {
		this.links.forEach(Link::close);
	}

	@Override
	public void close() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			cut();
			resume();
		}
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Link link = new Link(this.listener.accept());
				this.links.add(link);
				start("requests", link::requests);
			}
			catch (IOException ex) {
				// closed, or a client that left at once
			}
		}
	}

	private void passGate() {
		synchronized (this.gate) {
			while (this.paused) {
				waitAtGate(0);
			}
		}
	}

	private void holdBack() {
		synchronized (this.gate) {
			long until = System.nanoTime() + this.delay.toNanos();
			for (long left = this.delay.toMillis(); left > 0; left = (until - System.nanoTime()) / 1_000_000) {
				waitAtGate(left);
			}
		}
	}

	private void waitAtGate(long millis) {
		try {
			this.gate.wait(millis);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void start(String name, Runnable body) {
		Thread thread = new Thread(body, "swallowing-proxy-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	private enum Loss {

		STATEMENT, ANSWER, NONE

	}

	private record Fault(Loss loss, Predicate<String> sql, IntConsumer event, CompletableFuture<String> struck) {
	}

	/**
	 * One client's connection and the one to the server that belongs to it.
	 */
	private final class Link {

		private final Socket client;

		private final Socket server;

		private final Map<String, String> statements = new HashMap<>();

		/** Set before its statement goes out, so before any answer can come. */
		private volatile Runnable afterAnswer;

		Link(Socket client) throws IOException {
			this.client = client;
			this.server = new Socket(InetAddress.getLoopbackAddress(), SwallowingProxy.this.serverPort);
			this.client.setTcpNoDelay(true);
			this.server.setTcpNoDelay(true);
		}

		void requests() {
			try {
				DataInputStream in = input(this.client);
				DataOutputStream out = output(this.server);
				startUp(in, out);
				start("answers", this::answers);
				while (true) {
					byte type = in.readByte();
					byte[] body = body(in);
					Fault fault = faultFor(sql(type, body));
					if (fault != null && fault.loss() == Loss.STATEMENT) {
						close();
						fault.struck().complete(sql(type, body));
						return;
					}
					if (fault != null && fault.loss() == Loss.NONE) {
						fault.event().accept(this.server.getLocalPort());
						fault.struck().complete(sql(type, body));
					}
					else if (fault != null) {
						String sql = sql(type, body);
						this.afterAnswer = () -> fault.struck().complete(sql);
					}
					write(out, type, body);
					if (type == 'Q' || type == 'S' || type == 'X') {
						holdBack();
					}
					if (in.available() == 0) {
						passGate();
						out.flush();
					}
				}
			}
			catch (IOException ex) {
				close();
			}
		}

		private void startUp(DataInputStream in, DataOutputStream out) throws IOException {
			while (true) {
				byte[] body = body(in);
				int code = ByteBuffer.wrap(body).getInt();
				if (ENCRYPTION_REQUESTS.contains(code)) {
					this.client.getOutputStream().write('N');
					continue;
				}
				out.writeInt(body.length + Integer.BYTES);
				out.write(body);
				passGate();
				out.flush();
				if (code == CANCEL_REQUEST) {
					throw new IOException("A cancel request is one message and has no answer");
				}
				return;
			}
		}

		private void answers() {
			try {
				DataInputStream in = input(this.server);
				DataOutputStream out = output(this.client);
				while (true) {
					byte type = in.readByte();
					byte[] body = body(in);
					Runnable swallowed = this.afterAnswer;
					if (swallowed == null) {
						write(out, type, body);
						if (in.available() == 0) {
							passGate();
							out.flush();
						}
					}
					else if (type == 'Z') {
						close();
						swallowed.run();
						return;
					}
				}
			}
			catch (IOException ex) {
				close();
			}
		}

		/** The statement that this message makes the server carry out, or null. */
		private String sql(byte type, byte[] body) {
			if (type == 'Q') {
				return text(body, 0);
			}
			if (type == 'P') {
				String name = text(body, 0);
				this.statements.put(name, text(body, length(name)));
			}
			if (type == 'B') {
				String portal = text(body, 0);
				return this.statements.get(text(body, length(portal)));
			}
			return null;
		}

		private Fault faultFor(String sql) {
			Fault fault = SwallowingProxy.this.armed.get();
			boolean strikes = sql != null && fault != null && fault.sql().test(sql)
					&& SwallowingProxy.this.armed.compareAndSet(fault, null);
			return strikes ? fault : null;
		}

		void close() {
			SwallowingProxy.this.links.remove(this);
			for (Socket socket : new Socket[] { this.client, this.server }) {
				try {
					socket.close();
				}
				catch (IOException ex) {
					// nobody is left to tell
				}
			}
		}

		private static DataInputStream input(Socket socket) throws IOException {
			return new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
		}

		private static DataOutputStream output(Socket socket) throws IOException {
			return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
		}

		private static byte[] body(DataInputStream in) throws IOException {
			byte[] body = new byte[in.readInt() - Integer.BYTES];
			in.readFully(body);
			return body;
		}

		private static void write(DataOutputStream out, byte type, byte[] body) throws IOException {
			out.writeByte(type);
			out.writeInt(body.length + Integer.BYTES);
			out.write(body);
		}

		private static String text(byte[] body, int from) {
			int end = from;
			while (body[end] != 0) {
				end++;
			}
			return new String(body, from, end - from, StandardCharsets.UTF_8);
		}

		private static int length(String text) {
			return text.getBytes(StandardCharsets.UTF_8).length + 1;
		}

	}

}
