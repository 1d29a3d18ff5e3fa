package dev.mooring.it.sim;

import dev.mooring.csi.decide.StatusCodeMeanings;
import dev.mooring.csi.decide.StatusCodeMeanings.Call;
import dev.mooring.csi.decide.StatusCodeMeanings.Effect;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.CsiConnection.PublishRequest;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Process of the CSI driver.
 *
 * <p>Fault: it restarts, is replaced by a version with other capabilities, and finishes calls that
 * the caller has given up. It obeys two rules of the CSI specification: it answers {@code ABORTED}
 * while another call for the volume runs, and it never denies an existing snapshot. For an existing
 * volume it may answer any code.
 */
final class CsiDriverProcess {
  static final String NAME = "d";

  private static final Set<DriverCapability> ALWAYS =
      EnumSet.of(
          DriverCapability.CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_VOLUME,
          DriverCapability.PUBLISH_UNPUBLISH_VOLUME);
  private static final List<DriverCapability> OPTIONAL =
      List.of(
          DriverCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
          DriverCapability.LIST_VOLUMES,
          DriverCapability.LIST_VOLUMES_PUBLISHED_NODES,
          DriverCapability.VOLUME_CONDITION,
          DriverCapability.LIST_VOLUME_HEALTH,
          DriverCapability.GET_VOLUME_HEALTH,
          DriverCapability.GET_CAPACITY,
          DriverCapability.CLONE_VOLUME,
          DriverCapability.EXPAND_VOLUME,
          DriverCapability.MODIFY_VOLUME);

  /** Capabilities of a driver with snapshots. */
  private static final List<DriverCapability> SNAPSHOT_ABILITIES =
      List.of(
          DriverCapability.GROUP_CONTROLLER_SERVICE,
          DriverCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
          DriverCapability.CREATE_DELETE_SNAPSHOT,
          DriverCapability.LIST_SNAPSHOTS);

  /** Codes that would mean that no volume exists, if there had been no earlier call. */
  private static final List<StatusCode> NOTHING_CREATED =
      List.of(StatusCode.RESOURCE_EXHAUSTED, StatusCode.NOT_FOUND, StatusCode.ALREADY_EXISTS);

  private final Random random;
  private final Simulation simulation;
  private final CsiWorkload workload;
  private final CsiDriverStorage storage;
  private final DriverSnapshots driverSnapshots;
  private final List<DriverCapability> optional;
  private final Time time;
  private final Set<String> busy = new HashSet<>(); // names and IDs with a running call
  private int version = 1;
  private int incarnation; // incarnation of the process; slow calls of an earlier one are lost
  private EnumSet<DriverCapability> abilities;
  private boolean isDown;
  private long rejections;

  CsiDriverProcess(
      CsiWorkload workload,
      CsiDriverStorage storage,
      DriverSnapshots driverSnapshots,
      boolean withSnapshots) {

    this.workload = workload;
    this.simulation = workload.simulation();
    this.storage = storage;
    this.driverSnapshots = driverSnapshots;
    this.random = simulation.random();
    this.time = simulation.clock().forProcess(this);
    this.optional =
        Stream.concat(OPTIONAL.stream(), withSnapshots ? SNAPSHOT_ABILITIES.stream() : Stream.of())
            .toList();
    this.abilities = allAbilities();
  }

  private EnumSet<DriverCapability> allAbilities() {
    EnumSet<DriverCapability> capabilities = EnumSet.copyOf(ALWAYS);
    capabilities.addAll(optional);
    return capabilities;
  }

  DriverSnapshots snapshots() {
    return driverSnapshots;
  }

  boolean isDown() {
    return isDown;
  }

  DriverIdentity identity() {
    return new DriverIdentity(NAME, "v" + version, EnumSet.copyOf(abilities));
  }

  /** Fault: ends the driver's process and its running calls. */
  void stop() {
    isDown = true;
    incarnation++;
    busy.clear();
  }

  /** Starts the driver again, sometimes as another version. */
  void start() {
    isDown = false;
    if (random.nextBoolean()) {
      replaceVersion();
    }
  }

