package dev.mooring.it.contract;

import com.google.gson.JsonObject;
import dev.mooring.it.ServerEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sends requests over plain sockets, because an HTTP client would reject the malformed ones. */
final class SocketClient {
  record Answer(int status, Map<String, List<String>> headers, byte[] body) {}

  private final ServerEndpoint server;
  private final CaseVariables variables;

  SocketClient(ServerEndpoint server, CaseVariables variables) {
    this.server = server;
    this.variables = variables;
  }

  /** Sends the request and returns the socket from which the response can be read. */
  Socket send(JsonObject request, int timeout) throws IOException {
    String method = request.has("method") ? request.get("method").getAsString() : "GET";
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Host", server.url().getAuthority());
    headers.put("Connection", "close");
    headers.put("Accept", "application/json");
    headers.put("User-Agent", "contract");
    if (!server.token().isEmpty()) {
      headers.put("Authorization", "Bearer " + server.token());
    }
    byte[] body = new byte[0];
    if (request.has("base64")) {
      body = Base64.getDecoder().decode(request.get("base64").getAsString());
      headers.put("Content-Length", Integer.toString(body.length));
    } else if (request.has("raw") || request.has("body")) {
      body =
          variables
              .filled(
                  request.has("raw")
                      ? request.get("raw").getAsString()
                      : request.get("body").toString())
              .getBytes(StandardCharsets.UTF_8);
      headers.put(
          "Content-Type",
          method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
      headers.put("Content-Length", Integer.toString(body.length));
    }
    if (request.get("headers") instanceof JsonObject own) {
      own.entrySet()
          .forEach(e -> {
            headers.remove(e.getKey());
            if (!e.getValue().isJsonNull()) {
              headers.put(e.getKey(), variables.filled(e.getValue().getAsString()));
            }
          });
    }
    StringBuilder head =
        new StringBuilder(
            method + " " + variables.filled(request.get("path").getAsString()) + " HTTP/1.1\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    Socket socket = server.connect();
    socket.setSoTimeout(timeout);
    socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().write(body);
    socket.getOutputStream().flush();
    return socket;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  static Answer head(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).split(" ")[1]);
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), n -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return new Answer(status, headers, new byte[0]);
  }

  /** Returns the body without its chunk framing. */
  static InputStream body(InputStream in, Answer head) {
    boolean chunked = head.headers.getOrDefault("Transfer-encoding", List.of()).contains("chunked");
    return !chunked
        ? in
        : new InputStream() {
          private int left;
          private boolean over;

          @Override
          public int read(byte[] to, int from, int most) throws IOException {
            if (most == 0) {
              return 0;
            }
            int first = read(); // the default implementation would wait for a full buffer
            if (first < 0) {
              return -1;
            }
            to[from] = (byte) first;
            int more = Math.min(left, most - 1);
            int got = more == 0 ? 0 : Math.max(0, in.read(to, from + 1, more));
            left -= got;
            return 1 + got;
          }

          @Override
          public int read() throws IOException {
            if (left == 0 && !over) {
              String size = line(in);
              if (size.isEmpty()) {
                size = line(in);
              }
              left = size.isEmpty() ? 0 : Integer.parseInt(size.strip(), 16);
              over = left == 0;
            }
            if (over) {
              return -1;
            }
            left--;
            return in.read();
          }
        };
  }

  Answer once(JsonObject request) throws IOException {
    try (Socket socket = send(request, 60_000)) {
      InputStream in = new java.io.BufferedInputStream(socket.getInputStream());
      Answer head = head(in);
      boolean bodiless =
          head.status == 304
              || "0".equals(head.headers.getOrDefault("Content-length", List.of("")).getFirst());
      return new Answer(
          head.status, head.headers, bodiless ? new byte[0] : body(in, head).readAllBytes());
    }
  }
}
