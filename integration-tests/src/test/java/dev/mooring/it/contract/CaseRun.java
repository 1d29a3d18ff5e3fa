package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSyntaxException;
import dev.mooring.it.ServerEndpoint;
import dev.mooring.it.contract.SocketClient.Answer;
import dev.mooring.testkit.TestWait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs one case. */
final class CaseRun {
  private static final List<String> HEADERS =
      List.of("Content-Type", "Warning", "Retry-After", "Www-Authenticate", "Allow", "Location");

  private final JsonObject testCase;
  private final ContractNames names;
  private final ResponseComparison comparison;
  private final CaseVariables variables = new CaseVariables();
  private final SocketClient client;

  CaseRun(ServerEndpoint server, JsonObject testCase) {
    this.testCase = testCase;
    this.names = new ContractNames(testCase, server.token());
    this.comparison = new ResponseComparison(testCase);
    this.client = new SocketClient(server, variables);
    variables.put("token", server.token());
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

  private void request(String label, JsonObject exchange) throws Exception {
    JsonObject request = exchange.getAsJsonObject("request");
    names.keepManagedFields(keepsManagedFields(exchange));
    Answer answer = answer(exchange, request);
    String at =
        label + " " + request.get("method").getAsString() + " " + request.get("path").getAsString();
    JsonElement parsed = parsed(answer.body());
    capture(exchange, parsed, answer.headers());
    JsonElement named = named(answer, query(variables.filled(request.get("path").getAsString())));
    JsonObject expect =
        exchange.has("expect") ? exchange.getAsJsonObject("expect") : new JsonObject();
    if (!expect.has("status")) {
      return;
    }
    if (expect.get("status").getAsInt() != answer.status()) {
      comparison
          .differences()
          .add(
              at
                  + ": want "
                  + expect.get("status")
                  + ", got "
                  + answer.status()
                  + " "
                  + new String(answer.body(), StandardCharsets.UTF_8));
      return;
    }
    compareHeaders(at, expect, answer.headers());
    boolean statusOnly =
        exchange.has("check") && exchange.get("check").getAsString().equals("status");
    if (!statusOnly && expect.has("body")) {
      JsonElement got = ResponseFilter.apply(named, exchange);
      boolean plainError =
          expect.get("body").isJsonPrimitive() && got.isJsonPrimitive() && answer.status() >= 400;
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

  /**
   * Returns the response; with "eventually", the first response that matches, or the last one
   * before the timeout.
   */
  private Answer answer(JsonObject exchange, JsonObject request) throws Exception {
    JsonObject wish = exchange.get("eventually") instanceof JsonObject w ? w : null;
    double seconds = wish != null && wish.has("seconds") ? wish.get("seconds").getAsDouble() : 10;
    return TestWait.lastOf(
        Duration.ofMillis((long) (seconds * 1000)),
        () -> client.once(request),
        answer -> wish == null || isAsWished(wish, answer));
  }

  private static boolean isAsWished(JsonObject wish, Answer answer) {
    if (wish.has("status") && wish.get("status").getAsInt() != answer.status()) {
      return false;
    }
    if (!wish.has("path")) {
      return true;
    }
    JsonElement found = lookup(parsed(answer.body()), wish.get("path").getAsString());
    return wish.has("is") ? wish.get("is").equals(found) : found != null && !found.isJsonNull();
  }

  private static JsonElement parsed(byte[] body) {
    try {
      return JsonParser.parseString(new String(body, StandardCharsets.UTF_8));
    } catch (JsonSyntaxException notJson) {
      return new JsonPrimitive("");
    }
  }

  private JsonElement named(Answer answer, Map<String, String> query) {
    if (answer.body().length > 3
        && answer.body()[0] == 'k'
        && answer.body()[1] == '8'
        && answer.body()[2] == 's') {
      JsonObject marker = new JsonObject();
      marker.addProperty("<protobuf>", "k8s\\0");
      return marker;
    }
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    boolean json =
        answer.headers().getOrDefault("Content-Type", List.of("")).getFirst().contains("json")
            || text.startsWith("{")
            || text.startsWith("[");
    if (json && !(parsed(answer.body()) instanceof JsonPrimitive)) {
      return names.walk(parsed(answer.body()), "", query, -1);
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
            variables.remove(e.getKey());
          } else {
            variables.put(e.getKey(), found.getAsString());
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
    try (Socket socket = client.send(spec, 200)) {
      socket.setSoTimeout(60_000);
      InputStream in = new java.io.BufferedInputStream(socket.getInputStream());
      head = SocketClient.head(in);
      InputStream body = SocketClient.body(in, head);
      boolean json =
          head.headers().getOrDefault("Content-Type", List.of("")).getFirst().contains("json");
      if (head.status() != 200 || !json) {
        other = head.status() == 200 ? body.readNBytes(4) : body.readAllBytes();
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
    if (expect.has("status") && expect.get("status").getAsInt() != head.status()) {
      comparison
          .differences()
          .add(at + ": want " + expect.get("status") + ", got " + head.status());
      return;
    }
    compareHeaders(at, expect, head.headers());
    if (other.length > 0) {
      if (head.status() != 200 && expect.has("body")) {
        comparison.compare(
            at + " body",
            expect.get("body"),
            named(
                new Answer(head.status(), head.headers(), other),
                query(variables.filled(spec.get("path").getAsString()))));
      }
      return;
    }
    JsonObject raw = new JsonObject();
    JsonArray all = new JsonArray();
    JsonArray named = namedEvents(events, until >= 0, all);
    raw.add("events", all);
    capture(exchange, raw, Map.of());
    if (expect.has("events")) {
      comparison.compare(
          at + " events", expect.get("events"), ResponseFilter.apply(named, exchange));
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
   * @param seconds duration of the recording, extended while events are missing
   * @param until number of events that suffices; negative for none
   * @param expected number of events in the recording
   */
  private record Window(double seconds, int until, long expected) {
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

    /** False until every recorded event has arrived: a busy machine may need longer. */
    boolean isEnough(long seen) {
      return until >= 0 && seen >= Math.max(until, expected);
    }

    long nanos(long seen) {
      long recorded = (long) (seconds * 1e9);
      return seen < expected ? Math.max(recorded, LONGEST) : recorded;
    }
  }

  /**
   * Reads until enough events have arrived, and a moment longer to catch surplus ones. Returns
   * which side ended the stream.
   */
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
