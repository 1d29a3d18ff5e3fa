package dev.mooring.manager.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.simulate.ControllerSimulator;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.apiserver.simulate.SimulatedController;
import dev.mooring.apiserver.simulate.StorageSimulator;
import dev.mooring.informer.Informer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.Kind;
import dev.mooring.storage.decide.Condemnation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The embedded API server with a copy of a cluster, its controllers, and simulated nodes. */
final class SimulatedCluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Set<Kind<?>> PARTLY_READ = Set.of(Kind.POD, Kind.POD_MOUNTS);

  @FunctionalInterface
  private interface Part {
    void close() throws IOException, InterruptedException;
  }

  private final EmbeddedCluster cluster;
  private final AdvancingTime time = new AdvancingTime();
  private final Path folder;
  private final NodeSimulator nodes;
  private final ControllerSimulator workloads;
  private final StorageSimulator storage;
  private final Deque<Part> parts = new ArrayDeque<>();
  private Optional<ControllerManager> manager = Optional.empty();
  private final AtomicInteger lostOwners = new AtomicInteger();

  SimulatedCluster(List<CopiedObject> objects, boolean hasSnapshots) throws IOException {
    cluster = EmbeddedCluster.start();
    folder = Files.createTempDirectory("mooring-simulate");
    parts.push(() -> Files.deleteIfExists(folder));
    parts.push(cluster::close);
    parts.push(time::close);
    if (hasSnapshots) {
      SnapshotResources.install(cluster.handlers());
      SnapshotResources.installGroups(cluster.handlers());
    }
    try {
      load(objects);
    } catch (IOException e) {
      close();
      throw e;
    }
    nodes = NodeSimulator.adoptAll(cluster.handlers());
    workloads =
        ControllerSimulator.start(cluster.handlers(), EnumSet.allOf(SimulatedController.class), "");
    storage = StorageSimulator.start(cluster.handlers());
    parts.push(nodes::close);
    parts.push(workloads::close);
    parts.push(storage::close);
  }

  ObjectHandlers handlers() {
    return cluster.handlers();
  }

  AdvancingTime time() {
    return time;
  }

  StorageSimulator storage() {
    return storage;
  }

  int lostOwners() {
    return lostOwners.get();
  }

  long writes() {
    return cluster.store().version();
  }

  // Objects of a cluster keep uid and status; manifests are created like those of users.
  private void load(List<CopiedObject> objects) throws IOException {
    Set<String> uids =
        objects.parallelStream()
            .filter(CopiedObject::isOfCluster)
            .map(CopiedObject::uid)
            .collect(Collectors.toSet());
    List<JsonObject> trees =
        objects.parallelStream().map(object -> makeTree(object, uids)).toList();
    for (int i = 0; i < trees.size(); i++) {
      CopiedObject object = objects.get(i);
      JsonObject tree = trees.get(i);
      if (object.isOfCluster()) {
        handlers()
            .store(object.type())
            .<RuntimeException>write(
                ObjectHandlers.makeKey(object.type(), object.namespace(), object.name()),
                current -> tree);
      } else {
        create(object, tree);
      }
    }
  }

  private JsonObject makeTree(CopiedObject object, Set<String> uids) {
    JsonObject tree = object.isOfCluster() ? object.makeStorableTree() : object.tree().deepCopy();
    dropDelay(object, tree);
    if (object.isOfCluster()) {
      dropLostOwners(tree, uids);
    }
    return tree;
  }

  private void create(CopiedObject object, JsonObject tree) throws IOException {
    ObjectHandlers handlers = handlers();
    try {
      requireNamespace(object.namespace());
      if (handlers
              .store(object.type())
              .get(ObjectHandlers.makeKey(object.type(), object.namespace(), object.name()))
          == null) {
        handlers.create(object.type(), object.namespace(), tree, WriteOptions.PLAIN);
      }
      if (object.tree().get("status") instanceof JsonObject status
          && object.type().subresources().contains("status")) {
        handlers.update(
            object.type(),
            object.namespace(),
            object.name(),
            WriteOptions.STATUS,
            current -> {
              current.add("status", status.deepCopy());
              return current;
            });
      }
    } catch (StatusException e) {
      throw new IOException(
          "%s: %s is invalid: %s: correct the manifest"
              .formatted(object.origin(), object.title(), e.getMessage()),
          e);
    }
  }

  // the report names data that is lost later, as with volumes
  private static void dropDelay(CopiedObject object, JsonObject tree) {
    if (CopiedKinds.snapshots().contains(object.type())
        && valueAt(tree, "metadata", "annotations") instanceof JsonObject annotations) {
      annotations.remove(Condemnation.DELAY);
    }
  }

  private void requireNamespace(String name) throws StatusException {
    if (!name.isEmpty() && handlers().store(KindCatalogue.NAMESPACES).get(name) == null) {
      JsonObject metadata = new JsonObject();
      metadata.addProperty("name", name);
      JsonObject namespace = new JsonObject();
      namespace.add("metadata", metadata);
      handlers().create(KindCatalogue.NAMESPACES, "", namespace, WriteOptions.PLAIN);
    }
  }

  private void dropLostOwners(JsonObject tree, Set<String> uids) {
    JsonObject metadata = tree.getAsJsonObject("metadata");
    if (metadata.get("ownerReferences") instanceof JsonArray owners) {
      JsonArray present = new JsonArray();
      for (JsonElement owner : owners) {
        if (uids.contains(textAt(owner.getAsJsonObject(), "uid"))) {
          present.add(owner);
        }
      }
      if (present.size() < owners.size()) {
        lostOwners.incrementAndGet();
        metadata.add("ownerReferences", present);
      }
    }
  }

  KubeConnection connect() throws IOException {
    return cluster.connect();
  }

  PluginRegistry.Config noPlugins() {
    return new PluginRegistry.Config(
        folder.resolve("none"), Map.of(), PluginRegistry.DEADLINE, null, false);
  }

  void startControllers(ManagerConfig config) throws IOException, InterruptedException {
    stopControllers();
    ControllerManager started =
        new ControllerManager(
            config, connect(), PluginRegistry.read(noPlugins()), Optional.of(time));
    manager = Optional.of(started);
    started.start();
  }

  private void stopControllers() throws InterruptedException {
    if (manager.isPresent()) {
      manager.get().stop();
      manager = Optional.empty();
    }
  }

  /**
   * Waits until no controller and no simulated part has work that is due.
   *
   * @throws IOException if they do not become idle
   */
  void settle() throws IOException, InterruptedException {
    if (!cluster.awaitRest(LIMIT, this::isAtRest, () -> false)) {
      throw new IOException(
          "the controllers of the copied cluster are still busy after %s minutes: simulate fewer objects"
              .formatted(LIMIT.toMinutes()));
    }
  }

  private boolean isAtRest() {
    return nodes.isAtRest()
        && workloads.isAtRest()
        && storage.isAtRest()
        && manager.map(cluster::isAtRest).orElse(true);
  }

  // the controllers read only pods that use volumes
  Map<Kind<?>, Informer<?>> completeCaches() {
    return manager.stream()
        .flatMap(reader -> reader.controllers().informers().stream())
        .filter(informer -> informer.isSynced() && !PARTLY_READ.contains(informer.kind()))
        .collect(Collectors.toMap(Informer::kind, informer -> informer, (one, other) -> one));
  }

  void advance(Duration duration) {
    cluster.advanceClock(duration);
    time.advance(duration);
  }

  @Override
  public void close() throws IOException {
    try {
      stopControllers();
      while (!parts.isEmpty()) {
        parts.pop().close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
