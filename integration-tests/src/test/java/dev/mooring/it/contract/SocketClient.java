package dev.mooring.it.contract;

import com.google.gson.JsonObject;
import dev.mooring.it.ServerEndpoint;
import java.io.BufferedInputStream;
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
  record Response(int status, Map<String, List<String>> headers, byte[] body) {}

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
              .substitute(
                  request.has("raw")
                      ? request.get("raw").getAsString()
                      : request.get("body").toString())
              .getBytes(StandardCharsets.UTF_8);
      headers.put(
          "Content-Type",
          method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
      headers.put("Content-Length", Integer.toString(body.length));
    }
    if (request.get("headers") instanceof JsonObject requestHeaders) {
      requestHeaders
          .entrySet()
          .forEach(header -> {
            headers.remove(header.getKey());
            if (!header.getValue().isJsonNull()) {
              headers.put(header.getKey(), variables.substitute(header.getValue().getAsString()));
            }
          });
    }
    StringBuilder head =
        new StringBuilder(
            method
                + " "
                + variables.substitute(request.get("path").getAsString())
                + " HTTP/1.1\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    Socket socket = server.connect();
    socket.setSoTimeout(timeout);
    socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().write(body);
    socket.getOutputStream().flush();
    return socket;
  }

  private static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int character = in.read(); character >= 0 && character != '\n'; character = in.read()) {
      if (character != '\r') {
        line.append((char) character);
      }
    }
    return line.toString();
  }

  static Response readHead(InputStream in) throws IOException {
    int status = Integer.parseInt(readLine(in).split(" ")[1]);
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), key -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return new Response(status, headers, new byte[0]);
  }

  /** Returns the body without its chunk framing. */
  static InputStream openBody(InputStream in, Response response) {
    boolean isChunked =
        response.headers.getOrDefault("Transfer-encoding", List.of()).contains("chunked");
    return !isChunked
        ? in
        : new InputStream() {
          private int chunkRemainder;
          private boolean isAtEnd;

          @Override
          public int read(byte[] target, int offset, int limit) throws IOException {
            if (limit == 0) {
              return 0;
            }
            int firstByte = read(); // the default implementation would wait for a full buffer
            if (firstByte < 0) {
              return -1;
            }
            target[offset] = (byte) firstByte;
            int length = Math.min(chunkRemainder, limit - 1);
            int count = length == 0 ? 0 : Math.max(0, in.read(target, offset + 1, length));
            chunkRemainder -= count;
            return 1 + count;
          }

          @Override
          public int read() throws IOException {
            if (chunkRemainder == 0 && !isAtEnd) {
              String size = readLine(in);
              if (size.isEmpty()) {
                size = readLine(in);
              }
              chunkRemainder = size.isEmpty() ? 0 : Integer.parseInt(size.strip(), 16);
              isAtEnd = chunkRemainder == 0;
            }
            if (isAtEnd) {
              return -1;
            }
            chunkRemainder--;
            return in.read();
          }
        };
  }

  Response sendAndRead(JsonObject request) throws IOException {
    try (Socket socket = send(request, 60_000)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Response response = readHead(in);
      boolean isBodiless =
          response.status == 304
              || "0"
                  .equals(response.headers.getOrDefault("Content-length", List.of("")).getFirst());
      return new Response(
          response.status,
          response.headers,
          isBodiless ? new byte[0] : openBody(in, response).readAllBytes());
    }
  }
}
