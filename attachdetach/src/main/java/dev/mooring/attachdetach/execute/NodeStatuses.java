package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.ListCheck;
import dev.mooring.attachdetach.decide.ListCheck.ListVerdict;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.live.Fact;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Compat;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lists of attached volumes into node statuses. One write per node runs at a time;
 * requests during a write share the next one. Thread-safe.
 *
 * <p>The patch replaces {@code status.volumesAttached} and names the known resource version. A
 * delayed patch, of this process or a killed one, might arrive at any time, and a kubelet would
 * mount what it lists. The resource version makes the server refuse it once the node has changed.
 * After a conflict with a heartbeat, the node is read and the list is written on that version.
 */
public final class NodeStatuses {
  private static final Duration LONGEST_WRITE = Duration.ofMinutes(2);

  /** Maximum number of conflicts in a row. */
  private static final int TRIES = 5;

  /** Period of Kubernetes' reconciler. */
  static final Duration BETWEEN_WRITES = Duration.ofMillis(100);

  /** Result of a write. */
  public sealed interface Flushed {
    /**
     * The status is correct.
     *
     * @param now the node at or after the last write; null if no write was needed, or the node does
     *     not exist
     */
    record Done(@Nullable Node now) implements Flushed {}

    /** The status may be wrong. */
    record Failed(String problem) implements Flushed {}
  }

  private static final Flushed NOTHING_TO_WRITE = new Flushed.Done(null);

  private static final class Slot {
    private final Time.Signal signal;
    private long asked; // tickets issued
    private long answered; // tickets covered by the last finished write
    private Flushed answer = NOTHING_TO_WRITE;
    private boolean writing;
    private boolean forGood; // a waiting caller needs {@link #flushForGood}
    private @Nullable Node told; // a live node that is newer than the cache may be

    Slot(Time.Signal signal) {
      this.signal = signal;
    }
  }

  private final ActualState actual;
  private final Informer<Node> nodes;
  private final ClusterPorts ports;
  private final Time time;
  private final Consumer<String> foreign;
  private final Compat compat;
  private final Map<String, Slot> slots = new HashMap<>();
  private final Map<String, Uid> outrun =
      new ConcurrentHashMap<>(); // nodes for which earlier patches have become invalid

  /**
   * Creates a writer.
   *
   * @param foreign called with a node whose list another client has changed after our write
   * @param compat Kubernetes' mode does not invalidate earlier patches
   */
  public NodeStatuses(
      ActualState actual,
      Informer<Node> nodes,
      ClusterPorts ports,
      Consumer<String> foreign,
      Compat compat) {
    this.compat = compat;
    this.foreign = foreign;
    this.actual = actual;
    this.nodes = nodes;
    this.ports = ports;
    this.time = ports.time();
  }

  /**
   * Returns how long to delay the write while more volumes are being attached to the node, so that
   * many attaches need few writes. Zero if there are none.
   */
  public Duration pause(String node) {
    OptionalLong last = actual.lastWriteOfMany(node);
    if (last.isEmpty()) {
      return Duration.ZERO;
    }
    Duration rest = BETWEEN_WRITES.minusNanos(time.nanos() - last.getAsLong());
    return rest.isPositive() ? rest : Duration.ZERO;
  }

  /**
   * Makes the node's status match the actual state of world.
   *
   * @return done also if the node does not exist
   */
  public Flushed flush(String node) throws InterruptedException {
    return flush(node, null, false);
  }

  /**
   * Makes the node's status match, and invalidates every earlier patch of this program that may
   * still arrive. If the list is already correct and no write of this process was answered yet, it
   * lists {@link VolumeId#NONE} for a moment, which changes the resource version. If the server
   * refuses that, earlier patches stay valid.
   */
  public Flushed flushForGood(String node) throws InterruptedException {
    return flush(node, null, !compat.isKubernetes());
  }

