package dev.mooring.it.csi;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.reference.Fault;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.ReferenceDriver.Settings;
import dev.mooring.reference.VolumeStore;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.testkit.TestWait;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * An API server, simulated nodes with the reference driver, the driver's volumes, and operations of
 * users: create claims and pods, expand and modify claims, delete both.
 */
final class CsiCluster implements AutoCloseable {
  static final String DRIVER = "csi.example.com";
  private static final Set<String> INTRODUCTION =
      Set.of("Probe", "GetPluginInfo", "GetPluginCapabilities", "ControllerGetCapabilities");
  static final Settings ABLE =
      Settings.of(
          DRIVER,
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
          DriverCapability.EXPAND_VOLUME,
          DriverCapability.LIST_VOLUMES,
          DriverCapability.LIST_VOLUMES_PUBLISHED_NODES);

  private final Path folder;
  private final RegisteredDriver known;
  private final VolumeStore store;
  private final ApiServer server;
  private final NodeSimulator nodes;
  private final ObjectHandlers handlers;

  /**
   * The driver as registered on nodes.
   *
   * @param driver its name
   * @param nodeId returns a node's id for its number
   * @param topology returns a node's topology labels for its number
   */
  record RegisteredDriver(
      String driver, IntFunction<String> nodeId, IntFunction<Map<String, String>> topology) {
    /** The reference driver; with {@code zones}, each node is in a zone of its own. */
    static RegisteredDriver reference(boolean zones) {
      return new RegisteredDriver(
          DRIVER,
          number -> "id-" + number,
          number -> zones ? Map.of("zone", "z" + number) : Map.of());
    }
  }

  /** Creates {@code count} nodes, each in its own zone if {@code zones} is set. */
  CsiCluster(Path folder, int count, boolean zones) throws Exception {
    this(folder, count, RegisteredDriver.reference(zones));
  }

  CsiCluster(Path folder, int count, RegisteredDriver known) throws Exception {
    this(folder, count, known, ApiServer.ServerOptions.DEFAULTS);
  }

  CsiCluster(Path folder, int count, RegisteredDriver known, ApiServer.ServerOptions config)
      throws Exception {
    this.folder = folder;
    this.known = known;
    this.store = new VolumeStore(Files.createDirectory(folder.resolve("store")));
    this.server = ApiServer.start(config);
    this.handlers = server.handlers();
    this.nodes = NodeSimulator.start(handlers, count);
    Files.writeString(kubeconfig(), server.kubeconfig());
    for (int i = 1; i <= count; i++) {
      addNode(i);
    }
    classNamed("now", "Immediate");
    classNamed("later", "WaitForFirstConsumer");
  }

  private void addNode(int number) throws StatusException {
    Map<String, String> topology = known.topology().apply(number);
    JsonObject labels = new JsonObject();
    topology.forEach(labels::addProperty);
    handlers.update(
        KindCatalogue.NODES,
        "",
        "node-" + number,
        WriteOptions.PLAIN,
        node -> {
          node.getAsJsonObject("metadata").add("labels", labels);
          return node;
        });
    JsonArray keys = new JsonArray();
    topology.keySet().forEach(keys::add);
    create(
        KindCatalogue.CSI_NODES,
        """
        {"metadata": {"name": "node-%d"}, "spec": {"drivers": [{"name": "%s", "nodeID": "%s", "topologyKeys": %s}]}}
        """
            .formatted(number, known.driver(), known.nodeId().apply(number), keys));
  }

  VolumeStore store() {
    return store;
  }

  ObjectHandlers handlers() {
    return handlers;
  }

  ApiServer server() {
    return server;
  }

  String url() {
    return server.url();
  }

  Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  Path socket() {
    return folder.resolve("csi.sock");
  }

  String endpointFlag() {
    return endpointFlag(known.driver());
  }

  String endpointFlag(String driver) {
    return "--csi-endpoint=" + driver + "=unix://" + socket();
  }

  /**
   * Creates a manager for this cluster, with the plugins for CSI drivers, but does not start it.
   */
  ControllerManager manager(List<String> flags) throws Exception {
    return RunFlags.manager(
        flags, Resources.csiPlugins(), KubeConnection.ofFiles(List.of(kubeconfig()), "", "test"));
  }

  void runs(String driver) throws StatusException {
    for (StoredObject node : handlers.store(KindCatalogue.CSI_NODES).list("").objects()) {
      String name = JsonBodies.textAt(node.tree(), "metadata", "name");
      handlers.update(
          KindCatalogue.CSI_NODES,
          "",
          name,
          WriteOptions.PLAIN,
          tree -> {
            tree.getAsJsonObject("spec")
                .getAsJsonArray("drivers")
                .add(parsed("{\"name\": \"" + driver + "\", \"nodeID\": \"id-" + name + "\"}"));
            return tree;
          });
    }
  }

  ReferenceDriver driver(Settings settings) throws IOException {
    return new ReferenceDriver(socket(), store, settings);
  }

  /**
   * Returns a random fault or none. Identification calls fail less often, because four of them must
   * succeed in a row.
   */
  static Fault fault(String method, Random random) {
    synchronized (random) {
      if (INTRODUCTION.contains(method) && random.nextInt(4) > 0) {
        return Fault.NONE;
      }
      return switch (random.nextInt(8)) {
        case 0 -> new Fault.Refused(Status.Code.INTERNAL);
        case 1 -> new Fault.Refused(Status.Code.ABORTED);
        case 2 -> new Fault.Lost(Status.Code.DEADLINE_EXCEEDED);
        case 3 -> new Fault.Lost(Status.Code.UNAVAILABLE);
        case 4 -> new Fault.Slow(random.nextInt(700));
        default -> Fault.NONE;
      };
    }
  }

