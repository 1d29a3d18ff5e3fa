package dev.mooring.apiserver.http.request;

import static dev.mooring.apiserver.codec.JsonBodies.at;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Protobuf;
import dev.mooring.apiserver.codec.Yamls;
import dev.mooring.apiserver.http.render.Form;
import dev.mooring.apiserver.http.render.Rendering;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** One request and its answer. For the thread that serves it. */
public final class Exchange {
  private static final int COMPRESSED_FROM = 128 * 1024;
  private static final int STREAM_BUFFER = 64 * 1024;
  private static final int BODY_LIMIT = 3 * 1024 * 1024;

  private final HttpExchange http;
  private final QueryParameters query;
  private final List<String> warnings = new ArrayList<>();
  private IntConsumer beforeAnswer = code -> {};

  /** Of what the server took from the wire. */
  public Exchange(HttpExchange http) {
    this.http = http;
    String raw = http.getRequestURI().getRawQuery();
    this.query = new QueryParameters(raw == null ? "" : raw);
  }

  /** GET, POST and the like. */
  public String method() {
    return http.getRequestMethod();
  }

  /** The path as it was sent, without the query. */
  public String path() {
    return http.getRequestURI().getRawPath();
  }

  /** What the query says. */
  public QueryParameters query() {
    return query;
  }

  /** The path and the query, as they were sent. */
  public String uri() {
    return http.getRequestURI().toString();
  }

  /** Has that called with the answer's code before any of it leaves; not if nothing is answered. */
  public void beforeAnswer(IntConsumer told) {
    beforeAnswer = told;
  }

  private void begin(int code, long length) throws IOException {
    if (http.getResponseCode() == -1) {
      beforeAnswer.accept(code);
    }
    http.sendResponseHeaders(code, length);
  }

