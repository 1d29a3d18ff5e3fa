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
  private static final Pattern UID = Pattern.compile("\\$\\{uid:([^}]*)}");
  private static final double MAX_SETTLE_SECONDS =
      60; // sum of polls, which takes longer on a busy machine
  private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(15);
  private static final double POLL_SECONDS = 0.02; // seconds, including the cost of the poll
  private static final long POLLS_PER_LIST = 10; // other polls only check for idle controllers

  private final RestApi api;
  private final RunningController controller;
  private final double quietSeconds;
  private final List<String> observedKinds;
  private final StateSnapshots snapshots;
  private final SimulatedActors actors;
  private Runnable afterLastStep = () -> {};
  private Predicate<JsonObject> isExpectedState = snapshot -> true;
  private Consumer<String> stepListener = step -> {};
  private Consumer<JsonObject> storage = step -> {};
  private StateCheck endCheck = () -> {};
  private StateCheck beforeStartCheck = () -> {};
  private StateCheck afterStartCheck = () -> {};
  private boolean pausesDuringWrites;
  private boolean isStarted;

  /** A check of the cluster before, after or during a run of the controllers. */
  @FunctionalInterface
  interface StateCheck {
    void verify() throws Exception;
  }

  /**
   * @param quietSeconds seconds without a change that count as settled
   */
  ScenarioRun(RestApi api, RunningController controller, double quietSeconds) {
    this(api, controller, quietSeconds, List.of());
  }

  /** Adds the objects of {@code extraKinds} to the end state. */
  ScenarioRun(
      RestApi api, RunningController controller, double quietSeconds, List<String> extraKinds) {
    this.api = api;
    this.controller = controller;
    this.quietSeconds = quietSeconds;
    this.observedKinds = new ArrayList<>(StateSnapshots.KINDS);
    observedKinds.add("Event");
    observedKinds.addAll(extraKinds);
    this.snapshots = new StateSnapshots(api, extraKinds);
    this.actors = new SimulatedActors(api);
  }

  /** Sets an action after the last step, and the expected end state, for which the run waits. */
  ScenarioRun expectingEnd(Runnable afterLastStep, Predicate<JsonObject> expectedState) {
    this.afterLastStep = afterLastStep;
    isExpectedState = expectedState;
    return this;
  }

  /** Passes each step to {@code listener} before the step. */
  ScenarioRun beforeEachStep(Consumer<String> listener) {
    stepListener = listener;
    return this;
  }

  /** Passes the steps that change the driver's storage to {@code storage}. */
  ScenarioRun changingStorage(Consumer<JsonObject> storage) {
    this.storage = storage;
    return this;
  }

  /**
   * Performs {@code beforeCheck} when the objects exist but the controllers do not run, and {@code
   * afterCheck} when the started controllers are idle.
   */
  ScenarioRun aroundStarts(StateCheck beforeCheck, StateCheck afterCheck) {
    beforeStartCheck = beforeCheck;
    afterStartCheck = afterCheck;
    return this;
  }

  /** Stops the controllers for each write of the scenario. */
  ScenarioRun pausingDuringWrites() {
    pausesDuringWrites = true;
    return this;
  }

  /** Checks the cluster at the end, while the controllers still run. */
  ScenarioRun verifyingEnd(StateCheck check) {
    endCheck = check;
    return this;
  }

  JsonObject play(JsonObject scenario) throws Exception {
    List<String> flags = new ArrayList<>();
    if (scenario.get("flags") instanceof JsonArray flagList) {
      flagList.forEach(flag -> flags.add(flag.getAsString()));
    }
    try (actors) {
      if (scenario.get("objects") instanceof JsonArray objects) {
        for (JsonElement object : objects) {
          createObject(object.getAsJsonObject());
        }
      }
      startController(flags);
      if (scenario.get("steps") instanceof JsonArray steps) {
        for (JsonElement step : steps) {
          playStep(step.getAsJsonObject(), flags);
          snapshots.recordUids();
        }
      }
      awaitSettled(quietSeconds);
      JsonObject endState = takeEndState();
      endCheck.verify();
      return endState;
    } finally {
      controller.stop();
    }
  }

  private void startController(List<String> flags) throws Exception {
    beforeStartCheck.verify();
    controller.start(flags);
    isStarted = true;
    awaitSettled(quietSeconds);
    afterStartCheck.verify();
  }

  private void stopController() throws Exception {
    isStarted = false;
    controller.stop();
  }

  private JsonObject takeEndState() throws Exception {
    afterLastStep.run();
    return TestWait.lastOf(TestWait.LONGEST, snapshots::takeSnapshot, isExpectedState);
  }

  private void playStep(JsonObject step, List<String> flags) throws Exception {
    stepListener.accept(step.toString());
    Map.Entry<String, JsonElement> action = step.entrySet().iterator().next();
    JsonElement value = action.getValue();
    if (step.has("refused")) {
      try {
        performWrite(action.getKey(), value.getAsJsonObject());
      } catch (RestApi.ErrorResponse refusal) {
        return;
      }
      throw new IllegalStateException(
          "the API server accepted a step that it should refuse: " + step);
    }
    switch (action.getKey()) {
      case "create", "delete", "patch" -> {
        boolean pauses = pausesDuringWrites && isStarted;
        if (pauses) {
          stopController();
        }
        performWrite(action.getKey(), value.getAsJsonObject());
        if (pauses) {
          startController(flags);
        }
      }
      case "settle" -> awaitSettled(Math.min(value.getAsDouble(), quietSeconds));
      case "sleep" -> LockSupport.parkNanos((long) (value.getAsDouble() * 1e9));
      case "restart" -> {
        stopController();
        startController(flags);
      }
      case "stop" -> stopController();
      case "start" -> startController(flags);
      case "actor" -> actors.activate(value.getAsString(), step);
      case "idle" -> actors.deactivate(value.getAsString());
      case "wait" ->
          awaitGoal(
              value.getAsJsonObject(),
              step.has("timeout") ? step.get("timeout").getAsDouble() : 20);
      case "storage" -> storage.accept(value.getAsJsonObject());
      case "bind" -> bindPod(value.getAsJsonObject(), step.get("node").getAsString());
      default -> throw new IllegalArgumentException("unknown step " + step);
    }
  }

  private void performWrite(String verb, JsonObject value)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    if (verb.equals("create")) {
      if (isStarted && value.get("kind").getAsString().equals("StorageClass")) {
        awaitAnotherSecond();
      }
      createObject(value);
      return;
    }
    String kind = value.get("kind").getAsString();
    String namespace = RestApi.namespace(kind, value.get("namespace"));
    String name = substitute(value.get("name")).getAsString();
    if (verb.equals("delete")) {
      api.delete(kind, namespace, name, value.has("grace") ? value.get("grace").getAsLong() : -1);
    } else {
      api.patch(
          kind,
          namespace,
          name,
          value.has("sub") ? value.get("sub").getAsString() : "",
          substitute(value.get("body")).getAsJsonObject());
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

  private void createObject(JsonObject object)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    String kind = object.get("kind").getAsString();
    try {
      snapshots.recordUid(kind, api.create(substitute(object).getAsJsonObject()));
    } catch (RestApi.ErrorResponse e) {
      if (e.code() != 409 || !kind.equals("Namespace")) {
        throw e;
      }
    }
  }

  private JsonElement substitute(JsonElement value)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    if (value instanceof JsonObject object) {
      JsonObject result = new JsonObject();
      for (Map.Entry<String, JsonElement> member : object.entrySet()) {
        result.add(member.getKey(), substitute(member.getValue()));
      }
      return result;
    }
    if (value instanceof JsonArray list) {
      JsonArray result = new JsonArray();
      for (JsonElement element : list) {
        result.add(substitute(element));
      }
      return result;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isString()) {
      String text = primitive.getAsString();
      if (text.startsWith("$uid:")) {
        return new JsonPrimitive(readUid(text.substring(5)));
      }
      Matcher reference = UID.matcher(text);
      StringBuilder result = new StringBuilder();
      while (reference.find()) {
        reference.appendReplacement(result, readUid(reference.group(1)));
      }
      return new JsonPrimitive(reference.appendTail(result).toString());
    }
    return value == null ? JsonNull.INSTANCE : value;
  }

  private String readUid(String reference)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    String[] segments = reference.split("/");
    String kind = segments[0];
    String namespace =
        !RestApi.isNamespaced(kind) ? "" : segments.length == 3 ? segments[1] : "default";
    return api.get(kind, namespace, segments[segments.length - 1])
        .getAsJsonObject("metadata")
        .get("uid")
        .getAsString();
  }

  private void bindPod(JsonObject pod, String node)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
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

  /** Waits as long as the recording did. The end state shows a goal that was not reached. */
  private void awaitGoal(JsonObject goal, double seconds) throws Exception {
    TestWait.lastOf(
        Duration.ofMillis((long) (seconds * 1000)), () -> isReached(goal), reached -> reached);
  }

  private boolean isReached(JsonObject goal) throws Exception {
    String name = substitute(goal.get("name")).getAsString();
    String kind = goal.get("kind").getAsString();
    String path = goal.has("path") ? goal.get("path").getAsString() : "";
    boolean expectsAbsence = path.equals("gone");
    try {
      JsonElement value =
          lookup(
              api.get(kind, RestApi.namespace(kind, goal.get("namespace")), name),
              expectsAbsence ? "" : path);
      return !expectsAbsence && value != null && (!goal.has("is") || value.equals(goal.get("is")));
    } catch (RestApi.ErrorResponse e) {
      return e.code() == 404 && expectsAbsence;
    }
  }

  private static JsonElement lookup(JsonElement root, String path) {
    JsonElement element = root;
    for (String segment : path.isEmpty() ? new String[0] : path.split("\\.")) {
      if (element instanceof JsonObject object) {
        element = object.get(segment);
      } else if (element instanceof JsonArray list
          && segment.matches("\\d+")
          && Integer.parseInt(segment) < list.size()) {
        element = list.get(Integer.parseInt(segment));
      } else {
        return null;
      }
    }
    return element == null || element.isJsonNull() ? null : element;
  }

  /**
   * Waits until nothing changes and the controllers are idle for the duration. The method counts
   * polls instead of measuring time, and every runnable thread runs between two polls. So neither a
   * busy nor a stalled machine changes the result. A state that never settles fails the test.
   */
  private void awaitSettled(double seconds)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    Set<String> lastVersions = Set.of();
    String revision = "";
    long polls = (long) Math.ceil(seconds / POLL_SECONDS);
    long remainingPolls = (long) (MAX_SETTLE_SECONDS / POLL_SECONDS);
    for (long quietPolls = 0; quietPolls < polls; quietPolls++) {
      if (remainingPolls-- == 0) {
        throw new AssertionError(
            "not settled within " + MAX_SETTLE_SECONDS + " s; " + controller.describeActivity());
      }
      if (!controller.isIdle()) {
        quietPolls = -1;
      } else if (quietPolls % POLLS_PER_LIST == 0 || quietPolls == polls - 1) {
        String currentRevision = api.revision();
        Set<String> currentVersions =
            currentRevision.equals(revision) ? lastVersions : readVersions();
        if (!currentVersions.equals(lastVersions)) {
          quietPolls = -1;
        }
        revision = currentRevision;
        lastVersions = currentVersions;
      }
      LockSupport.parkNanos(POLL_INTERVAL);
      Thread.startVirtualThread(() -> {}).join(); // runs after all runnable threads
    }
  }

  private Set<String> readVersions()
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    Set<String> versions = new HashSet<>();
    for (String kind : observedKinds) {
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
