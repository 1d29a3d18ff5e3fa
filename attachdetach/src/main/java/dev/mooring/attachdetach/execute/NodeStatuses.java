package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is attached into nodes' statuses. One write at a time per node; everything that is
 * asked for while one is under way goes into the next together. Thread-safe.
 *
 * <p>The patch replaces {@code status.volumesAttached} whole and names the node's uid, not its
 * version: nobody else writes the field, and a kubelet's heartbeat every few seconds is no reason
 * to fail.
 */
public final class NodeStatuses {
  private static final Duration LONGEST_WRITE = Duration.ofMinutes(2);

  /** As often as Kubernetes' reconciler looks. */
  static final Duration BETWEEN_WRITES = Duration.ofMillis(100);

  /** How a write ended. */
  public sealed interface Flushed {
    /**
     * The status is as it should be.
     *
     * @param now the node as the server has it since the write; null if nothing had to be written
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

    Slot(Time.Signal signal) {
      this.signal = signal;
    }
  }

  private final ActualState actual;
  private final Informer<Node> nodes;
  private final ClusterWriter writer;
  private final Time time;
  private final Consumer<String> foreign;
  private final Map<String, Slot> slots = new HashMap<>();

  /**
   * Through these.
   *
   * @param foreign called with a node whose list somebody else had written again by the time that
   *     our write was answered
   */
  public NodeStatuses(
      ActualState actual,
      Informer<Node> nodes,
      ClusterWriter writer,
      Time time,
      Consumer<String> foreign) {
    this.foreign = foreign;
    this.actual = actual;
    this.nodes = nodes;
    this.writer = writer;
    this.time = time;
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
    Slot slot;
    long ticket;
    synchronized (slots) {
      slot = slots.computeIfAbsent(node, n -> new Slot(time.signal()));
      ticket = ++slot.asked;
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
    nodes.wrote(now);
    return flush(now.meta().name());
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
    synchronized (slots) {
      upTo = slot.asked;
    }
    Flushed answer = new Flushed.Failed("interrupted");
    try {
      answer = write(node);
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

  private Flushed write(String name) throws InterruptedException {
    Node node = nodes.get(ObjectKey.cluster(name)).orElse(null);
    if (node == null) {
      return NOTHING_TO_WRITE;
    }
    SortedMap<String, String> report = actual.reportOf(name);
    if (node.volumesAttached().equals(report)) {
      return NOTHING_TO_WRITE;
    }
    List<Map<String, Object>> list = new ArrayList<>(report.size());
    report.forEach((volume, path) -> {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", volume);
      one.put("devicePath", path);
      list.add(one);
    });
    Document patch =
        Document.empty()
            .set(node.meta().uid().toString(), "metadata", "uid")
            .set(list.isEmpty() ? null : list, "status", "volumesAttached");
    actual.update(new WorldUpdate.ListWritten(name, time.nanos()));
    return switch (writer.patchStatus(Kind.NODE, node.key(), patch)) {
      case WriteResult.Written<Node>(Node now) -> {
        lookForOthers(now);
        yield new Flushed.Done(now);
      }
      case WriteResult.Gone<Node> _ -> NOTHING_TO_WRITE;
      case WriteResult.Conflict<Node>(String message) -> new Flushed.Failed(about(name, message));
      case WriteResult.Rejected<Node>(int code, String message) ->
          new Flushed.Failed(about(name, "refused (" + code + "): " + message));
      case WriteResult.Unreachable<Node>(String message) ->
          new Flushed.Failed(about(name, message));
    };
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

  private static String about(String node, String message) {
    return "writing the status of node " + node + ": " + message;
  }
}
