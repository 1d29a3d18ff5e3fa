package dev.mooring.it.sim;

import dev.mooring.csi.decide.Codes;
import dev.mooring.csi.decide.Codes.Begun;
import dev.mooring.csi.decide.Codes.Call;
import dev.mooring.spi.csi.CsiConnection.Condition;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.CsiConnection.Listed;
import dev.mooring.spi.csi.CsiConnection.Publish;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
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
final class CsiDriverSide {
  static final String NAME = "d";

  private static final Set<Ability> ALWAYS =
      EnumSet.of(
          Ability.CONTROLLER_SERVICE,
          Ability.CREATE_DELETE_VOLUME,
          Ability.PUBLISH_UNPUBLISH_VOLUME);
  private static final List<Ability> SOMETIMES =
      List.of(
          Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS,
          Ability.LIST_VOLUMES,
          Ability.LIST_VOLUMES_PUBLISHED_NODES,
          Ability.VOLUME_CONDITION,
          Ability.GET_CAPACITY,
          Ability.CLONE_VOLUME,
          Ability.EXPAND_VOLUME,
          Ability.MODIFY_VOLUME);

  /** Capabilities of a driver with snapshots. */
  private static final List<Ability> CUTTING =
      List.of(
          Ability.GROUP_CONTROLLER_SERVICE,
          Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
          Ability.CREATE_DELETE_SNAPSHOT,
          Ability.LIST_SNAPSHOTS);

  /** Codes that would mean that no volume exists, if there had been no earlier call. */
  private static final List<StatusCode> NOTHING_CREATED =
      List.of(StatusCode.RESOURCE_EXHAUSTED, StatusCode.NOT_FOUND, StatusCode.ALREADY_EXISTS);

  private final Random random;
  private final Simulation simulation;
  private final CsiWorkload workload;
  private final CsiStorage storage;
  private final CsiCuts cuts;
  private final List<Ability> sometimes;
  private final Time time;
  private final Set<String> busy = new HashSet<>(); // names and IDs with a running call
  private int version = 1;
  private int incarnation; // incarnation of the process; slow calls of an earlier one are lost
  private EnumSet<Ability> abilities;
  private boolean away;
  private long refusals;

  CsiDriverSide(CsiWorkload workload, CsiStorage storage, CsiCuts cuts, boolean cutsToo) {

    this.workload = workload;
    this.simulation = workload.simulation();
    this.storage = storage;
    this.cuts = cuts;
    this.random = simulation.random();
    this.time = simulation.clock().of(this);
    this.sometimes =
        Stream.concat(SOMETIMES.stream(), cutsToo ? CUTTING.stream() : Stream.of()).toList();
    this.abilities = all();
  }

  private EnumSet<Ability> all() {
    EnumSet<Ability> all = EnumSet.copyOf(ALWAYS);
    all.addAll(sometimes);
    return all;
  }

  CsiCuts cuts() {
    return cuts;
  }

  boolean isAway() {
    return away;
  }

  Identity identity() {
    return new Identity(NAME, "v" + version, EnumSet.copyOf(abilities));
  }

  /** Fault: ends the driver's process and its running calls. */
  void goes() {
    away = true;
    incarnation++;
    busy.clear();
  }

  /** Starts the driver again, sometimes as another version. */
  void comes() {
    away = false;
    if (random.nextBoolean()) {
      replaced();
    }
  }

  /** Fault: replaces the driver with another version behind the same connection. */
  void replaced() {
    version++;
    abilities = all();
    sometimes.forEach(a -> {
      if (random.nextInt(4) == 0) {
        abilities.remove(a);
      }
    });
  }

  /** Restores all capabilities. */
  void recovers() {
    away = false;
    if (!abilities.equals(all())) {
      version++;
      abilities = all();
    }
  }

  /** A call that the driver accepted. */
  private record Asked<T>(Call call, String key, Supplier<Reply<T>> work) {}

  /**
   * Makes a call that changes something, with the fate that the schedule chooses.
   *
   * @param id the name of the object to create, or an existing ID
   * @param timeout time that the caller waits
   */
  <T> Reply<T> change(Call call, String id, Duration timeout, Supplier<Reply<T>> work) {
    String key = owner(id);
    Asked<T> asked = new Asked<>(call, key, work);
    if (busy.contains(key)) {
      return refused(StatusCode.ABORTED, "another call is running");
    }
    if (call == Call.CREATE_VOLUME && refusesWhatItMade(key)) {
      refusals++;
      return refused(NOTHING_CREATED.get(random.nextInt(NOTHING_CREATED.size())), "rejected");
    }
    return switch (workload.fate(call)) {
      case CsiFate.Well _, CsiFate.Lies _ -> work.get();
      case CsiFate.Refused(StatusCode code) -> refused(honest(asked, code), "rejected");
      case CsiFate.Lost(StatusCode code) -> {
        Reply<T> _ = work.get();
        yield refused(code, "the response was lost");
      }
      case CsiFate.Slow(long nanos) -> slowly(asked, nanos, timeout.toNanos());
    };
  }

  /**
   * Fault: returns whether to reject a volume that exists as if it did not. The caller may not know
   * that it exists.
   */
  private boolean refusesWhatItMade(String name) {
    return !simulation.isCalm() && storage.named(name) != null && random.nextInt(4) == 0;
  }

  /** Returns how often an existing volume was rejected as if it did not exist. */
  long refusals() {
    return refusals;
  }

