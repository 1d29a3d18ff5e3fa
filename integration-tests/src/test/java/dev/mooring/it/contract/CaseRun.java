package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSyntaxException;
import dev.mooring.it.Endpoint;
import dev.mooring.testkit.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs one case. Requests go over plain sockets, because an HTTP client would not send the odd
 * ones.
 */
final class CaseRun {
  private static final List<String> HEADERS =
      List.of("Content-Type", "Warning", "Retry-After", "Www-Authenticate", "Allow", "Location");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern LONG =
      Pattern.compile("\\$\\{(\\w)\\*(\\d+)}"); // that many of a character

  private record Answer(int status, Map<String, List<String>> headers, byte[] body) {}

  private final Endpoint server;
  private final JsonObject testCase;
  private final ContractNames names;
  private final Comparison comparison;
  private final Map<String, String> environment = new HashMap<>();

  CaseRun(Endpoint server, JsonObject testCase) {
    this.server = server;
    this.testCase = testCase;
    this.names = new ContractNames(testCase, server.token());
    this.comparison = new Comparison(testCase);
    environment.put("token", server.token());
  }

  List<String> run() throws Exception {
    int number = 0;
    for (JsonElement exchange : testCase.getAsJsonArray("exchanges")) {
      step("" + ++number, exchange.getAsJsonObject());
    }
    return comparison.differences();
  }

  private void step(String label, JsonObject exchange) throws Exception {
    if (exchange.has("sleep")) {
      LockSupport.parkNanos((long) (exchange.get("sleep").getAsDouble() * 1e9));
    } else if (exchange.has("watch")) {
      watch(label, exchange);
    } else {
      request(label, exchange);
    }
  }

  private String filled(String text) {
    String named =
        VARIABLE
            .matcher(text)
            .replaceAll(v ->
                Matcher.quoteReplacement(
                    environment.getOrDefault(v.group(1), "no-value-for-" + v.group(1))));
    return LONG.matcher(named).replaceAll(v -> v.group(1).repeat(Integer.parseInt(v.group(2))));
  }

  private static Map<String, String> query(String path) {
    Map<String, String> query = new LinkedHashMap<>();
    int mark = path.indexOf('?');
    for (String pair : mark < 0 ? new String[0] : path.substring(mark + 1).split("&")) {
      int equals = pair.indexOf('=');
      query.putIfAbsent(
          equals < 0 ? pair : pair.substring(0, equals),
          equals < 0 ? "" : pair.substring(equals + 1));
    }
    return query;
  }

