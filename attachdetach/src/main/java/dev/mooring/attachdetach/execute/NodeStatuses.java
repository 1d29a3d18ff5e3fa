package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.world.ActualWorld;
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
import java.util.Optional;
import java.util.SortedMap;

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

  private static final class Slot {
    private final Time.Signal signal;
    private long asked; // tickets given
    private long answered; // tickets that the last finished write covers
    private Optional<String> answer = Optional.empty();
    private boolean writing;

    Slot(Time.Signal signal) {
      this.signal = signal;
    }
  }

  private final ActualWorld actual;
  private final Informer<Node> nodes;
  private final ClusterWriter writer;
  private final Time time;
  private final Map<String, Slot> slots = new HashMap<>();

  /** Through these. */
  public NodeStatuses(ActualWorld actual, Informer<Node> nodes, ClusterWriter writer, Time time) {
    this.actual = actual;
    this.nodes = nodes;
    this.writer = writer;
    this.time = time;
  }

  /**
   * Makes the node's status list what the actual world says at this moment.
   *
   * @return what went wrong; empty if the status is as it should be, or there is no such node
   */
  public Optional<String> flush(String node) throws InterruptedException {
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
      return Optional.of("writing the status of node " + node + " takes too long");
    }
    return mine[0] ? writeFor(node, slot) : answerOf(node, slot);
  }

  private Optional<String> answerOf(String node, Slot slot) {
    synchronized (slots) {
      return finished(node, slot);
    }
  }

  private Optional<String> finished(String node, Slot slot) {
    if (slot.asked == slot.answered && !slot.writing) {
      slots.remove(node, slot);
    }
    return slot.answer;
  }

  private Optional<String> writeFor(String node, Slot slot) throws InterruptedException {
    long upTo;
    synchronized (slots) {
      upTo = slot.asked;
    }
    Optional<String> problem = Optional.of("interrupted");
    try {
      problem = write(node);
      return problem;
    } finally {
      synchronized (slots) {
        slot.writing = false;
        slot.answered = upTo;
        slot.answer = problem;
        finished(node, slot);
      }
      slot.signal.raise();
    }
  }

  private Optional<String> write(String name) throws InterruptedException {
    Node node = nodes.snapshot().get(ObjectKey.cluster(name)).orElse(null);
    if (node == null) {
      return Optional.empty();
    }
    SortedMap<String, String> report = actual.reportOf(name);
    if (node.volumesAttached().equals(report)) {
      return Optional.empty();
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
    return switch (writer.patchStatus(Kind.NODE, node.key(), patch)) {
      case WriteResult.Written<Node> _ -> Optional.empty();
      case WriteResult.Gone<Node> _ -> Optional.empty();
      case WriteResult.Conflict<Node>(String message) -> Optional.of(about(name, message));
      case WriteResult.Rejected<Node>(int code, String message) ->
          Optional.of(about(name, "refused (" + code + "): " + message));
      case WriteResult.Unreachable<Node>(String message) -> Optional.of(about(name, message));
    };
  }

  private static String about(String node, String message) {
    return "writing the status of node " + node + ": " + message;
  }
}