  private Flushed flush(String node, @Nullable Node told, boolean forGood)
      throws InterruptedException {
    Slot slot;
    long ticket;
    synchronized (slots) {
      slot = slots.computeIfAbsent(node, n -> new Slot(time.signal()));
      ticket = ++slot.asked;
      slot.forGood |= forGood;
      slot.told = told == null ? slot.told : told;
    }
    boolean[] mine = new boolean[1];
    boolean over =
        slot.signal.await(
            () -> {
              synchronized (slots) {
                if (slot.answered >= ticket) {
                  return true;
                }
                mine[0] = !slot.writing;
                slot.writing = true;
                return mine[0];
              }
            },
            LONGEST_WRITE);
    if (!over) {
      return new Flushed.Failed("writing the status of node " + node + " takes too long");
    }
    return mine[0] ? writeFor(node, slot) : answerOf(node, slot);
  }

  /** Makes the status match, based on a node that is newer than the cache. */
  public Flushed flush(Node now) throws InterruptedException {
    seen(now);
    return flush(now.meta().name(), now, !compat.isKubernetes());
  }

  private Flushed answerOf(String node, Slot slot) {
    synchronized (slots) {
      return finished(node, slot);
    }
  }

  private Flushed finished(String node, Slot slot) {
    if (slot.asked == slot.answered && !slot.writing) {
      slots.remove(node, slot);
    }
    return slot.answer;
  }

  private Flushed writeFor(String node, Slot slot) throws InterruptedException {
    long upTo;
    boolean forGood;
    Node told;
    synchronized (slots) {
      upTo = slot.asked;
      // never reset: a waiting caller may receive a later writer's answer
      forGood = slot.forGood;
      told = slot.told;
      slot.told = null;
    }
    Flushed answer = new Flushed.Failed("interrupted");
    try {
      answer = write(node, told, forGood);
      return answer;
    } finally {
      synchronized (slots) {
        slot.writing = false;
        slot.answered = upTo;
        slot.answer = answer;
        finished(node, slot);
      }
      slot.signal.raise();
    }
  }

  private Flushed write(String name, @Nullable Node told, boolean forGood)
      throws InterruptedException {
    return switch (base(name, told, forGood)) {
      case Fact.Present<Node>(Node node) -> write(node, forGood);
      case Fact.Absent<Node>() -> NOTHING_TO_WRITE;
      case Fact.Unknown<Node>(String why) -> failed(name, why);
      case Fact.NotAsked<Node>() -> failed(name, "nobody asked");
    };
  }

