package dev.once.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A far side on a plain socket: it records each request that arrives whole, then does
 * what it is told.
 */
final class RawServer implements AutoCloseable {

	private final ServerSocket server;

	private final Behaviour behaviour;

	private final List<Received> received = Collections.synchronizedList(new ArrayList<>());

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final Thread accepting;

	RawServer(Behaviour behaviour) throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
		this.behaviour = behaviour;
		this.accepting = new Thread(this::accept, "raw-server");
		this.accepting.setDaemon(true);
		this.accepting.start();
	}

	static Behaviour status(int status, String... headers) {
		StringBuilder answer = new StringBuilder("HTTP/1.1 " + status + " Status\r\nContent-Length: 0\r\n");
		for (String header : headers) {
			answer.append(header).append("\r\n");
		}
		answer.append("Connection: close\r\n\r\n");
		return (server, socket) -> socket.getOutputStream()
			.write(answer.toString().getBytes(StandardCharsets.ISO_8859_1));
	}

	static Behaviour drop() {
		return (server, socket) -> socket.close();
	}

	static Behaviour reset() {
		return (server, socket) -> {
			socket.setSoLinger(true, 0);
			socket.close();
		};
	}

	static Behaviour hang() {
		return (server, socket) -> {
			while (socket.getInputStream().read() >= 0) {
				// The client gives up first
			}
		};
	}

	URI uri(String path) {
		return URI.create("http://127.0.0.1:" + this.server.getLocalPort() + path);
	}

	List<Received> received() {
		return List.copyOf(this.received);
	}

	/**
	 * Returns when the kernel refuses: the port stays open for as long as a thread waits
	 * in {@code accept}.
	 */
	void stopListening() {
		try {
			this.server.close();
			this.accepting.join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket socket = this.server.accept();
				this.open.add(socket);
				Thread serving = new Thread(() -> serve(socket), "raw-server-connection");
				serving.setDaemon(true);
				serving.start();
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			InputStream in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
			this.received.add(read(in));
			this.behaviour.answer(this, socket);
			if (!socket.isClosed()) {
				socket.getOutputStream().flush();
				socket.shutdownOutput();
			}
		}
		catch (IOException ex) {
			// The client went away, or spoke something else than HTTP
		}
	}

	private Received read(InputStream in) throws IOException {
		String[] start = line(in).split(" ");
		if (start.length != 3) {
			throw new EOFException("No HTTP");
		}
		TreeMap<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		for (String line = line(in); !line.isEmpty(); line = line(in)) {
			int colon = line.indexOf(':');
			headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), (name) -> new ArrayList<>())
				.add(line.substring(colon + 1).strip());
		}
		long length = 0;
		if (headers.containsKey("Transfer-Encoding")) {
			for (long chunk = chunk(in); chunk > 0; chunk = chunk(in)) {
				in.skipNBytes(chunk);
				line(in);
				length += chunk;
			}
			line(in);
		}
		else if (headers.containsKey("Content-Length")) {
			length = Long.parseLong(headers.get("Content-Length").get(0));
			in.skipNBytes(length);
		}
		return new Received(start[0], start[1], headers, length);
	}

	private static long chunk(InputStream in) throws IOException {
		return Long.parseLong(line(in).split(";")[0].strip(), 16);
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0 || line.length() > 16 * 1024) {
				throw new EOFException();
			}
			if (next != '\r') {
				line.append((char) next);
			}
		}
		return line.toString();
	}

	/**
	 * What the far side does with a request that it has recorded.
	 */
	interface Behaviour {

		void answer(RawServer server, Socket socket) throws IOException;

	}

	/**
	 * A request that arrived whole.
	 */
	record Received(String method, String path, TreeMap<String, List<String>> headers, long length) {

		List<String> header(String name) {
			return this.headers.getOrDefault(name, List.of());
		}

	}

}
