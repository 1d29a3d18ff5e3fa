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
 * An API server, simulated nodes with the reference driver, and the driver's volumes. The methods
 * perform operations of users, which create, expand, modify and delete claims and pods.
 */
final class CsiCluster implements AutoCloseable {
  static final String DRIVER = "csi.example.com";
  private static final Set<String> IDENTIFICATION_CALLS =
      Set.of("Probe", "GetPluginInfo", "GetPluginCapabilities", "ControllerGetCapabilities");
  static final Settings ALL_CAPABILITIES =
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
  private final RegisteredDriver registeredDriver;
  private final VolumeStore store;
  private final ApiServer server;
  private final NodeSimulator nodeSimulator;
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
    /** Returns the reference driver. With {@code zones}, each node is in a separate zone. */
    static RegisteredDriver reference(boolean zones) {
      return new RegisteredDriver(
          DRIVER,
          number -> "id-" + number,
          number -> zones ? Map.of("zone", "z" + number) : Map.of());
    }
  }

  /** Creates {@code nodeCount} nodes, each in a separate zone if {@code zones} is set. */
  CsiCluster(Path folder, int nodeCount, boolean zones) throws Exception {
    this(folder, nodeCount, RegisteredDriver.reference(zones));
  }

  CsiCluster(Path folder, int nodeCount, RegisteredDriver registeredDriver) throws Exception {
    this(folder, nodeCount, registeredDriver, ApiServer.ServerOptions.DEFAULTS);
  }

  CsiCluster(
      Path folder, int nodeCount, RegisteredDriver registeredDriver, ApiServer.ServerOptions config)
      throws Exception {
    this.folder = folder;
    this.registeredDriver = registeredDriver;
    this.store = new VolumeStore(Files.createDirectory(folder.resolve("store")));
    this.server = ApiServer.start(config);
    this.handlers = server.handlers();
    this.nodeSimulator = NodeSimulator.start(handlers, nodeCount);
    Files.writeString(kubeconfig(), server.kubeconfig());
    for (int number = 1; number <= nodeCount; number++) {
      addNode(number);
    }
    createClass("now", "Immediate");
    createClass("later", "WaitForFirstConsumer");
  }

  private void addNode(int number) throws StatusException {
    Map<String, String> topology = registeredDriver.topology().apply(number);
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
            .formatted(
                number, registeredDriver.driver(), registeredDriver.nodeId().apply(number), keys));
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
    return endpointFlag(registeredDriver.driver());
  }

  String endpointFlag(String driver) {
    return "--csi-endpoint=" + driver + "=unix://" + socket();
  }

  /**
   * Creates a manager for this cluster, with the plugins for CSI drivers, but does not start it.
   */
  ControllerManager createManager(List<String> flags) throws Exception {
    return RunFlags.manager(
        flags, Resources.hostBridge(), KubeConnection.ofFiles(List.of(kubeconfig()), "", "test"));
  }

  void addDriverToNodes(String driver) throws StatusException {
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
                .add(parseJson("{\"name\": \"" + driver + "\", \"nodeID\": \"id-" + name + "\"}"));
            return tree;
          });
    }
  }

  ReferenceDriver startDriver(Settings settings) throws IOException {
    return new ReferenceDriver(socket(), store, settings);
  }

  /**
   * Returns a random fault or none. Identification calls fail less often, because four consecutive
   * calls must succeed.
   */
  static Fault randomFault(String method, Random random) {
    synchronized (random) {
      if (IDENTIFICATION_CALLS.contains(method) && random.nextInt(4) > 0) {
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

  private static JsonObject parseJson(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  void create(ResourceType type, String json) throws StatusException {
    handlers.create(type, type.namespaced() ? "default" : "", parseJson(json), WriteOptions.PLAIN);
  }

  private void createClass(String name, String bindingMode) throws StatusException {
    create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "%s"}, "provisioner": "%s", "volumeBindingMode": "%s", "reclaimPolicy": "Delete", "allowVolumeExpansion": true, "parameters": {"tier": "fast", "csi.storage.k8s.io/fstype": "xfs"}}
        """
            .formatted(name, registeredDriver.driver(), bindingMode));
  }

  void createAttributesClass(String name, String iops) throws StatusException {
    create(
        KindCatalogue.ATTRIBUTES_CLASSES,
        """
        {"metadata": {"name": "%s"}, "driverName": "%s", "parameters": {"iops": "%s"}}
        """
            .formatted(name, registeredDriver.driver(), iops));
  }

  void createClaim(String name, String className) throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "1Gi"}}}}
        """
            .formatted(name, className));
  }

  void createPod(String name, String claim) throws StatusException {
    create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "%s"}}]}}
        """
            .formatted(name, claim));
  }

  void expandClaim(String claim, String size) throws StatusException {
    updateSpec(
        claim,
        spec ->
            spec.getAsJsonObject("resources")
                .getAsJsonObject("requests")
                .addProperty("storage", size));
  }

  void setAttributesClass(String claim, String attributesClass) throws StatusException {
    updateSpec(claim, spec -> spec.addProperty("volumeAttributesClassName", attributesClass));
  }

  private void updateSpec(String claim, Consumer<JsonObject> specChange) throws StatusException {
    handlers.update(
        KindCatalogue.CLAIMS,
        "default",
        claim,
        WriteOptions.PLAIN,
        tree -> {
          specChange.accept(tree.getAsJsonObject("spec"));
          return tree;
        });
  }

  void delete(ResourceType type, String name) throws StatusException {
    handlers.delete(type, type.namespaced() ? "default" : "", name, WriteOptions.PLAIN);
  }

  Optional<JsonObject> find(ResourceType type, String name) {
    return Optional.ofNullable(
            handlers.store(type).get(type.namespaced() ? "default/" + name : name))
        .map(StoredObject::tree);
  }

  /** Returns any object of the type. */
  JsonObject anyObject(ResourceType type) {
    return handlers.store(type).list("").objects().iterator().next().tree();
  }

  boolean isEmpty(ResourceType type) {
    return handlers.store(type).list("").objects().isEmpty();
  }

  /** Counts the objects with the text at a path. */
  long countObjects(ResourceType type, String text, String... path) {
    return handlers.store(type).list("").objects().stream()
        .filter(object -> JsonBodies.textAt(object.tree(), path).equals(text))
        .count();
  }

  /** Counts the claims with the size. */
  long countClaims(String size) {
    return countObjects(KindCatalogue.CLAIMS, size, "status", "capacity", "storage");
  }

  long countInPhase(ResourceType type, String phase) {
    return countObjects(type, phase, "status", "phase");
  }

  void await(String description, BooleanSupplier condition) {
    TestWait.until(
        () -> description + "; current objects: " + describeObjects(), condition::getAsBoolean);
  }

  /** File to which controllers write their audit log if enabled. */
  Path auditLog() {
    return folder.resolve("audit.jsonl");
  }

  /** Describes the remaining volumes and attachments, and all recorded events of these objects. */
  String describeLeftovers() throws IOException {
    StringBuilder text = new StringBuilder();
    Set<String> searchTexts = new TreeSet<>();
    for (VolumeStore.Item volume : store.listVolumes()) {
      text.append("\nleft: ").append(volume);
      searchTexts.add(volume.id());
      searchTexts.add(volume.name());
    }
    for (ResourceType type :
        List.of(KindCatalogue.CLAIMS, KindCatalogue.VOLUMES, KindCatalogue.ATTACHMENTS)) {
      for (StoredObject object : handlers.store(type).list("").objects()) {
        text.append("\nleft: ").append(object.tree());
        searchTexts.add(JsonBodies.textAt(object.tree(), "metadata", "name"));
        searchTexts.add(JsonBodies.textAt(object.tree(), "spec", "source", "persistentVolumeName"));
      }
    }
    searchTexts.remove("");
    store.happened(searchTexts).forEach(line -> text.append('\n').append(line));
    for (int i = 9; i >= 0; i--) {
      Path file = Path.of(auditLog() + (i == 0 ? "" : "." + i));
      if (Files.exists(file)) {
        try (Stream<String> lines = Files.lines(file)) {
          lines
              .filter(line -> searchTexts.stream().anyMatch(line::contains))
              .forEach(line -> text.append('\n').append(line));
        }
      }
    }
    return text.toString();
  }

  /** Describes the current objects for a failure message. */
  String describeObjects() {
    StringBuilder text = new StringBuilder(store.listVolumes().toString());
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
          .forEach(object -> text.append('\n').append(object.tree()));
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    nodeSimulator.close();
    server.close();
  }
}
