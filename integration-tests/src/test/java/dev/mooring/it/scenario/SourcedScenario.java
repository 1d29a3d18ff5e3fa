package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A scenario that was written from Kubernetes' sources, with its CSI driver if it has one. */
final class SourcedScenario implements AutoCloseable {
  private static final String DRIVER = "csi.example.com";
  private static final List<String> SNAPSHOT_KINDS =
      List.of("VolumeSnapshot", "VolumeSnapshotContent");
  private static final List<String> GROUP_KINDS =
      List.of("VolumeGroupSnapshot", "VolumeGroupSnapshotContent");

  private final String name;
  private final JsonObject scenario;
  private final RestApi api;
  private final InProcessController controller;
  private final List<String> extraKinds = new ArrayList<>();
  private final VolumeStore store;
  private final Optional<ReferenceDriver> driver;

  private SourcedScenario(String name, ApiServer server, Path folder) throws Exception {
    this.name = name;
    this.scenario = Scenarios.read("scenarios/" + name + ".json");
    this.api = RestApi.of(server, "");
    this.store = new VolumeStore(Files.createDirectory(folder.resolve("store")));
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    if (scenario.get("driver") instanceof JsonObject description) {
      Path socket = folder.resolve("csi.sock");
      this.driver = Optional.of(startDriver(description, socket));
      SnapshotResources.install(server.handlers());
      extraKinds.addAll(SNAPSHOT_KINDS);
      if (text(description, "capabilities").contains("GROUP")) {
        SnapshotResources.installGroups(server.handlers());
        extraKinds.addAll(GROUP_KINDS);
      }
      this.controller =
          new InProcessController(
              kubeconfig,
              Resources.allPlugins(),
              List.of("--csi-endpoint=" + DRIVER + "=unix://" + socket, "--csi-workers=2"));
    } else {
      this.driver = Optional.empty();
      this.controller = new InProcessController(kubeconfig, Resources.plugins());
    }
  }

  /** Starts the driver and installs its kinds on the server. */
  static SourcedScenario prepare(String name, ApiServer server, Path folder) throws Exception {
    return new SourcedScenario(name, server, folder);
  }

  private ReferenceDriver startDriver(JsonObject description, Path socket) throws IOException {
    if (description.get("volumes") instanceof JsonArray ids) {
      for (JsonElement id : ids) {
        store.put(
            new VolumeStore.Item(id.getAsString(), id.getAsString(), 1L << 30, Set.of(), "", ""));
      }
    }
    DriverCapability[] capabilities =
        description.getAsJsonArray("capabilities").asList().stream()
            .map(capability -> DriverCapability.valueOf(capability.getAsString()))
            .toArray(DriverCapability[]::new);
    return new ReferenceDriver(socket, store, ReferenceDriver.Settings.of(DRIVER, capabilities));
  }

  /** Plays the scenario and returns the differences from the end state that the sources imply. */
  List<String> play(ScenarioRun.StateCheck endCheck) throws Exception {
    JsonObject expectedState = Scenarios.readEndState(name);
    JsonObject endState =
        new ScenarioRun(api, controller, ScenarioTest.QUIET_SECONDS, extraKinds)
            .changingStorage(change -> store.ail(text(change, "volume"), text(change, "problem")))
            .expectingEnd(() -> {}, state -> findDifferences(expectedState, state).isEmpty())
            .verifyingEnd(endCheck)
            .play(scenario);
    return findDifferences(expectedState, endState);
  }

  private List<String> findDifferences(JsonObject expectedState, JsonObject state) {
    return Scenarios.findDifferences(scenario, expectedState, replaceRandomValues(state));
  }

  /** Replaces names that drivers and controllers choose at random, and times in nanoseconds. */
  private static JsonObject replaceRandomValues(JsonObject state) {
    return JsonParser.parseString(
            state
                .toString()
                .replaceAll("(vol|snap|group)-[0-9a-f]{8}-[0-9a-f-]{27}", "$1-<random>")
                .replaceAll("(snapshot|snapcontent)-[0-9a-f]{64}", "$1-<digest>")
                .replaceAll("\"creationTime\":\\d+", "\"creationTime\":\"<time>\""))
        .getAsJsonObject();
  }

  private static String text(JsonObject object, String member) {
    JsonElement value = object.get(member);
    return value.isJsonPrimitive() ? value.getAsString() : value.toString();
  }

  @Override
  public void close() throws IOException {
    if (driver.isPresent()) {
      driver.get().close();
    }
  }
}