  /** Fault: replaces the driver with another version behind the same connection. */
  void replaceVersion() {
    version++;
    abilities = allAbilities();
    optional.forEach(a -> {
      if (random.nextInt(4) == 0) {
        abilities.remove(a);
      }
    });
  }

  /** Restores all capabilities. */
  void restoreCapabilities() {
    isDown = false;
    if (!abilities.equals(allAbilities())) {
      version++;
      abilities = allAbilities();
    }
  }

  /** A call that the driver accepted. */
  private record AcceptedRequest<T>(Call call, String key, Supplier<DriverReply<T>> work) {}

  /**
   * Makes a call that changes something, with the outcome that the schedule chooses.
   *
   * @param id the name of the object to create, or an existing ID
   * @param timeout time that the caller waits
   */
  <T> DriverReply<T> change(Call call, String id, Duration timeout, Supplier<DriverReply<T>> work) {
    String key = requestName(id);
    AcceptedRequest<T> request = new AcceptedRequest<>(call, key, work);
    if (busy.contains(key)) {
      return rejected(StatusCode.ABORTED, "another call is running");
    }
    if (call == Call.CREATE_VOLUME && isMisleadinglyRejected(key)) {
      rejections++;
      return rejected(NOTHING_CREATED.get(random.nextInt(NOTHING_CREATED.size())), "rejected");
    }
    return switch (workload.outcome(call)) {
      case CsiCallOutcome.Success _, CsiCallOutcome.WrongData _ -> work.get();
      case CsiCallOutcome.Rejected(StatusCode code) ->
          rejected(withoutDenial(request, code), "rejected");
      case CsiCallOutcome.ResponseLost(StatusCode code) -> {
        DriverReply<T> _ = work.get();
        yield rejected(code, "the response was lost");
      }
      case CsiCallOutcome.SlowCall(long nanos) -> callSlowly(request, nanos, timeout.toNanos());
    };
  }

  /**
   * Fault: returns whether to reject a volume that exists as if it did not. The caller may not know
   * that it exists.
   */
  private boolean isMisleadinglyRejected(String name) {
    return !simulation.areFaultsOver()
        && storage.findByName(name) != null
        && random.nextInt(4) == 0;
  }

  /** Returns how often an existing volume was rejected as if it did not exist. */
  long misleadingRejectionCount() {
    return rejections;
  }

  /**
   * Returns the name in the request that created the object with that ID; the ID itself if we did
   * not create it.
   */
  String requestName(String id) {
    CsiDriverStorage.StoredVolume item = storage.items.get(id);
    return item == null || item.isForeign() ? driverSnapshots.requestName(id) : item.name;
  }

  /** Replaces a code that would deny an existing snapshot. */
  private StatusCode withoutDenial(AcceptedRequest<?> request, StatusCode code) {
    boolean exists =
        switch (request.call()) {
          case CREATE_SNAPSHOT, CREATE_GROUP_SNAPSHOT -> driverSnapshots.contains(request.key());
          default -> false;
        };
    return exists && StatusCodeMeanings.of(request.call(), code).effect() == Effect.NEVER
        ? StatusCode.INTERNAL
        : code;
  }

  private <T> DriverReply<T> callSlowly(AcceptedRequest<T> request, long nanos, long timeout) {
    int startedIncarnation = incarnation;
    busy.add(request.key());
    Map<String, DriverReply<T>> reply = new LinkedHashMap<>();
    time.schedule(
        Duration.ofNanos(nanos),
        () -> {
          if (incarnation == startedIncarnation) {
            busy.remove(request.key());
            reply.put("", request.work().get());
          }
        });
    simulation.yieldWhile(
        () -> reply.isEmpty() && incarnation == startedIncarnation, Math.min(nanos, timeout));
    if (reply.isEmpty()) {
      return incarnation == startedIncarnation
          ? rejected(StatusCode.DEADLINE_EXCEEDED, "the call takes too long")
          : rejected(StatusCode.UNAVAILABLE, "the connection was lost");
    }
    return reply.get("");
  }

  static <T> DriverReply<T> rejected(StatusCode code, String message) {
    return new DriverReply.Refused<>(code, message);
  }

