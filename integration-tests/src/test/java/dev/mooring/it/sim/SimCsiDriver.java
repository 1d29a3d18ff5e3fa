package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.csi.CsiConfig;
import dev.mooring.it.sim.SimNodes.NodeVolume;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.spi.csi.VolumeAccess;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * CSI driver of a {@link AllControllersWorkload}, as one process reaches it. It runs one call per
 * volume at a time, and finishes calls that the caller has given up. It publishes a volume to as
 * many nodes as requested: the controllers must keep exclusive volumes on one node.
 *
 * <p>Invariant: a volume is published only if an attachment and the volume itself have the
 * attacher's finalizer. It is unpublished only if its attachment is deleted or not attached.
 */
final class SimCsiDriver implements CsiConnection {
  static final String NAME = "driven";

  /** Prefix of the names of its volumes. */
  static final String PREFIX = "csi-";

  /** Prefix of a volume's unique name in node statuses. */
  static final String UNIQUE = "kubernetes.io/csi/" + NAME + "^";

  static final DriverNames NAMES =
      DriverNames.OF_VOLUMES.with(PREFIX.substring(0, PREFIX.length() - 1), -1);

  private static final Duration MAX_BACKOFF = CsiConfig.Calls.DEFAULTS.maxRetryDelay();
  private static final String NODE_ID_PREFIX = "id-";

  /** Time after which a caller gives up. */
  private static final Duration TIMEOUT = CsiConfig.Calls.DEFAULTS.timeout();

  /** The external attacher's finalizer on objects that it may have published. */
  private static final String PUBLISHED = "external-attacher/" + NAME;

  private static final Set<DriverCapability> ALWAYS =
      EnumSet.of(
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.PUBLISH_UNPUBLISH_VOLUME,
          DriverCapability.EXPAND_VOLUME);

  /**
   * Capabilities of a driver that lists where its volumes are published, so that the controller
   * finds and repairs differences.
   */
  private static final Set<DriverCapability> LISTING =
      EnumSet.of(DriverCapability.LIST_VOLUMES, DriverCapability.LIST_VOLUMES_PUBLISHED_NODES);

  private final Simulation simulation;
  private final SimServer server;
  private final SimStorage storage;
  private final Object process;
  private final boolean listsPublications;

  /**
   * Creates the driver as one process reaches it.
   *
   * @param listsPublications whether the driver lists where its volumes are published
   */
  SimCsiDriver(
      Simulation simulation, SimStorage storage, Object process, boolean listsPublications) {
    this.simulation = simulation;
    this.server = simulation.server();
    this.storage = storage;
    this.process = process;
    this.listsPublications = listsPublications;
  }

  /** Returns the driver with its configuration. */
  SimDriverModule.Driver asDriver() {
    return new SimDriverModule.Driver(
        NAME, NAMES, MAX_BACKOFF, false, false, false, this, () -> {});
  }

  /** Returns the duration of the next call in nanoseconds; 0 in three of four calls. */
  private long randomNanos() {
    Random random = simulation.random();
    return simulation.areFaultsOver() || random.nextInt(4) > 0
        ? 0
        : (1 + random.nextInt(40)) * 1_000_000_000L;
  }

  /** Installs the driver on all present and future nodes. */
  static void install(SimServer server, SimNodes nodes) {
    server.create(
        Kind.CSI_DRIVER, "", "{'metadata':{'name':'" + NAME + "'},'spec':{'attachRequired':true}}");
    nodes.setCallbacks(
        node ->
            server.create(
                Kind.CSI_NODE,
                "",
                "{'metadata':{'name':'%s'},'spec':{'drivers':[{'name':'%s','nodeID':'%s%s'}]}}"
                    .formatted(node, NAME, NODE_ID_PREFIX, node)),
        node -> server.deleteNow(Kind.CSI_NODE, ObjectKey.cluster(node)));
  }

  private <T> DriverReply<T> call(Supplier<DriverReply<T>> work) {
    return storage.call(work, () -> rejected(simulation.pick(CsiCallOutcome.OPEN), "no response"));
  }

  /**
   * Makes a call that changes storage. The simulation counts it as a request, so that it finds
   * calls at rest.
   */
  private <T> DriverReply<T> change(String action, String volume, Supplier<DriverReply<T>> work) {
    simulation.countRequest("driver: " + action + " " + volume);
    return call(() -> {
      if (storage.isBusy(volume)) {
        return rejected(StatusCode.ABORTED, "another call is running");
      }
      long nanos = randomNanos();
      return nanos == 0 ? work.get() : callSlowly(action + " " + volume, volume, nanos, work);
    });
  }

  /** Makes a slow call. The driver finishes it even if the caller gives up. */
  private <T> DriverReply<T> callSlowly(
      String action, String volume, long nanos, Supplier<DriverReply<T>> work) {
    List<DriverReply<T>> answer = new ArrayList<>();
    storage.startSlowCall(volume);
    simulation.addToHistory("driver: slow call: " + action);
    simulation
        .clock()
        .forProcess(storage)
        .schedule(
            Duration.ofNanos(nanos),
            () -> {
              answer.add(work.get());
              storage.endSlowCall(volume);
            });
    simulation.yieldWhile(answer::isEmpty, Math.min(nanos, TIMEOUT.toNanos()));
    return answer.isEmpty()
        ? rejected(StatusCode.DEADLINE_EXCEEDED, "the call takes too long")
        : answer.getFirst();
  }

  private static <T> DriverReply<T> rejected(StatusCode code, String message) {
    return new DriverReply.Refused<>(code, message);
  }

  @Override
  public DriverReply<Boolean> probe() {
    return call(() -> new DriverReply.Ok<>(true));
  }