  private static JsonObject parsed(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  void create(ResourceType type, String json) throws StatusException {
    handlers.create(type, type.namespaced() ? "default" : "", parsed(json), WriteOptions.PLAIN);
  }

  private void classNamed(String name, String mode) throws StatusException {
    create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "%s"}, "provisioner": "%s", "volumeBindingMode": "%s", "reclaimPolicy": "Delete", "allowVolumeExpansion": true, "parameters": {"tier": "fast", "csi.storage.k8s.io/fstype": "xfs"}}
        """
            .formatted(name, known.driver(), mode));
  }

  void attributesClass(String name, String iops) throws StatusException {
    create(
        KindCatalogue.ATTRIBUTES_CLASSES,
        """
        {"metadata": {"name": "%s"}, "driverName": "%s", "parameters": {"iops": "%s"}}
        """
            .formatted(name, known.driver(), iops));
  }

  void claim(String name, String className) throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className));
  }

  void pod(String name, String claim) throws StatusException {
    create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%s"}}]}}
        """
            .formatted(name, claim));
  }

  void grow(String claim, String size) throws StatusException {
    change(
        claim,
        spec ->
            spec.getAsJsonObject("resources")
                .getAsJsonObject("requests")
                .addProperty("storage", size));
  }

  void modify(String claim, String attributesClass) throws StatusException {
    change(claim, spec -> spec.addProperty("volumeAttributesClassName", attributesClass));
  }

  private void change(String claim, Consumer<JsonObject> change) throws StatusException {
    handlers.update(
        KindCatalogue.CLAIMS,
        "default",
        claim,
        WriteOptions.PLAIN,
        tree -> {
          change.accept(tree.getAsJsonObject("spec"));
          return tree;
        });
  }

  void delete(ResourceType type, String name) throws StatusException {
    handlers.delete(type, type.namespaced() ? "default" : "", name, WriteOptions.PLAIN);
  }

  Optional<JsonObject> get(ResourceType type, String name) {
    return Optional.ofNullable(
            handlers.store(type).get(type.namespaced() ? "default/" + name : name))
        .map(StoredObject::tree);
  }

  /** Returns the only object of that kind, or an arbitrary one. */
  JsonObject one(ResourceType type) {
    return handlers.store(type).list("").objects().iterator().next().tree();
  }

  boolean isEmpty(ResourceType type) {
    return handlers.store(type).list("").objects().isEmpty();
  }

  /** Counts the objects that have this text at a path. */
  long countWith(ResourceType type, String text, String... path) {
    return handlers.store(type).list("").objects().stream()
        .filter(o -> JsonBodies.textAt(o.tree(), path).equals(text))
        .count();
  }

  /** Counts the claims of that size. */
  long countOfSize(String size) {
    return countWith(KindCatalogue.CLAIMS, size, "status", "capacity", "storage");
  }

  long inPhase(ResourceType type, String phase) {
    return countWith(type, phase, "status", "phase");
  }

  void until(String description, BooleanSupplier condition) {
    TestWait.until(() -> description + "; there is " + state(), condition::getAsBoolean);
  }

  /** File to which controllers write their audit log if enabled. */
  Path audit() {
    return folder.resolve("audit.jsonl");
  }

  /** Describes the remaining volumes and attachments and everything that happened to them. */
  String describeLeftovers() throws IOException {
    StringBuilder story = new StringBuilder();
    Set<String> words = new TreeSet<>();
    for (VolumeStore.Item item : store.listVolumes()) {
      story.append("\nleft: ").append(item);
      words.add(item.id());
      words.add(item.name());
    }
    for (ResourceType type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.ATTACHMENTS)) {
      for (StoredObject object : handlers.store(type).list("").objects()) {
        story.append("\nleft: ").append(object.tree());
        words.add(JsonBodies.textAt(object.tree(), "metadata", "name"));
        words.add(JsonBodies.textAt(object.tree(), "spec", "source", "persistentVolumeName"));
      }
    }
    words.remove("");
    store.happened(words).forEach(line -> story.append('\n').append(line));
    for (int i = 9; i >= 0; i--) {
      Path file = Path.of(audit() + (i == 0 ? "" : "." + i));
      if (Files.exists(file)) {
        try (Stream<String> lines = Files.lines(file)) {
          lines
              .filter(line -> words.stream().anyMatch(line::contains))
              .forEach(line -> story.append('\n').append(line));
        }
      }
    }
    return story.toString();
  }

  /** Dumps the current objects for a failure message. */
  String state() {
    StringBuilder all = new StringBuilder(store.listVolumes().toString());
    List<ResourceType> types =
        new ArrayList<>(
            List.of(
                KindCatalogue.CLAIMS,
                KindCatalogue.VOLUMES,
                KindCatalogue.ATTACHMENTS,
                KindCatalogue.CAPACITIES,
                KindCatalogue.EVENTS));
    SnapshotResources.findType(handlers, "volumesnapshots").ifPresent(types::add);
    SnapshotResources.findType(handlers, "volumesnapshotcontents").ifPresent(types::add);
    SnapshotResources.findType(handlers, "volumegroupsnapshots").ifPresent(types::add);
    SnapshotResources.findType(handlers, "volumegroupsnapshotcontents").ifPresent(types::add);
    for (ResourceType type : types) {
      handlers.store(type).list("").objects().stream()
          .sorted(Comparator.comparingLong(StoredObject::version).reversed())
          .limit(20)
          .forEach(o -> all.append('\n').append(o.tree()));
    }
    return all.toString();
  }

  @Override
  public void close() throws IOException {
    nodes.close();
    server.close();
  }
}
