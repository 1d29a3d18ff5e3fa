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
 * Writes what is attached into nodes' statuses. One write at a time per node; everything that is
 * asked for while one is under way goes into the next together. Thread-safe.
 *
 * <p>The patch replaces {@code status.volumesAttached} whole, in the version that is known: of one
 * that is under way for long, by a process that is gone or by this one, nobody can tell when it
 * arrives, and a kubelet would mount what it lists. Once the node has changed, it is refused. A
 * kubelet's heartbeat that came between is read, and the list written on top of it.
 */
public final class NodeStatuses {
  private static final Duration LONGEST_WRITE = Duration.ofMinutes(2);

  /** So often others may have been first, one after the other. */
  private static final int TRIES = 5;

  /** As often as Kubernetes' reconciler looks. */
  static final Duration BETWEEN_WRITES = Duration.ofMillis(100);

  /** How a write ended. */
  public sealed interface Flushed {
    /**
     * The status is as it should be.
     *
     * @param now the node as the server had it at or after the last write; null if nothing had to
     *     be written, or there is no such node
     */
    record Done(@Nullable Node now) implements Flushed {}

    /** It may not be. */
    record Failed(String problem) implements Flushed {}
  }

  private static final Flushed NOTHING_TO_WRITE = new Flushed.Done(null);

  private static final class Slot {
    private final Time.Signal signal;
    private long asked; // tickets given
    private long answered; // tickets that the last finished write covers
    private Flushed answer = NOTHING_TO_WRITE;
    private boolean writing;
    private boolean forGood; // somebody of those who wait, or waited, asks for that
    private @Nullable Node told; // a node as the server has it, which the cache may not

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
  private final Map<String, Uid> outrun = new ConcurrentHashMap<>(); // what was sent before us

  /**
   * Through these.
   *
   * @param foreign called with a node whose list somebody else had written again by the time that
   *     our write was answered
   * @param compat Kubernetes' writes lists whatever was sent before
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
   * How long it is better to wait before the status is written: while more is being attached to the
   * node, so that a burst of attaches is not a burst of ever longer lists. Zero if nothing more is.
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
   * Makes the node's status list what the actual world says at this moment.
   *
   * @return how it ended; done as well if there is no such node
   */
  public Flushed flush(String node) throws InterruptedException {
    return flush(node, null, false);
  }

  /**
   * The same, for good: no write of the list that was sent before, by this process or another of
   * this program, changes it when it arrives at last. Where the list is as it should be and no
   * write of ours has been answered yet, the node is given another version by listing {@link
   * VolumeId#NONE} for a moment; where that is refused, it is left to chance.
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

  /**
   * The same, of a node that the server has otherwise than the cache.
   *
   * @param now the node as the server has it
   */
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
      // stays so: who waited for that may read the answer that another one gets later
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

  /** The node that is written; one that only the cache lacks can be written late all the same. */
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
          // a webhook may take out what is no volume, and then nothing has changed
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

  /** How one write ended. */
  private sealed interface Taken {
    /** The server took it. */
    record Written(Node now) implements Taken {}

    /** Somebody else was first. */
    record Changed(Node now, String conflict) implements Taken {}

    /** There is no such node any more. */
    record Over() implements Taken {}

    /** The server has something against what it says. */
    record Refused(String why) implements Taken {}

    /** Nobody knows. */
    record Lost(String why) implements Taken {}
  }

  /** What it lists is overwritten, and no event handler may see it. */
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
        outrun.remove(node.meta().name()); // it may arrive yet
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

  /** Whether that node was written by us: what was sent before is of an older version. */
  private boolean isOutrun(Node node) {
    return node.meta().uid().equals(outrun.get(node.meta().name()));
  }

  private void outran(Node written) {
    String name = written.meta().name();
    outrun.put(name, written.meta().uid());
    if (nodes.get(written.key()).isEmpty()) {
      forget(name); // it went meanwhile
    }
  }

  /** The node is gone. */
  public void forget(String node) {
    outrun.remove(node);
  }

  /**
   * If the caches were listed anew meanwhile, they went from the list before ours to somebody
   * else's in one step; and if that is what it was before, nobody saw anything change.
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
