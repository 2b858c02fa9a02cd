package dev.once.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Far sides that no request can reach.
 */
final class Unreachable implements AutoCloseable {

	private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

	private final List<AutoCloseable> open = new ArrayList<>();

	private final URI uri;

	private Unreachable(String scheme, ServerSocket server) {
		this.uri = URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + "/charges");
		this.open.add(server);
	}

	/**
	 * Refuses every connection.
	 */
	static Unreachable refusing() throws IOException {
		Unreachable refusing = new Unreachable("http", new ServerSocket(0, 1, LOOPBACK));
		refusing.close();
		return refusing;
	}

	/**
	 * Answers no connection attempt: its queue is full.
	 */
	static Unreachable silent() throws IOException {
		ServerSocket server = new ServerSocket(0, 1, LOOPBACK);
		Unreachable silent = new Unreachable("http", server);
		while (true) {
			Socket waiting = new Socket();
			silent.open.add(waiting);
			try {
				waiting.connect(server.getLocalSocketAddress(), 200);
			}
			catch (SocketTimeoutException ex) {
				return silent;
			}
		}
	}

	/**
	 * Answers a TLS greeting with plain text.
	 */
	static Unreachable withoutTls() throws IOException {
		return greeting((socket) -> socket.getOutputStream()
			.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
	}

	/**
	 * Ends the connection on a TLS greeting.
	 */
	static Unreachable endingTls() throws IOException {
		return greeting((socket) -> {
		});
	}

	private static Unreachable greeting(Answer answer) throws IOException {
		ServerSocket server = new ServerSocket(0, 50, LOOPBACK);
		Thread accepting = new Thread(() -> {
			while (true) {
				try (Socket socket = server.accept()) {
					InputStream in = socket.getInputStream();
					in.readNBytes(3);
					in.skipNBytes((in.read() << 8) + in.read());
					answer.write(socket);
				}
				catch (IOException ex) {
					if (server.isClosed()) {
						return;
					}
				}
			}
		}, "tls-greeting");
		accepting.setDaemon(true);
		accepting.start();
		return new Unreachable("https", server);
	}

	URI uri() {
		return this.uri;
	}

	@Override
	public void close() throws IOException {
		for (AutoCloseable one : this.open) {
			try {
				one.close();
			}
			catch (Exception ex) {
				throw new IOException(ex);
			}
		}
	}

	private interface Answer {

		void write(Socket socket) throws IOException;

	}

}