  DriverReply<CsiVolume> create(CreateVolume request) {
    CsiDriverStorage.StoredVolume item = storage.findByName(request.name());
    List<Map<String, String>> topology =
        request.topology() == null || request.topology().preferred().isEmpty()
            ? List.of()
            : List.of(request.topology().preferred().getFirst());
    if (item == null) {
      if (topology.stream().anyMatch(segment -> !workload.nodes().hasNode(segment.get("zone")))) {
        return rejected(StatusCode.RESOURCE_EXHAUSTED, "the zone has no storage");
      }
      workload.checks().onCreate(request.name());
      item = storage.create(request, request.requiredBytes());
      simulation.addToHistory("driver: creates " + item);
    } else if (item.bytes < request.requiredBytes()) {
      return rejected(StatusCode.ALREADY_EXISTS, "the volume is too small");
    }
    boolean isWrong = workload.outcome() instanceof CsiCallOutcome.WrongData;
    return new DriverReply.Ok<>(
        new CsiVolume(
            item.id,
            isWrong ? item.bytes / 2 : item.bytes,
            Map.of(),
            request.source() != null,
            topology));
  }

  DriverReply<Done> delete(String id) {
    CsiDriverStorage.StoredVolume item = storage.items.get(id);
    if (item == null) {
      return new DriverReply.Ok<>(new Done());
    }
    if (!item.nodes.isEmpty()) {
      return rejected(StatusCode.FAILED_PRECONDITION, "the volume is in use");
    }
    workload.checks().onDestroy(item);
    storage.destroy(id);
    simulation.addToHistory("driver: destroys " + item);
    return new DriverReply.Ok<>(new Done());
  }

  DriverReply<Map<String, String>> publish(PublishRequest request) {
    CsiDriverStorage.StoredVolume item = storage.items.get(request.volumeId());
    if (item == null) {
      return rejected(StatusCode.NOT_FOUND, "volume not found");
    }
    workload.checks().onPublish(item, request.nodeId());
    workload.checks().recordPublication(item, request.nodeId());
    if (item.nodes.add(request.nodeId())) {
      simulation.addToHistory("driver: publishes " + item);
    }
    return new DriverReply.Ok<>(Map.of("n", request.nodeId()));
  }

  DriverReply<Done> unpublish(String id, String node) {
    CsiDriverStorage.StoredVolume item = storage.items.get(id);
    if (item != null) {
      workload.checks().onUnpublish(item, node);
      if (item.nodes.remove(node)) {
        simulation.addToHistory("driver: unpublishes " + item);
      }
    }
    return new DriverReply.Ok<>(new Done());
  }

  DriverReply<Expanded> expand(String id, long bytes) {
    CsiDriverStorage.StoredVolume item = storage.items.get(id);
    if (item == null) {
      return rejected(StatusCode.NOT_FOUND, "volume not found");
    }
    item.bytes = Math.max(item.bytes, bytes);
    simulation.addToHistory("driver: expands " + item);
    return new DriverReply.Ok<>(new Expanded(item.bytes, false));
  }

  DriverReply<Done> modify(String id, Map<String, String> parameters) {
    CsiDriverStorage.StoredVolume item = storage.items.get(id);
    if (item == null) {
      return rejected(StatusCode.NOT_FOUND, "volume not found");
    }
    item.parameters = parameters;
    simulation.addToHistory("driver: changes " + item + " to " + parameters.get("iops"));
    return new DriverReply.Ok<>(new Done());
  }

  /** Returns all volumes, or some of them if the driver's list is incomplete. */
  Map<String, ListedVolume> listVolumes() {
    boolean isPartial = workload.outcome() instanceof CsiCallOutcome.WrongData;
    Map<String, ListedVolume> volumesById = new LinkedHashMap<>();
    storage
        .items
        .values()
        .forEach(item -> {
          if (!isPartial || random.nextBoolean()) {
            volumesById.put(item.id, new ListedVolume(item.bytes, List.copyOf(item.nodes)));
          }
        });
    return volumesById;
  }

  Map<String, Condition> conditions() {
    Map<String, Condition> conditionsById = new LinkedHashMap<>();
    listVolumes()
        .keySet()
        .forEach(
            id -> conditionsById.put(id, new Condition(workload.isVolumeAbnormal(), "abnormal")));
    return conditionsById;
  }
}
