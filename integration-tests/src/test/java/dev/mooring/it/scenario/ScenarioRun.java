package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plays one scenario and takes a snapshot of its end state. The README of the conformance folder
 * describes the format.
 */
final class ScenarioRun {
  private static final List<String> WATCHED =
      List.of(
          "PersistentVolume", "PersistentVolumeClaim", "VolumeAttachment", "Node", "Pod", "Event");
  private static final Pattern UID = Pattern.compile("\\$\\{uid:([^}]*)}");
  private static final double LONGEST_SETTLE = 60; // total of polls: takes longer on a busy machine
  private static final long BETWEEN_POLLS = TimeUnit.MILLISECONDS.toNanos(15);
  private static final double POLL_SECONDS = 0.02; // seconds, including the cost of the poll
  private static final long POLLS_PER_LIST = 10; // every change has a new resource version

  private final RestApi api;
  private final RunningController controller;
  private final double quiet;
  private final StateSnapshots snapshots;
  private final SimulatedActors actors;
  private Runnable atEnd = () -> {};
  private Predicate<JsonObject> ended = snapshot -> true;
  private Consumer<String> diary = step -> {};
  private Ending ending = () -> {};
  private Ending beforeStarts = () -> {};
  private Ending afterStarts = () -> {};
  private boolean pausedDuringWrites;
  private boolean started;

  /** A check before the controllers run, or at the end while they still do. */
  @FunctionalInterface
  interface Ending {
    void look() throws Exception;
  }

  /**
   * @param quiet seconds without a change that count as settled
   */
  ScenarioRun(RestApi api, RunningController controller, double quiet) {
    this.api = api;
    this.controller = controller;
    this.quiet = quiet;
    this.snapshots = new StateSnapshots(api);
    this.actors = new SimulatedActors(api);
  }

  /**
   * Sets an action after the last step, and the expected end state: another state gets time to
   * become it.
   */
  ScenarioRun ending(Runnable afterLastStep, Predicate<JsonObject> rightOne) {
    atEnd = afterLastStep;
    ended = rightOne;
    return this;
  }

  /** Passes each step to {@code of} when it begins. */
  ScenarioRun beforeEachStep(Consumer<String> of) {
    diary = of;
    return this;
  }

  /**
   * Checks with {@code before} when the objects exist but the controllers are not running, and with
   * {@code after} when the started controllers are idle.
   */
  ScenarioRun aroundStarts(Ending before, Ending after) {
    beforeStarts = before;
    afterStarts = after;
    return this;
  }

  /** Stops the controllers for each write of the scenario. */
  ScenarioRun pausedDuringWrites() {
    pausedDuringWrites = true;
    return this;
  }

  /** Calls {@code look} at the end. */
  ScenarioRun endingWith(Ending look) {
    ending = look;
    return this;
  }

  JsonObject play(JsonObject scenario) throws Exception {
    List<String> flags = new ArrayList<>();
    if (scenario.get("flags") instanceof JsonArray list) {
      list.forEach(f -> flags.add(f.getAsString()));
    }
    try (actors) {
      if (scenario.get("objects") instanceof JsonArray objects) {
        for (JsonElement object : objects) {
          create(object.getAsJsonObject());
        }
      }
      start(flags);
      if (scenario.get("steps") instanceof JsonArray steps) {
        for (JsonElement step : steps) {
          step(step.getAsJsonObject(), flags);
          snapshots.noteUids();
        }
      }
      settle(quiet);
      JsonObject end = end();
      ending.look();
      return end;
    } finally {
      controller.stop();
    }
  }

  private void start(List<String> flags) throws Exception {
    beforeStarts.look();
    controller.start(flags);
    started = true;
    settle(quiet);
    afterStarts.look();
  }

  private void stop() throws Exception {
    started = false;
    controller.stop();
  }

  private JsonObject end() throws Exception {
    atEnd.run();
    return TestWait.lastOf(TestWait.LONGEST, snapshots::take, ended);
  }

