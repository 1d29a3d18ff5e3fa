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
 * The driver's process: it restarts, is replaced by a version that can do more or less, and
 * continues calls that it has begun. It obeys two rules of the specification. It answers {@code
 * ABORTED} while another call for the volume runs. It never answers that an existing snapshot does
 * not exist. For a volume that is there it may answer any code.
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

  /** Of a driver that cuts snapshots too. */
  private static final List<Ability> CUTTING =
      List.of(
          Ability.GROUP_CONTROLLER_SERVICE,
          Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT,
          Ability.CREATE_DELETE_SNAPSHOT,
          Ability.LIST_SNAPSHOTS);

  /** Codes that would mean that nothing is there, had there been no earlier call. */
  private static final List<StatusCode> UNDOUBTING =
      List.of(StatusCode.RESOURCE_EXHAUSTED, StatusCode.NOT_FOUND, StatusCode.ALREADY_EXISTS);

  private final Random random;
  private final Simulation simulation;
  private final CsiWorkload workload;
  private final CsiStorage storage;
  private final CsiCuts cuts;
  private final List<Ability> sometimes;
  private final Time time;
  private final Set<String> busy = new HashSet<>(); // names and ids
  private int version = 1;
  private int life; // what an earlier one has begun and not done is not done
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

  /** It is gone; what it was at is left as it is. */
  void goes() {
    away = true;
    life++;
    busy.clear();
  }

  /** It is there again, now and then as another version. */
  void comes() {
    away = false;
    if (random.nextBoolean()) {
      replaced();
    }
  }

  /** Behind what stands between, another version is there. */
  void replaced() {
    version++;
    abilities = all();
    sometimes.forEach(a -> {
      if (random.nextInt(4) == 0) {
        abilities.remove(a);
      }
    });
  }

  /** Everything that it could ever do it can do again. */
  void recovers() {
    away = false;
    if (!abilities.equals(all())) {
      version++;
      abilities = all();
    }
  }

  /** What a call comes to that is not refused on the way. */
  private record Asked<T>(Call call, String key, Supplier<Reply<T>> work) {}

  /**
   * One call that changes something.
   *
   * @param id what it is about: the name of what is to be made, or an id
   * @param timeout how long the caller waits
   */
  <T> Reply<T> change(Call call, String id, Duration timeout, Supplier<Reply<T>> work) {
    String key = owner(id);
    Asked<T> asked = new Asked<>(call, key, work);
    if (busy.contains(key)) {
      return refused(StatusCode.ABORTED, "it is at it");
    }
    if (call == Call.CREATE_VOLUME && refusesWhatItMade(key)) {
      refusals++;
      return refused(UNDOUBTING.get(random.nextInt(UNDOUBTING.size())), "so");
    }
    return switch (workload.fate(call)) {
      case CsiFate.Well _, CsiFate.Lies _ -> work.get();
      case CsiFate.Refused(StatusCode code) -> refused(honest(asked, code), "so");
      case CsiFate.Lost(StatusCode code) -> {
        Reply<T> _ = work.get();
        yield refused(code, "its answer was lost");
      }
      case CsiFate.Slow(long nanos) -> slowly(asked, nanos, timeout.toNanos());
    };
  }

  /** It made the volume, its caller may not know, and it answers as if nothing were there. */
  private boolean refusesWhatItMade(String name) {
    return !simulation.isCalm() && storage.named(name) != null && random.nextInt(4) == 0;
  }

  /** How often a volume that was made was refused as if it were not. */
  long refusals() {
    return refusals;
  }

  /** By what name what has that id was asked for; the id if by none. */
  String owner(String id) {
    CsiStorage.Item item = storage.items.get(id);
    return item == null || item.isForeign() ? cuts.owner(id) : item.name;
  }

  /** No code that says that there is nothing stands for what is there. */
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
    int begun = life;
    busy.add(asked.key());
    Map<String, Reply<T>> answer = new LinkedHashMap<>();
    time.schedule(
        Duration.ofNanos(nanos),
        () -> {
          if (life == begun) {
            busy.remove(asked.key());
            answer.put("", asked.work().get());
          }
        });
    simulation.pointWhile(() -> answer.isEmpty() && life == begun, Math.min(nanos, timeout));
    if (answer.isEmpty()) {
      return life == begun
          ? refused(StatusCode.DEADLINE_EXCEEDED, "it takes too long")
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
      simulation.note("driver: makes " + item);
    } else if (item.bytes < asked.requiredBytes()) {
      return refused(StatusCode.ALREADY_EXISTS, "another size");
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
      return refused(StatusCode.FAILED_PRECONDITION, "it is in use");
    }
    workload.checks().destroying(item);
    storage.destroy(id);
    simulation.note("driver: destroys " + item);
    return new Reply.Ok<>(new Done());
  }

  Reply<Map<String, String>> publish(Publish asked) {
    CsiStorage.Item item = storage.items.get(asked.volumeId());
    if (item == null) {
      return refused(StatusCode.NOT_FOUND, "there is no such volume");
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
      return refused(StatusCode.NOT_FOUND, "there is no such volume");
    }
    item.bytes = Math.max(item.bytes, bytes);
    simulation.note("driver: grows " + item);
    return new Reply.Ok<>(new Expanded(item.bytes, false));
  }

  Reply<Done> modify(String id, Map<String, String> parameters) {
    CsiStorage.Item item = storage.items.get(id);
    if (item == null) {
      return refused(StatusCode.NOT_FOUND, "there is no such volume");
    }
    item.parameters = parameters;
    simulation.note("driver: changes " + item + " to " + parameters.get("iops"));
    return new Reply.Ok<>(new Done());
  }

  /** All volumes, or some of them. */
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
    listed().keySet().forEach(id -> all.put(id, new Condition(workload.isAiling(), "so")));
    return all;
  }
}