  private Socket send(JsonObject request, int timeout) throws IOException {
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
          filled(
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
              headers.put(e.getKey(), filled(e.getValue().getAsString()));
            }
          });
    }
    StringBuilder head =
        new StringBuilder(
            method + " " + filled(request.get("path").getAsString()) + " HTTP/1.1\r\n");
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

  private static Answer head(InputStream in) throws IOException {
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

  /** The body without its chunk marks. */
  private static InputStream body(InputStream in, Answer head) {
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
            int first = read(); // the default would wait for a full buffer
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

  private void request(String label, JsonObject exchange) throws Exception {
    JsonObject request = exchange.getAsJsonObject("request");
    names.keepManagedFields(keepsManagedFields(exchange));
    Answer answer = answer(exchange, request);
    String at =
        label + " " + request.get("method").getAsString() + " " + request.get("path").getAsString();
    JsonElement parsed = parsed(answer.body);
    capture(exchange, parsed, answer.headers);
    JsonElement named = named(answer, query(filled(request.get("path").getAsString())));
    JsonObject expect =
        exchange.has("expect") ? exchange.getAsJsonObject("expect") : new JsonObject();
    if (!expect.has("status")) {
      return;
    }
    if (expect.get("status").getAsInt() != answer.status) {
      comparison
          .differences()
          .add(
              at
                  + ": want "
                  + expect.get("status")
                  + ", got "
                  + answer.status
                  + " "
                  + new String(answer.body, StandardCharsets.UTF_8));
      return;
    }
    compareHeaders(at, expect, answer.headers);
    boolean statusOnly =
        exchange.has("check") && exchange.get("check").getAsString().equals("status");
    if (!statusOnly && expect.has("body")) {
      JsonElement got = Trim.apply(named, exchange);
      boolean plainError =
          expect.get("body").isJsonPrimitive() && got.isJsonPrimitive() && answer.status >= 400;
      if (!plainError) {
        comparison.compare(at + " body", expect.get("body"), got);
      }
    }
  }

  private boolean keepsManagedFields(JsonObject exchange) {
    JsonElement wish =
        exchange.has("managedFields")
            ? exchange.get("managedFields")
            : testCase.get("managedFields");
    return wish != null && !wish.getAsString().equals("false");
  }

  /** The answer; with "eventually" the first that is as wished, or the last before time is up. */
  private Answer answer(JsonObject exchange, JsonObject request) throws Exception {
    JsonObject wish = exchange.get("eventually") instanceof JsonObject w ? w : null;
    double seconds = wish != null && wish.has("seconds") ? wish.get("seconds").getAsDouble() : 10;
    return Patience.lastOf(
        Duration.ofMillis((long) (seconds * 1000)),
        () -> once(request),
        answer -> wish == null || isAsWished(wish, answer));
  }

  private static boolean isAsWished(JsonObject wish, Answer answer) {
    if (wish.has("status") && wish.get("status").getAsInt() != answer.status) {
      return false;
    }
    if (!wish.has("path")) {
      return true;
    }
    JsonElement found = lookup(parsed(answer.body), wish.get("path").getAsString());
    return wish.has("is") ? wish.get("is").equals(found) : found != null && !found.isJsonNull();
  }

  private Answer once(JsonObject request) throws IOException {
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

  private static JsonElement parsed(byte[] body) {
    try {
      return JsonParser.parseString(new String(body, StandardCharsets.UTF_8));
    } catch (JsonSyntaxException notJson) {
      return new JsonPrimitive("");
    }
  }

  private JsonElement named(Answer answer, Map<String, String> query) {
    if (answer.body.length > 3
        && answer.body[0] == 'k'
        && answer.body[1] == '8'
        && answer.body[2] == 's') {
      JsonObject marker = new JsonObject();
      marker.addProperty("<protobuf>", "k8s\\0");
      return marker;
    }
    String text = new String(answer.body, StandardCharsets.UTF_8);
    boolean json =
        answer.headers.getOrDefault("Content-Type", List.of("")).getFirst().contains("json")
            || text.startsWith("{")
            || text.startsWith("[");
    if (json && !(parsed(answer.body) instanceof JsonPrimitive)) {
      return names.walk(parsed(answer.body), "", query, -1);
    }
    return new JsonPrimitive(text.substring(0, Math.min(1000, text.length())));
  }

  private void compareHeaders(String at, JsonObject expect, Map<String, List<String>> headers) {
    JsonObject got = new JsonObject();
    for (String name : HEADERS) {
      List<String> values = headers.get(name);
      if (values != null) {
        JsonArray list = new JsonArray();
        values.forEach(list::add);
        got.add(
            name,
            values.size() == 1 && !name.equals("Warning")
                ? new JsonPrimitive(values.getFirst())
                : list);
      }
    }
    if (expect.has("headers")) {
      comparison.compare(at + " headers", expect.get("headers"), got);
    }
  }

  private void capture(JsonObject exchange, JsonElement root, Map<String, List<String>> headers) {
    if (!(exchange.get("capture") instanceof JsonObject wanted)) {
      return;
    }
    wanted
        .entrySet()
        .forEach(e -> {
          String path = e.getValue().getAsString();
          JsonElement found =
              path.startsWith("headers.") ? header(headers, path.substring(8)) : lookup(root, path);
          if (found == null || found.isJsonNull()) {
            environment.remove(e.getKey());
          } else {
            environment.put(e.getKey(), found.getAsString());
          }
        });
  }

  private static JsonElement header(Map<String, List<String>> headers, String name) {
    return headers.containsKey(name) ? new JsonPrimitive(headers.get(name).getFirst()) : null;
  }

  private static JsonElement lookup(JsonElement from, String path) {
    JsonElement here = from;
    Matcher part = Pattern.compile("[^.\\[\\]]+").matcher(path);
    while (part.find() && here != null) {
      here =
          here instanceof JsonArray list
                  && part.group().matches("\\d+")
                  && Integer.parseInt(part.group()) < list.size()
              ? list.get(Integer.parseInt(part.group()))
              : here instanceof JsonObject object ? object.get(part.group()) : null;
    }
    return here;
  }

  private static boolean endsInitialEvents(JsonObject event) {
    JsonElement mark = lookup(event, "object.metadata.annotations");
    return mark instanceof JsonObject annotations && annotations.has("k8s.io/initial-events-end");
  }

  private static boolean counts(JsonObject event) {
    return !event.get("type").getAsString().equals("BOOKMARK") || endsInitialEvents(event);
  }

  private void watch(String label, JsonObject exchange) throws Exception {
    JsonObject spec = exchange.getAsJsonObject("watch");
    JsonObject expect =
        exchange.has("expect") ? exchange.getAsJsonObject("expect") : new JsonObject();
    double seconds = spec.has("seconds") ? spec.get("seconds").getAsDouble() : 5;
    int until = spec.has("until") ? spec.get("until").getAsInt() : -1;
    List<JsonObject> events = new ArrayList<>();
    String ended = "client";
    Answer head;
    byte[] other = new byte[0];
    try (Socket socket = send(spec, 200)) {
      socket.setSoTimeout(60_000);
      InputStream in = new java.io.BufferedInputStream(socket.getInputStream());
      head = head(in);
      InputStream body = body(in, head);
      boolean json =
          head.headers.getOrDefault("Content-Type", List.of("")).getFirst().contains("json");
      if (head.status != 200 || !json) {
        other = head.status == 200 ? body.readNBytes(4) : body.readAllBytes();
        ended = "server";
      } else {
        if (spec.get("while") instanceof JsonArray meanwhile) {
          int n = 0;
          for (JsonElement step : meanwhile) {
            step(label + "." + ++n, step.getAsJsonObject());
          }
        }
        ended = follow(socket, body, events, new Window(seconds, until, expectedEvents(expect)));
      }
    }
    String at = label + " WATCH " + spec.get("path").getAsString();
    if (expect.has("status") && expect.get("status").getAsInt() != head.status) {
      comparison.differences().add(at + ": want " + expect.get("status") + ", got " + head.status);
      return;
    }
    compareHeaders(at, expect, head.headers);
    if (other.length > 0) {
      if (head.status != 200 && expect.has("body")) {
        comparison.compare(
            at + " body",
            expect.get("body"),
            named(
                new Answer(head.status, head.headers, other),
                query(filled(spec.get("path").getAsString()))));
      }
      return;
    }
    JsonObject raw = new JsonObject();
    JsonArray all = new JsonArray();
    JsonArray named = namedEvents(events, until >= 0, all);
    raw.add("events", all);
    capture(exchange, raw, Map.of());
    if (expect.has("events")) {
      comparison.compare(at + " events", expect.get("events"), Trim.apply(named, exchange));
    }
    if (expect.has("ended") && !expect.get("ended").getAsString().equals(ended)) {
      comparison
          .differences()
          .add(at + ": want it ended by the " + expect.get("ended") + ", was the " + ended);
    }
  }

  private static long expectedEvents(JsonObject expect) {
    return expect.get("events") instanceof JsonArray all
        ? all.asList().stream().filter(e -> counts(e.getAsJsonObject())).count()
        : 0;
  }

  /**
   * How long events are read.
   *
   * @param seconds as long as the recording did, unless there is too little by then: this machine
   *     may be a slower one
   * @param until how many are enough; negative for none
   * @param expected how many the recording had
   */
  private record Window(double seconds, int until, long expected) {
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

    boolean isEnough(long seen) {
      return until >= 0 && seen >= until;
    }

    long nanos(long seen) {
      long recorded = (long) (seconds * 1e9);
      return seen < expected ? Math.max(recorded, LONGEST) : recorded;
    }
  }

  /** Reads until enough has come, and a moment longer for what is too many; who ended it. */
  private static String follow(
      Socket socket, InputStream body, List<JsonObject> events, Window window) throws IOException {
    long begun = System.nanoTime();
    long end = Long.MAX_VALUE;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8), 1);
    while (true) {
      long seen = events.stream().filter(CaseRun::counts).count();
      long spent = System.nanoTime() - begun;
      if (window.isEnough(seen) && end == Long.MAX_VALUE) {
        end = spent + TimeUnit.MILLISECONDS.toNanos(200);
      }
      long left = TimeUnit.NANOSECONDS.toMillis(Math.min(end, window.nanos(seen)) - spent);
      if (left <= 0) {
        return "client";
      }
      socket.setSoTimeout((int) Math.max(1, left));
      try {
        String line = lines.readLine();
        if (line == null) {
          return "server";
        }
        events.add(JsonParser.parseString(line).getAsJsonObject());
      } catch (java.net.SocketTimeoutException over) {
        return "client";
      }
    }
  }

  private JsonArray namedEvents(List<JsonObject> events, boolean counted, JsonArray raw) {
    JsonArray named = new JsonArray();
    long seen = 0;
    for (JsonObject event : events) {
      boolean mark = event.get("type").getAsString().equals("BOOKMARK");
      boolean lastWasMark =
          !named.isEmpty()
              && named
                  .get(named.size() - 1)
                  .getAsJsonObject()
                  .get("type")
                  .getAsString()
                  .equals("BOOKMARK");
      if (mark && !endsInitialEvents(event) && (counted || lastWasMark)) {
        continue;
      }
      JsonObject object = event.getAsJsonObject("object").deepCopy();
      if (mark) {
        object
            .entrySet()
            .removeIf(e -> !List.of("kind", "apiVersion", "metadata").contains(e.getKey()));
      }
      JsonObject one = new JsonObject();
      one.add("type", event.get("type"));
      one.add("object", names.walk(object, "", Map.of("watch", "true"), mark ? seen : -1));
      named.add(one);
      raw.add(event);
      JsonElement version = lookup(event, "object.metadata.resourceVersion");
      if (!mark && version != null && version.getAsString().matches("\\d+")) {
        seen = Math.max(seen, Long.parseLong(version.getAsString()));
      }
    }
    return named;
  }
}