  private void step(JsonObject step, List<String> flags) throws Exception {
    diary.accept(step.toString());
    Map.Entry<String, JsonElement> first = step.entrySet().iterator().next();
    JsonElement value = first.getValue();
    if (step.has("refused")) {
      try {
        write(first.getKey(), value.getAsJsonObject());
      } catch (RestApi.Refused expected) {
        return;
      }
      throw new IllegalStateException("the API server took a step that it should refuse: " + step);
    }
    switch (first.getKey()) {
      case "create", "delete", "patch" -> {
        boolean pause = pausedDuringWrites && started;
        if (pause) {
          stop();
        }
        write(first.getKey(), value.getAsJsonObject());
        if (pause) {
          start(flags);
        }
      }
      case "settle" -> settle(Math.min(value.getAsDouble(), quiet));
      case "sleep" -> LockSupport.parkNanos((long) (value.getAsDouble() * 1e9));
      case "restart" -> {
        stop();
        start(flags);
      }
      case "stop" -> stop();
      case "start" -> start(flags);
      case "actor" -> actors.play(value.getAsString(), step);
      case "idle" -> actors.idle(value.getAsString());
      case "wait" ->
          await(
              value.getAsJsonObject(),
              step.has("timeout") ? step.get("timeout").getAsDouble() : 20);
      case "bind" -> bind(value.getAsJsonObject(), step.get("node").getAsString());
      default -> throw new IllegalArgumentException("unknown step " + step);
    }
  }

  private void write(String what, JsonObject value)
      throws RestApi.Refused, IOException, InterruptedException {
    if (what.equals("create")) {
      if (started && value.get("kind").getAsString().equals("StorageClass")) {
        awaitAnotherSecond();
      }
      create(value);
      return;
    }
    String kind = value.get("kind").getAsString();
    String namespace = RestApi.namespace(kind, value.get("namespace"));
    String name = substituted(value.get("name")).getAsString();
    if (what.equals("delete")) {
      api.delete(kind, namespace, name, value.has("grace") ? value.get("grace").getAsLong() : -1);
    } else {
      api.patch(
          kind,
          namespace,
          name,
          value.has("sub") ? value.get("sub").getAsString() : "",
          substituted(value.get("body")).getAsJsonObject());
    }
  }

  /**
   * Whole seconds decide which of two default classes is newer. The recordings waited longer
   * between them.
   */
  private static void awaitAnotherSecond() {
    long second = Instant.now().getEpochSecond();
    TestWait.until("another second", () -> Instant.now().getEpochSecond() != second);
  }

  private void create(JsonObject object) throws RestApi.Refused, IOException, InterruptedException {
    String kind = object.get("kind").getAsString();
    try {
      snapshots.noteUid(kind, api.create(substituted(object).getAsJsonObject()));
    } catch (RestApi.Refused e) {
      if (e.code() != 409 || !kind.equals("Namespace")) {
        throw e;
      }
    }
  }