  @Override
  public DriverReply<DriverIdentity> identify() {
    Set<DriverCapability> abilities = EnumSet.copyOf(ALWAYS);
    if (listsPublications) {
      abilities.addAll(LISTING);
    }
    return call(() -> new DriverReply.Ok<>(new DriverIdentity(NAME, "v1", abilities)));
  }

  @Override
  public DriverReply<CsiVolume> createVolume(CreateVolume request) {
    return change(
        "create",
        request.name(),
        () -> {
          SimStorage.StoredVolume item =
              storage.volumes().computeIfAbsent(request.name(), none -> newVolume(request));
          if (item.size < request.requiredBytes()) {
            return rejected(StatusCode.ALREADY_EXISTS, "the volume is too small");
          }
          return new DriverReply.Ok<>(
              new CsiVolume(request.name(), item.size, Map.of(), false, List.of()));
        });
  }

  private SimStorage.StoredVolume newVolume(CreateVolume request) {
    Claim claim =
        server.list(Kind.CLAIM).stream()
            .filter(c -> DriverNames.isOf(c.meta().uid(), request.name()))
            .findFirst()
            .orElse(null);
    verify(claim != null, request.name() + " is created for a claim that does not exist");
    boolean shared =
        request.accesses().stream()
            .anyMatch(access -> access.mode() == VolumeAccess.Mode.MULTI_NODE_MULTI_WRITER);
    return new SimStorage.StoredVolume(
        claim.key(), claim.meta().uid(), process, shared, request.requiredBytes());
  }

  @Override
  public DriverReply<Done> deleteVolume(String volumeId, DriverSecrets secrets) {
    return change(
        "delete",
        volumeId,
        () -> {
          if (storage.isUsed(volumeId)) {
            return rejected(StatusCode.FAILED_PRECONDITION, volumeId + " is in use");
          }
          storage.destroy(volumeId);
          return new DriverReply.Ok<>(new Done());
        });
  }

  private List<Attachment> attachments(NodeVolume nodeVolume) {
    return server.list(Kind.ATTACHMENT).stream()
        .filter(a ->
            a.nodeName().equals(nodeVolume.node()) && a.volumeName().equals(nodeVolume.handle()))
        .toList();
  }

  private static NodeVolume nodeVolume(String volumeId, String nodeId) {
    return new NodeVolume(nodeId.substring(NODE_ID_PREFIX.length()), volumeId);
  }

  @Override
  public DriverReply<Map<String, String>> publish(PublishRequest request) {
    NodeVolume nodeVolume = nodeVolume(request.volumeId(), request.nodeId());
    return change(
        "publish on " + nodeVolume.node() + ",",
        nodeVolume.handle(),
        () -> {
          if (!storage.volumes().containsKey(nodeVolume.handle())) {
            return rejected(StatusCode.NOT_FOUND, "volume not found");
          }
          verify(
              attachments(nodeVolume).stream()
                  .anyMatch(a -> a.meta().finalizers().contains(PUBLISHED)),
              nodeVolume + " is published without an attachment");
          Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(nodeVolume.handle()));
          verify(
              volume != null && volume.finalizers().contains(PUBLISHED),
              nodeVolume + " is published without a finalizer on " + volume);
          storage.publish(nodeVolume);
          return new DriverReply.Ok<>(Map.of());
        });
  }

  @Override
  public DriverReply<Done> unpublish(String volumeId, String nodeId, DriverSecrets secrets) {
    NodeVolume nodeVolume = nodeVolume(volumeId, nodeId);
    return change(
        "unpublish on " + nodeVolume.node() + ",",
        nodeVolume.handle(),
        () -> {
          verify(
              attachments(nodeVolume).stream()
                  .allMatch(a -> a.meta().isBeingDeleted() || !a.attached()),
              nodeVolume + " is unpublished although its attachment stays");
          storage.unpublish(nodeVolume);
          return new DriverReply.Ok<>(new Done());
        });
  }

  @Override
  public DriverReply<Expanded> expand(ExpandRequest request) {
    return change(
        "expand",
        request.volumeId(),
        () -> {
          SimStorage.StoredVolume item = storage.volumes().get(request.volumeId());
          if (item == null) {
            return rejected(StatusCode.NOT_FOUND, "volume not found");
          }
          if (storage.rejectsExpansion(request.volumeId())) {
            storage.countRejection();
            return rejected(StatusCode.FAILED_PRECONDITION, request.volumeId() + " is in use");
          }
          storage.expandTo(item, request.requiredBytes());
          return new DriverReply.Ok<>(new Expanded(item.size, false));
        });
  }

  @Override
  public DriverReply<Map<String, ListedVolume>> listVolumes() {
    return call(() -> {
      Map<String, ListedVolume> volumesById = new LinkedHashMap<>();
      storage
          .volumes()
          .forEach((name, item) -> {
            if (name.startsWith(PREFIX)) {
              volumesById.put(name, new ListedVolume(item.size, nodes(name)));
            }
          });
      return new DriverReply.Ok<>(volumesById);
    });
  }

  private List<String> nodes(String handle) {
    return storage.published().stream()
        .filter(at -> at.handle().equals(handle))
        .map(at -> NODE_ID_PREFIX + at.node())
        .sorted()
        .toList();
  }

  @Override
  public DriverReply<Done> modify(
      String volumeId, DriverSecrets secrets, Map<String, String> parameters) {
    return rejected(StatusCode.UNIMPLEMENTED, "modify is not supported");
  }

  @Override
  public DriverReply<AvailableCapacity> getCapacity(
      Map<String, String> parameters, Map<String, String> segments) {
    return rejected(StatusCode.UNIMPLEMENTED, "capacity is not supported");
  }

  @Override
  public void close() {}
}