  /** The first header of that name, "" if there is none. */
  public String header(String name) {
    String value = http.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  /** All headers of that name, none if there are none. */
  public List<String> headers(String name) {
    List<String> values = http.getRequestHeaders().get(name);
    return values == null ? List.of() : values;
  }

  /** The names of the headers that were sent. */
  public Set<String> headerNames() {
    return http.getRequestHeaders().keySet();
  }

  /** The subject of the certificate that the client showed; "" if it showed none. */
  public String certificate() {
    if (http instanceof HttpsExchange https && https.getSSLSession() != null) {
      try {
        return https.getSSLSession().getPeerPrincipal().getName();
      } catch (SSLPeerUnverifiedException none) {
        return "";
      }
    }
    return "";
  }

  /** What the client accepts; "" if it does not say. */
  public String accept() {
    List<String> values = http.getRequestHeaders().get("Accept");
    return values == null ? "" : String.join(",", values);
  }

  /** The Content-Type without parameters; "" if there is none. */
  public String contentType() {
    String type = header("Content-Type");
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
  }

  /**
   * The body.
   *
   * @throws IOException if the client is gone
   * @throws Problem if it is too large
   */
  public byte[] body() throws IOException, Problem {
    try (InputStream in = http.getRequestBody()) {
      byte[] bytes = in.readNBytes(BODY_LIMIT + 1);
      if (bytes.length > BODY_LIMIT) {
        throw Problem.tooLarge("Request entity too large: limit is " + BODY_LIMIT);
      }
      return bytes;
    }
  }

  /**
   * The body as a tree with kind and apiVersion; null if there is none.
   *
   * @param complaints takes what is odd about it
   * @param expected the kind that it should be of, for the message
   * @throws IOException if the client is gone
   * @throws Problem if it cannot be read
   */
  public @Nullable JsonObject tree(List<String> complaints, String expected)
      throws IOException, Problem {
    byte[] bytes = body();
    if (bytes.length == 0) {
      return null;
    }
    String type = contentType();
    try {
      return switch (type) {
        case "", "application/json" ->
            object(new String(bytes, StandardCharsets.UTF_8), complaints);
        case "application/yaml" ->
            object(Yamls.toJson(new String(bytes, StandardCharsets.UTF_8), complaints), complaints);
        case "application/vnd.kubernetes.protobuf" ->
            Protobuf.decode(
                bytes,
                (version, kind) ->
                    KindCatalogue.messageOf(version, kind.isEmpty() ? expected : kind));
        default -> throw Problem.unsupportedBody();
      };
    } catch (BadBodyException e) {
      String why =
          type.equals(Form.Encoding.PROTOBUF.type())
              ? e.getMessage()
              : "couldn't get version/kind; json parse error: " + e.getMessage();
      throw Problem.badRequest(
          expected.equals("DeleteOptions")
              ? why
              : "the object provided is unrecognized (must be of type " + expected + "): " + why);
    }
  }

  private static JsonObject object(String text, List<String> complaints) throws BadBodyException {
    JsonElement parsed = JsonBodies.parse(text, complaints);
    if (parsed.isJsonNull()) {
      return new JsonObject();
    }
    if (!parsed.isJsonObject()) {
      throw new BadBodyException("json: cannot unmarshal into Go value of type struct");
    }
    return parsed.getAsJsonObject();
  }

  /** Has the answer warn of that. */
  public void warn(String text) {
    warnings.add("299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
  }

  /** Has the answer warn of nothing. */
  public void withdrawWarnings() {
    warnings.clear();
  }

  /**
   * Answers, with the warnings, compressed if it is large.
   *
   * @param contentType "" for none
   * @throws IOException if the client is gone
   */
  public void answer(int code, String contentType, byte[] body) throws IOException {
    answer(code, contentType, body, COMPRESSED_FROM);
  }

  /** Answers that what the client keeps is still true; says nothing of a body. */
  public void notModified() throws IOException {
    answer(304, "", new byte[0]);
  }

  /**
   * Answers, with the warnings.
   *
   * @param contentType "" for none
   * @param compressedFrom the length from which the body is compressed, if the client reads gzip
   * @throws IOException if the client is gone
   */
  public void answer(int code, String contentType, byte[] body, int compressedFrom)
      throws IOException {
    warnings.forEach(w -> http.getResponseHeaders().add("Warning", w));
    if (!contentType.isEmpty()) {
      http.getResponseHeaders().set("Content-Type", contentType);
    }
    if (http.getResponseHeaders().getFirst("Cache-Control") == null) {
      header("Cache-Control", "no-cache, private");
    }
    byte[] sent = body.length > compressedFrom ? compressed(body) : body;
    begin(code, sent.length == 0 ? -1 : sent.length);
    if (sent.length > 0) {
      try (OutputStream out = http.getResponseBody()) {
        out.write(sent);
      }
    }
  }

  /**
   * Answers with what is of no resource's type, in that encoding.
   *
   * @param body with its kind and apiVersion
   * @throws IOException if the client is gone
   */
  public void answer(int code, Form.Encoding encoding, JsonObject body) throws IOException {
    answer(code, encoding.type(), Rendering.tree(body, encoding));
  }

  /** Large answers are compressed for those who can read that. */
  private byte[] compressed(byte[] body) throws IOException {
    if (!readsGzip()) {
      return body;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4);
    try (GZIPOutputStream out = new Quickly(bytes)) {
      out.write(body);
    }
    header("Content-Encoding", "gzip");
    http.getResponseHeaders().add("Vary", "Accept-Encoding");
    return bytes.toByteArray();
  }

  private boolean readsGzip() {
    return headers("Accept-Encoding").stream()
        .flatMap(line -> Arrays.stream(line.split(",")))
        .map(coding -> coding.replace(" ", ""))
        .anyMatch(coding -> coding.startsWith("gzip") && !coding.matches("gzip;q=0(\\.0*)?"));
  }

  /** As kube-apiserver does: it takes a third of the time, and a few bytes more. */
  private static final class Quickly extends GZIPOutputStream {
    Quickly(OutputStream to) throws IOException {
      super(to);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Sets a header of the answer. */
  public void header(String name, String value) {
    http.getResponseHeaders().set(name, value);
  }

  /**
   * Answers with JSON.
   *
   * @throws IOException if the client is gone
   */
  public void json(int code, JsonElement body) throws IOException {
    answer(code, "application/json", (body + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Answers with plain text.
   *
   * @throws IOException if the client is gone
   */
  public void text(int code, String body) throws IOException {
    answer(code, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Answers with what is wrong, in the encoding that the client accepts.
   *
   * @throws IOException if the client is gone
   */
  public void refuse(Problem problem) throws IOException {
    if (problem.isPage()) {
      text(404, "404 page not found\n");
      return;
    }
    JsonElement seconds = at(problem.status(), "details", "retryAfterSeconds");
    if (seconds != null) {
      header("Retry-After", seconds.getAsString());
    }
    answer(problem.code(), wanted(accept()), problem.status());
  }

  /** A Status is never a table nor mere metadata; JSON if the client accepts no form of it. */
  private static Form.Encoding wanted(String accept) {
    try {
      return Form.plain(accept).encoding();
    } catch (Problem notAcceptable) {
      return Form.Encoding.JSON;
    }
  }

  /**
   * Begins an answer of unknown length, which goes out by what is returned. For a client that asked
   * for a WebSocket each write is one message.
   *
   * @throws IOException if the client is gone
   */
  public OutputStream stream(String contentType) throws IOException {
    http.getResponseHeaders().set("Content-Type", contentType);
    if (WebSocketHandshake.isAskedFor(this)) {
      WebSocketHandshake.protocols(this).forEach(p -> header("Sec-WebSocket-Protocol", p));
      begin(101, 0);
      return WebSocketHandshake.messages(http.getResponseBody(), contentType);
    }
    http.getResponseHeaders().set("Cache-Control", "no-cache, private");
    begin(200, 0);
    return new BufferedOutputStream(http.getResponseBody(), STREAM_BUFFER);
  }

  /** Ends the exchange, answered or not. */
  public void close() {
    http.close();
  }
}