  /**
   * Returns the node to patch. A node that only the cache lacks may still receive a delayed patch.
   */
  private Fact<Node> base(String name, @Nullable Node told, boolean forGood)
      throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    Node known = newer(told, nodes.get(key).orElse(null));
    if (known != null) {
      return new Fact.Present<>(known);
    }
    return forGood ? NodeChecks.read(ports.reader(), Kind.NODE, key) : new Fact.Absent<>();
  }

  private Flushed write(Node base, boolean forGood) throws InterruptedException {
    long end = time.nanos() + LONGEST_WRITE.toNanos();
    Node node = base;
    Flushed answer = NOTHING_TO_WRITE;
    for (int tries = 0; ; tries++) {
      SortedMap<String, String> report = actual.reportOf(node.meta().name());
      boolean same = node.volumesAttached().equals(report);
      if (same && (!forGood || isOutrun(node))) {
        return answer;
      }
      if (same) {
        report.put(VolumeId.NONE, "");
      }
      switch (taken(node, report)) {
        case Taken.Written(Node now) -> {
          answer = new Flushed.Done(now);
          // a webhook may remove the placeholder, so that the version does not change
          if (!same || !isOther(node, now)) {
            return answer;
          }
          node = now;
        }
        case Taken.Changed(Node now, String conflict) -> {
          if (tries == TRIES || time.nanos() > end) {
            return failed(node.meta().name(), conflict);
          }
          answer = new Flushed.Done(now);
          node = now;
        }
        case Taken.Over() -> {
          return NOTHING_TO_WRITE;
        }
        case Taken.Refused(String why) -> {
          return same ? answer : failed(node.meta().name(), why);
        }
        case Taken.Lost(String why) -> {
          return failed(node.meta().name(), why);
        }
      }
    }
  }

  private static boolean isOther(Node before, Node now) {
    return now.meta().resourceVersion() != before.meta().resourceVersion();
  }

  private static @Nullable Node newer(@Nullable Node told, @Nullable Node known) {
    return told == null
            || known != null && known.meta().resourceVersion() > told.meta().resourceVersion()
        ? known
        : told;
  }

  private sealed interface Taken {
    record Written(Node now) implements Taken {}

    /** Another client changed the node first. */
    record Changed(Node now, String conflict) implements Taken {}

    record Over() implements Taken {}

    /** The server rejects the content. */
    record Refused(String why) implements Taken {}

    /** The result of the write is unknown. */
    record Lost(String why) implements Taken {}
  }

  /** Reports a list that is about to be overwritten; event handlers may never see it. */
  private void seen(Node now) {
    actual.update(new WorldUpdate.ListSeen(now.meta().name(), now.volumesAttached().keySet()));
    nodes.wrote(now);
  }

  private Taken taken(Node node, SortedMap<String, String> report) throws InterruptedException {
    return switch (patch(node, report)) {
      case WriteResult.Written<Node>(Node now) -> {
        if (isOther(node, now)) {
          outran(now);
        }
        lookForOthers(now);
        yield new Taken.Written(now);
      }
      case WriteResult.Gone<Node> _ -> new Taken.Over();
      case WriteResult.Conflict<Node>(String message) -> afterConflict(node, message);
      case WriteResult.Rejected<Node>(int code, String message) ->
          new Taken.Refused("refused (" + code + "): " + message);
      case WriteResult.Unreachable<Node>(String message) -> {
        outrun.remove(node.meta().name()); // it may still arrive
        yield new Taken.Lost(message);
      }
    };
  }

  private Taken afterConflict(Node node, String conflict) throws InterruptedException {
    Fact<Node> asked = NodeChecks.read(ports.reader(), Kind.NODE, node.key());
    return switch (ListCheck.afterConflict(node, conflict, asked)) {
      case ListVerdict.OnTop(Node now) -> {
        seen(now);
        yield new Taken.Changed(now, conflict);
      }
      case ListVerdict.Over() -> new Taken.Over();
      case ListVerdict.Lost(String why) -> new Taken.Lost(why);
    };
  }

  private WriteResult<Node> patch(Node node, SortedMap<String, String> report)
      throws InterruptedException {
    List<Map<String, Object>> list = new ArrayList<>(report.size());
    report.forEach((volume, path) -> {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", volume);
      one.put("devicePath", path);
      list.add(one);
    });
    Document patch =
        Document.patchOf(node.meta())
            .set(list.isEmpty() ? null : list, "status", "volumesAttached");
    actual.update(new WorldUpdate.ListWritten(node.meta().name(), time.nanos()));
    return ports.writer().patchStatus(Kind.NODE, node.key(), patch);
  }

  /** Returns whether this process has written the node: earlier patches name an older version. */
  private boolean isOutrun(Node node) {
    return node.meta().uid().equals(outrun.get(node.meta().name()));
  }

  private void outran(Node written) {
    String name = written.meta().name();
    outrun.put(name, written.meta().uid());
    if (nodes.get(written.key()).isEmpty()) {
      forget(name); // deleted meanwhile
    }
  }

  public void forget(String node) {
    outrun.remove(node);
  }

  /**
   * Checks for a list of another client. After a relist the cache may jump from the list before our
   * write to the other client's list. If both are equal, no handler sees a change.
   */
  private void lookForOthers(Node written) {
    Node known = nodes.get(written.key()).orElse(written);
    if (known.meta().resourceVersion() > written.meta().resourceVersion()
        && !known.volumesAttached().equals(written.volumesAttached())) {
      foreign.accept(written.meta().name());
    }
  }

  private static Flushed failed(String node, String why) {
    return new Flushed.Failed("writing the status of node " + node + ": " + why);
  }
}