  /**
   * Returns the name in the request that created the object with that ID; the ID itself if we did
   * not create it.
   */
  String owner(String id) {
    CsiStorage.Item item = storage.items.get(id);
    return item == null || item.isForeign() ? cuts.owner(id) : item.name;
  }

  /** Replaces a code that would deny an existing snapshot. */
  private StatusCode honest(Asked<?> asked, StatusCode code) {
    boolean there =
        switch (asked.call()) {
          case CREATE_SNAPSHOT, CREATE_GROUP_SNAPSHOT -> cuts.has(asked.key());
          default -> false;
        };
    return there && Codes.of(asked.call(), code).begun() == Begun.NEVER
        ? StatusCode.INTERNAL
        : code;
  }

  private <T> Reply<T> slowly(Asked<T> asked, long nanos, long timeout) {
    int begun = incarnation;
    busy.add(asked.key());
    Map<String, Reply<T>> answer = new LinkedHashMap<>();
    time.schedule(
        Duration.ofNanos(nanos),
        () -> {
          if (incarnation == begun) {
            busy.remove(asked.key());
            answer.put("", asked.work().get());
          }
        });
    simulation.pointWhile(() -> answer.isEmpty() && incarnation == begun, Math.min(nanos, timeout));
    if (answer.isEmpty()) {
      return incarnation == begun
          ? refused(StatusCode.DEADLINE_EXCEEDED, "the call takes too long")
          : refused(StatusCode.UNAVAILABLE, "the connection was lost");
    }
    return answer.get("");
  }

  static <T> Reply<T> refused(StatusCode code, String why) {
    return new Reply.Refused<>(code, why);
  }

  Reply<CsiVolume> create(CreateVolume asked) {
    CsiStorage.Item item = storage.named(asked.name());
    if (item == null) {
      workload.checks().making(asked.name());
      item = storage.make(asked, asked.requiredBytes());
      simulation.note("driver: creates " + item);
    } else if (item.bytes < asked.requiredBytes()) {
      return refused(StatusCode.ALREADY_EXISTS, "the volume is too small");
    }
    List<Map<String, String>> topology =
        asked.topology() == null || asked.topology().preferred().isEmpty()
            ? List.of()
            : List.of(asked.topology().preferred().getFirst());
    boolean lies = workload.fate() instanceof CsiFate.Lies;
    return new Reply.Ok<>(
        new CsiVolume(
            item.id,
            lies ? item.bytes / 2 : item.bytes,
            Map.of(),
            asked.source() != null,
            topology));
  }

  Reply<Done> delete(String id) {
    CsiStorage.Item item = storage.items.get(id);
    if (item == null) {
      return new Reply.Ok<>(new Done());
    }
    if (!item.nodes.isEmpty()) {
      return refused(StatusCode.FAILED_PRECONDITION, "the volume is in use");
    }
    workload.checks().destroying(item);
    storage.destroy(id);
    simulation.note("driver: destroys " + item);
    return new Reply.Ok<>(new Done());
  }

  Reply<Map<String, String>> publish(Publish asked) {
    CsiStorage.Item item = storage.items.get(asked.volumeId());
    if (item == null) {
      return refused(StatusCode.NOT_FOUND, "volume not found");
    }
    workload.checks().publishing(item, asked.nodeId());
    workload.checks().published(item, asked.nodeId());
    if (item.nodes.add(asked.nodeId())) {
      simulation.note("driver: publishes " + item);
    }
    return new Reply.Ok<>(Map.of("n", asked.nodeId()));
  }

  Reply<Done> unpublish(String id, String node) {
    CsiStorage.Item item = storage.items.get(id);
    if (item != null) {
      workload.checks().unpublishing(item, node);
      if (item.nodes.remove(node)) {
        simulation.note("driver: unpublishes " + item);
      }
    }
    return new Reply.Ok<>(new Done());
  }

  Reply<Expanded> expand(String id, long bytes) {
    CsiStorage.Item item = storage.items.get(id);
    if (item == null) {
      return refused(StatusCode.NOT_FOUND, "volume not found");
    }
    item.bytes = Math.max(item.bytes, bytes);
    simulation.note("driver: expands " + item);
    return new Reply.Ok<>(new Expanded(item.bytes, false));
  }

  Reply<Done> modify(String id, Map<String, String> parameters) {
    CsiStorage.Item item = storage.items.get(id);
    if (item == null) {
      return refused(StatusCode.NOT_FOUND, "volume not found");
    }
    item.parameters = parameters;
    simulation.note("driver: changes " + item + " to " + parameters.get("iops"));
    return new Reply.Ok<>(new Done());
  }

  /** Returns all volumes, or some of them if the driver's list is incomplete. */
  Map<String, Listed> listed() {
    boolean partly = workload.fate() instanceof CsiFate.Lies;
    Map<String, Listed> all = new LinkedHashMap<>();
    storage
        .items
        .values()
        .forEach(item -> {
          if (!partly || random.nextBoolean()) {
            all.put(item.id, new Listed(item.bytes, List.copyOf(item.nodes)));
          }
        });
    return all;
  }

  Map<String, Condition> conditions() {
    Map<String, Condition> all = new LinkedHashMap<>();
    listed().keySet().forEach(id -> all.put(id, new Condition(workload.isAiling(), "abnormal")));
    return all;
  }
}