  private JsonElement substituted(JsonElement value)
      throws RestApi.Refused, IOException, InterruptedException {
    if (value instanceof JsonObject object) {
      JsonObject result = new JsonObject();
      for (Map.Entry<String, JsonElement> member : object.entrySet()) {
        result.add(member.getKey(), substituted(member.getValue()));
      }
      return result;
    }
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      for (JsonElement element : list) {
        result.add(substituted(element));
      }
      return result;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isString()) {
      String text = primitive.getAsString();
      if (text.startsWith("$uid:")) {
        return new JsonPrimitive(liveUid(text.substring(5)));
      }
      Matcher m = UID.matcher(text);
      StringBuilder out = new StringBuilder();
      while (m.find()) {
        m.appendReplacement(out, liveUid(m.group(1)));
      }
      return new JsonPrimitive(m.appendTail(out).toString());
    }
    return value == null ? JsonNull.INSTANCE : value;
  }

  private String liveUid(String reference)
      throws RestApi.Refused, IOException, InterruptedException {
    String[] parts = reference.split("/");
    String kind = parts[0];
    String namespace = !RestApi.isNamespaced(kind) ? "" : parts.length == 3 ? parts[1] : "default";
    return api.get(kind, namespace, parts[parts.length - 1])
        .getAsJsonObject("metadata")
        .get("uid")
        .getAsString();
  }

  private void bind(JsonObject pod, String node)
      throws RestApi.Refused, IOException, InterruptedException {
    JsonObject target = new JsonObject();
    target.addProperty("kind", "Node");
    target.addProperty("name", node);
    JsonObject metadata = new JsonObject();
    metadata.add("name", pod.get("name"));
    JsonObject binding = new JsonObject();
    binding.addProperty("apiVersion", "v1");
    binding.addProperty("kind", "Binding");
    binding.add("metadata", metadata);
    binding.add("target", target);
    api.post(
        api.path(
                "Pod",
                RestApi.namespace("Pod", pod.get("namespace")),
                pod.get("name").getAsString())
            + "/binding",
        binding);
  }

  /** Waits no longer than the recording did; a goal that was missed shows in the end state. */
  private void await(JsonObject goal, double seconds) throws Exception {
    TestWait.lastOf(
        Duration.ofMillis((long) (seconds * 1000)), () -> isReached(goal), reached -> reached);
  }

  private boolean isReached(JsonObject goal) throws Exception {
    String name = substituted(goal.get("name")).getAsString();
    String kind = goal.get("kind").getAsString();
    String path = goal.has("path") ? goal.get("path").getAsString() : "";
    boolean toGo = path.equals("gone");
    try {
      JsonElement found =
          lookup(
              api.get(kind, RestApi.namespace(kind, goal.get("namespace")), name),
              toGo ? "" : path);
      return !toGo && found != null && (!goal.has("is") || found.equals(goal.get("is")));
    } catch (RestApi.Refused e) {
      return e.code() == 404 && toGo;
    }
  }

  private static JsonElement lookup(JsonElement from, String path) {
    JsonElement here = from;
    for (String part : path.isEmpty() ? new String[0] : path.split("\\.")) {
      if (here instanceof JsonObject object) {
        here = object.get(part);
      } else if (here instanceof JsonArray list
          && part.matches("\\d+")
          && Integer.parseInt(part) < list.size()) {
        here = list.get(Integer.parseInt(part));
      } else {
        return null;
      }
    }
    return here == null || here.isJsonNull() ? null : here;
  }

  /**
   * Waits until nothing has changed and the controllers were idle for this long. The time is
   * counted in polls, and between two polls every runnable thread gets its turn. So a machine on
   * which all threads wait for the processor does not count as idle, and a stalled machine does not
   * count as restless. A state that never settles fails the test.
   */
  private void settle(double seconds) throws RestApi.Refused, IOException, InterruptedException {
    Set<String> last = Set.of();
    String revision = "";
    long polls = (long) Math.ceil(seconds / POLL_SECONDS);
    long left = (long) (LONGEST_SETTLE / POLL_SECONDS);
    for (long quiet = 0; quiet < polls; quiet++) {
      if (left-- == 0) {
        throw new AssertionError(
            "no rest within " + LONGEST_SETTLE + " s; idle: " + controller.isIdle());
      }
      if (!controller.isIdle()) {
        quiet = -1;
      } else if (quiet % POLLS_PER_LIST == 0 || quiet == polls - 1) {
        String current = api.revision();
        Set<String> now = current.equals(revision) ? last : versions();
        if (!now.equals(last)) {
          quiet = -1;
        }
        revision = current;
        last = now;
      }
      LockSupport.parkNanos(BETWEEN_POLLS);
      Thread.startVirtualThread(() -> {}).join(); // runs behind all runnable threads
    }
  }

  private Set<String> versions() throws RestApi.Refused, IOException, InterruptedException {
    Set<String> versions = new HashSet<>();
    for (String kind : WATCHED) {
      for (JsonObject object : api.list(kind)) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        versions.add(
            kind
                + metadata.get("namespace")
                + metadata.get("name")
                + (kind.equals("Event") ? "" : metadata.get("resourceVersion")));
      }
    }
    return versions;
  }
}
