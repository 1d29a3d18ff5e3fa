package dev.mooring.it.contract;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSyntaxException;
import dev.mooring.it.ServerEndpoint;
import dev.mooring.it.contract.SocketClient.Response;
import dev.mooring.testkit.TestWait;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketTimeoutException;
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
  private static final List<String> COMPARED_HEADERS =
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
      runStep("" + ++number, exchange.getAsJsonObject());
    }
    return comparison.differences();
  }

  private void runStep(String label, JsonObject exchange) throws Exception {
    if (exchange.has("sleep")) {
      LockSupport.parkNanos((long) (exchange.get("sleep").getAsDouble() * 1e9));
    } else if (exchange.has("watch")) {
      compareWatch(label, exchange);
    } else {
      compareRequest(label, exchange);
    }
  }

  private static Map<String, String> parseQuery(String path) {
    Map<String, String> query = new LinkedHashMap<>();
    int queryStart = path.indexOf('?');
    for (String pair : queryStart < 0 ? new String[0] : path.substring(queryStart + 1).split("&")) {
      int equalsSign = pair.indexOf('=');
      query.putIfAbsent(
          equalsSign < 0 ? pair : pair.substring(0, equalsSign),
          equalsSign < 0 ? "" : pair.substring(equalsSign + 1));
    }
    return query;
  }

  private void compareRequest(String label, JsonObject exchange) throws Exception {
    JsonObject request = exchange.getAsJsonObject("request");
    names.compareManagedFields(keepsManagedFields(exchange));
    Response response = awaitResponse(exchange, request);
    String location =
        label + " " + request.get("method").getAsString() + " " + request.get("path").getAsString();
    JsonElement parsedBody = parseJson(response.body());
    captureVariables(exchange, parsedBody, response.headers());
    JsonElement namedBody =
        nameValues(response, parseQuery(variables.substitute(request.get("path").getAsString())));
    JsonObject expect =
        exchange.has("expect") ? exchange.getAsJsonObject("expect") : new JsonObject();
    if (!expect.has("status")) {
      return;
    }
    if (expect.get("status").getAsInt() != response.status()) {
      comparison
          .differences()
          .add(
              location
                  + ": want "
                  + expect.get("status")
                  + ", got "
                  + response.status()
                  + " "
                  + new String(response.body(), StandardCharsets.UTF_8));
      return;
    }
    compareHeaders(location, expect, response.headers());
    boolean isStatusOnly =
        exchange.has("check") && exchange.get("check").getAsString().equals("status");
    if (!isStatusOnly && expect.has("body")) {
      JsonElement filtered = ResponseFilter.apply(namedBody, exchange);
      boolean isPlainError =
          expect.get("body").isJsonPrimitive()
              && filtered.isJsonPrimitive()
              && response.status() >= 400;
      if (!isPlainError) {
        comparison.compare(location + " body", expect.get("body"), filtered);
      }
    }
  }

  private boolean keepsManagedFields(JsonObject exchange) {
    JsonElement setting =
        exchange.has("managedFields")
            ? exchange.get("managedFields")
            : testCase.get("managedFields");
    return setting != null && !setting.getAsString().equals("false");
  }

  /**
   * Returns the response. With "eventually", returns the first response that matches, or the last
   * response before the timeout.
   */
  private Response awaitResponse(JsonObject exchange, JsonObject request) throws Exception {
    JsonObject condition =
        exchange.get("eventually") instanceof JsonObject eventually ? eventually : null;
    double seconds =
        condition != null && condition.has("seconds") ? condition.get("seconds").getAsDouble() : 10;
    return TestWait.lastOf(
        Duration.ofMillis((long) (seconds * 1000)),
        () -> client.sendAndRead(request),
        candidate -> condition == null || isSatisfied(condition, candidate));
  }

  private static boolean isSatisfied(JsonObject condition, Response response) {
    if (condition.has("status") && condition.get("status").getAsInt() != response.status()) {
      return false;
    }
    if (!condition.has("path")) {
      return true;
    }
    JsonElement value = findValue(parseJson(response.body()), condition.get("path").getAsString());
    return condition.has("is")
        ? condition.get("is").equals(value)
        : value != null && !value.isJsonNull();
  }

  private static JsonElement parseJson(byte[] body) {
    try {
      return JsonParser.parseString(new String(body, StandardCharsets.UTF_8));
    } catch (JsonSyntaxException notJson) {
      return new JsonPrimitive("");
    }
  }

  private JsonElement nameValues(Response response, Map<String, String> query) {
    if (response.body().length > 3
        && response.body()[0] == 'k'
        && response.body()[1] == '8'
        && response.body()[2] == 's') {
      JsonObject marker = new JsonObject();
      marker.addProperty("<protobuf>", "k8s\\0");
      return marker;
    }
    String text = new String(response.body(), StandardCharsets.UTF_8);
    boolean isJson =
        response.headers().getOrDefault("Content-Type", List.of("")).getFirst().contains("json")
            || text.startsWith("{")
            || text.startsWith("[");
    if (isJson && !(parseJson(response.body()) instanceof JsonPrimitive)) {
      return names.nameValue(parseJson(response.body()), "", query, -1);
    }
    return new JsonPrimitive(text.substring(0, Math.min(1000, text.length())));
  }

  private void compareHeaders(
      String location, JsonObject expect, Map<String, List<String>> headers) {
    JsonObject actual = new JsonObject();
    for (String name : COMPARED_HEADERS) {
      List<String> values = headers.get(name);
      if (values != null) {
        JsonArray valueList = new JsonArray();
        values.forEach(valueList::add);
        actual.add(
            name,
            values.size() == 1 && !name.equals("Warning")
                ? new JsonPrimitive(values.getFirst())
                : valueList);
      }
    }
    if (expect.has("headers")) {
      comparison.compare(location + " headers", expect.get("headers"), actual);
    }
  }

  private void captureVariables(
      JsonObject exchange, JsonElement root, Map<String, List<String>> headers) {
    if (!(exchange.get("capture") instanceof JsonObject paths)) {
      return;
    }
    paths
        .entrySet()
        .forEach(variable -> {
          String path = variable.getValue().getAsString();
          JsonElement value =
              path.startsWith("headers.")
                  ? headerValue(headers, path.substring(8))
                  : findValue(root, path);
          if (value == null || value.isJsonNull()) {
            variables.remove(variable.getKey());
          } else {
            variables.put(variable.getKey(), value.getAsString());
          }
        });
  }

  private static JsonElement headerValue(Map<String, List<String>> headers, String name) {
    return headers.containsKey(name) ? new JsonPrimitive(headers.get(name).getFirst()) : null;
  }

  private static JsonElement findValue(JsonElement root, String path) {
    JsonElement element = root;
    Matcher segment = Pattern.compile("[^.\\[\\]]+").matcher(path);
    while (segment.find() && element != null) {
      element =
          element instanceof JsonArray list
                  && segment.group().matches("\\d+")
                  && Integer.parseInt(segment.group()) < list.size()
              ? list.get(Integer.parseInt(segment.group()))
              : element instanceof JsonObject object ? object.get(segment.group()) : null;
    }
    return element;
  }

  private static boolean endsInitialEvents(JsonObject event) {
    JsonElement annotationsValue = findValue(event, "object.metadata.annotations");
    return annotationsValue instanceof JsonObject annotations
        && annotations.has("k8s.io/initial-events-end");
  }

  private static boolean isCounted(JsonObject event) {
    return !event.get("type").getAsString().equals("BOOKMARK") || endsInitialEvents(event);
  }

  private void compareWatch(String label, JsonObject exchange) throws Exception {
    JsonObject watchSpec = exchange.getAsJsonObject("watch");
    JsonObject expected =
        exchange.has("expect") ? exchange.getAsJsonObject("expect") : new JsonObject();
    double seconds = watchSpec.has("seconds") ? watchSpec.get("seconds").getAsDouble() : 5;
    int enoughEvents = watchSpec.has("until") ? watchSpec.get("until").getAsInt() : -1;
    List<JsonObject> events = new ArrayList<>();
    String endingSide = "client";
    Response response;
    byte[] otherBody = new byte[0];
    try (Socket socket = client.send(watchSpec, 200)) {
      socket.setSoTimeout(60_000);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      response = SocketClient.readHead(in);
      InputStream body = SocketClient.openBody(in, response);
      boolean isJson =
          response.headers().getOrDefault("Content-Type", List.of("")).getFirst().contains("json");
      if (response.status() != 200 || !isJson) {
        otherBody = response.status() == 200 ? body.readNBytes(4) : body.readAllBytes();
        endingSide = "server";
      } else {
        if (watchSpec.get("while") instanceof JsonArray meanwhileSteps) {
          int number = 0;
          for (JsonElement step : meanwhileSteps) {
            runStep(label + "." + ++number, step.getAsJsonObject());
          }
        }
        endingSide =
            readEvents(
                socket,
                body,
                events,
                new Window(seconds, enoughEvents, countExpectedEvents(expected)));
      }
    }
    names.compareManagedFields(keepsManagedFields(exchange));
    String location = label + " WATCH " + watchSpec.get("path").getAsString();
    if (expected.has("status") && expected.get("status").getAsInt() != response.status()) {
      comparison
          .differences()
          .add(location + ": want " + expected.get("status") + ", got " + response.status());
      return;
    }
    compareHeaders(location, expected, response.headers());
    if (otherBody.length > 0) {
      if (response.status() != 200 && expected.has("body")) {
        comparison.compare(
            location + " body",
            expected.get("body"),
            nameValues(
                new Response(response.status(), response.headers(), otherBody),
                parseQuery(variables.substitute(watchSpec.get("path").getAsString()))));
      }
      return;
    }
    JsonObject eventRoot = new JsonObject();
    JsonArray rawEvents = new JsonArray();
    JsonArray namedEvents = nameEvents(events, enoughEvents >= 0, rawEvents);
    eventRoot.add("events", rawEvents);
    captureVariables(exchange, eventRoot, Map.of());
    if (expected.has("events")) {
      comparison.compare(
          location + " events",
          expected.get("events"),
          ResponseFilter.apply(namedEvents, exchange));
    }
    if (expected.has("ended") && !expected.get("ended").getAsString().equals(endingSide)) {
      comparison
          .differences()
          .add(
              location
                  + ": want it ended by the "
                  + expected.get("ended")
                  + ", was the "
                  + endingSide);
    }
  }

  private static long countExpectedEvents(JsonObject expect) {
    return expect.get("events") instanceof JsonArray expectedList
        ? expectedList.asList().stream().filter(event -> isCounted(event.getAsJsonObject())).count()
        : 0;
  }

  /**
   * Time limits for reading events.
   *
   * @param seconds duration of the recording, extended while events are missing
   * @param enoughEvents number of events that suffices; negative for none
   * @param expected number of events in the recording
   */
  private record Window(double seconds, int enoughEvents, long expected) {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

    /**
     * Returns false until every recorded event has arrived, because a busy machine needs longer.
     */
    boolean isEnough(long eventCount) {
      return enoughEvents >= 0 && eventCount >= Math.max(enoughEvents, expected);
    }

    long limitNanos(long eventCount) {
      long recordedNanos = (long) (seconds * 1e9);
      return eventCount < expected ? Math.max(recordedNanos, MAX_NANOS) : recordedNanos;
    }
  }

  /**
   * Reads until enough events have arrived, and 200 ms longer to detect surplus events. Returns
   * which side ended the stream.
   */
  private static String readEvents(
      Socket socket, InputStream body, List<JsonObject> events, Window window) throws IOException {
    long startTime = System.nanoTime();
    long deadline = Long.MAX_VALUE;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8), 1);
    while (true) {
      long eventCount = events.stream().filter(CaseRun::isCounted).count();
      long elapsed = System.nanoTime() - startTime;
      if (window.isEnough(eventCount) && deadline == Long.MAX_VALUE) {
        deadline = elapsed + TimeUnit.MILLISECONDS.toNanos(200);
      }
      long remainingMillis =
          TimeUnit.NANOSECONDS.toMillis(
              Math.min(deadline, window.limitNanos(eventCount)) - elapsed);
      if (remainingMillis <= 0) {
        return "client";
      }
      socket.setSoTimeout((int) Math.max(1, remainingMillis));
      try {
        String line = lines.readLine();
        if (line == null) {
          return "server";
        }
        events.add(JsonParser.parseString(line).getAsJsonObject());
      } catch (SocketTimeoutException timeout) {
        return "client";
      }
    }
  }

  private JsonArray nameEvents(
      List<JsonObject> events, boolean isCountLimited, JsonArray rawEvents) {
    JsonArray namedList = new JsonArray();
    long lastVersion = 0;
    for (JsonObject event : events) {
      boolean isBookmark = event.get("type").getAsString().equals("BOOKMARK");
      boolean followsBookmark =
          !namedList.isEmpty()
              && namedList
                  .get(namedList.size() - 1)
                  .getAsJsonObject()
                  .get("type")
                  .getAsString()
                  .equals("BOOKMARK");
      if (isBookmark && !endsInitialEvents(event) && (isCountLimited || followsBookmark)) {
        continue;
      }
      JsonObject object = event.getAsJsonObject("object").deepCopy();
      if (isBookmark) {
        object
            .entrySet()
            .removeIf(
                member -> !List.of("kind", "apiVersion", "metadata").contains(member.getKey()));
      }
      JsonObject namedEvent = new JsonObject();
      namedEvent.add("type", event.get("type"));
      namedEvent.add(
          "object",
          names.nameValue(object, "", Map.of("watch", "true"), isBookmark ? lastVersion : -1));
      namedList.add(namedEvent);
      rawEvents.add(event);
      JsonElement version = findValue(event, "object.metadata.resourceVersion");
      if (!isBookmark && version != null && version.getAsString().matches("\\d+")) {
        lastVersion = Math.max(lastVersion, Long.parseLong(version.getAsString()));
      }
    }
    return namedList;
  }
}
