package dev.mooring.kube.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import okhttp3.HttpUrl;

/** Accepts connections and answers the requests of each with the bytes of a script. */
final class ScriptedServer implements AutoCloseable {
  /** Returned instead of bytes: the connection ends without a response. */
  static final String END = "end";

  /** Returned instead of bytes: the request remains unanswered. */
  static final String SILENCE = "silence";

  private static final String LENGTH = "Content-Length: ";

  /** Returns the bytes for a request of a connection, both counted from 1. */
  interface Script {
    String answer(int connection, int request);
  }

  private final ServerSocket listener;
  private final Script script;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  ScriptedServer(Script script) throws IOException {
    this.script = script;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.submit(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listener.accept();
        connections.add(connection);
        int number = connections.size();
        threads.submit(() -> serve(connection, number));
      }
    } catch (IOException closed) {
      // the test has ended
    }
  }

  private void serve(Socket connection, int number) {
    try (connection) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
      String request = readRequest(in);
      for (int count = 1; !request.isEmpty(); count++) {
        requests.add(request);
        String answer = script.answer(number, count);
        if (answer.equals(END)) {
          return;
        }
        if (!answer.equals(SILENCE)) {
          connection.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
          if (answer.endsWith(END)) {
            return;
          }
        }
        request = readRequest(in);
      }
    } catch (IOException closed) {
      // the client has closed the connection
    }
  }

  // Returns the head and the body; "" at the end of the connection.
  private static String readRequest(BufferedReader in) throws IOException {
    StringBuilder request = new StringBuilder();
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      request.append(line).append('\n');
      if (line.startsWith(LENGTH)) {
        length = Integer.parseInt(line.substring(LENGTH.length()));
      }
    }
    char[] body = new char[length];
    for (int read = 0; read < length; ) {
      read += in.read(body, read, length - read);
    }
    return request.append(body).toString();
  }

  HttpUrl url() {
    return HttpUrl.get("http://127.0.0.1:" + listener.getLocalPort());
  }

  int countConnections() {
    return connections.size();
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
