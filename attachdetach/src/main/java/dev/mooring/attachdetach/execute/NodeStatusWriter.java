package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.StatusConflictCheck;
import dev.mooring.attachdetach.decide.StatusConflictCheck.ConflictVerdict;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.StatusWrites;
import dev.mooring.attachdetach.state.StatusWrites.FlushResult;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Compat;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
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
public final class NodeStatusWriter {
  private static final Duration LONGEST_WRITE = Duration.ofMinutes(2);

  private static final int TRIES = 5;

  private final ActualStateOfWorld actual;
  private final StatusWrites writes;
  private final Informer<Node> nodes;
  private final ClusterPorts ports;
  private final Time time;
  private final AttachRequeue requeue;
  private final Compat compat;

  public NodeStatusWriter(
      StateOfWorld state,
      Informer<Node> nodes,
      ClusterPorts ports,
      AttachRequeue requeue,
      Compat compat) {
    this.compat = compat;
    this.requeue = requeue;
    this.actual = state.actual();
    this.writes = state.writes();
    this.nodes = nodes;
    this.ports = ports;
    this.time = ports.time();
  }

  // Schedules a write, soon.
  void writeSoon(String node) {
    requeue.statusOfMany(node);
  }

  public FlushResult flush(String node) throws InterruptedException {
    return flush(node, null, false);
  }

  /**
   * Makes the node's status match, and invalidates every earlier patch of this program that may
   * still arrive. If the list is already correct and no write of this process was answered yet, it
   * lists {@link VolumeId#NONE} for a moment, which changes the resource version. If the server
   * refuses that, earlier patches stay valid.
   */
  public FlushResult flushInvalidating(String node) throws InterruptedException {
    return flush(node, null, !compat.isKubernetes());
  }

  private FlushResult flush(String node, @Nullable Node live, boolean invalidates)
      throws InterruptedException {
    StatusWrites.Request request = writes.add(node, live, invalidates, time);
    if (!request.signal().await(request::isReady, LONGEST_WRITE)) {
      return new FlushResult.Failed("writing the status of node " + node + " takes too long");
    }
    return request.mustWrite() ? writeFor(node, request) : request.answer();
  }

  public FlushResult flush(Node now) throws InterruptedException {
    reportList(now);
    return flush(now.meta().name(), now, !compat.isKubernetes());
  }

  private FlushResult writeFor(String node, StatusWrites.Request request)
      throws InterruptedException {
    StatusWrites.Work work = request.begin();
    FlushResult answer = new FlushResult.Failed("interrupted");
    try {
      answer = write(node, work.live(), work.invalidates());
      return answer;
    } finally {
      request.end(work, answer);
    }
  }

  private FlushResult write(String name, @Nullable Node live, boolean invalidates)
      throws InterruptedException {
    return switch (base(name, live, invalidates)) {
      case ReadResult.Found<Node>(Node node) -> write(node, invalidates);
      case ReadResult.Absent<Node>() -> StatusWrites.NOTHING_TO_WRITE;
      case ReadResult.Failed<Node>(String why) -> failed(name, why);
    };
  }

  /**
   * Returns the node to patch. A node that only the cache lacks may still receive a delayed patch.
   */
  private ReadResult<Node> base(String name, @Nullable Node live, boolean invalidates)
      throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    Node known = newer(live, nodes.get(key).orElse(null));
    if (known != null) {
      return new ReadResult.Found<>(known);
    }
    return invalidates ? ports.reader().read(Kind.NODE, key) : new ReadResult.Absent<>();
  }

  private FlushResult write(Node base, boolean invalidates) throws InterruptedException {
    long end = time.nanos() + LONGEST_WRITE.toNanos();
    Node node = base;
    FlushResult answer = StatusWrites.NOTHING_TO_WRITE;
    for (int tries = 0; ; tries++) {
      SortedMap<String, String> report = actual.reportOf(node.meta().name());
      boolean same = node.volumesAttached().equals(report);
      if (same && (!invalidates || writes.isInvalidated(node))) {
        return answer;
      }
      if (same) {
        report.put(VolumeId.NONE, "");
      }
      switch (sendPatch(node, report)) {
        case PatchResult.Written(Node now) -> {
          answer = new FlushResult.Done(now);
          // a webhook may remove the placeholder, so that the version does not change
          if (!same || !isOther(node, now)) {
            return answer;
          }
          node = now;
        }
        case PatchResult.Changed(Node now, String conflict) -> {
          if (tries == TRIES || time.nanos() > end) {
            return failed(node.meta().name(), conflict);
          }
          answer = new FlushResult.Done(now);
          node = now;
        }
        case PatchResult.Over() -> {
          return StatusWrites.NOTHING_TO_WRITE;
        }
        case PatchResult.Refused(String why) -> {
          return same ? answer : failed(node.meta().name(), why);
        }
        case PatchResult.Lost(String why) -> {
          return failed(node.meta().name(), why);
        }
      }
    }
  }

  private static boolean isOther(Node before, Node now) {
    return now.meta().resourceVersion() != before.meta().resourceVersion();
  }

  private static @Nullable Node newer(@Nullable Node live, @Nullable Node known) {
    return live == null
            || known != null && known.meta().resourceVersion() > live.meta().resourceVersion()
        ? known
        : live;
  }

  private sealed interface PatchResult {
    record Written(Node now) implements PatchResult {}

    // another client changed the node first
    record Changed(Node now, String conflict) implements PatchResult {}

    record Over() implements PatchResult {}

    // the server rejects the content
    record Refused(String why) implements PatchResult {}

    // the result of the write is unknown
    record Lost(String why) implements PatchResult {}
  }

  // reports a list that is about to be overwritten; event handlers may never see it
  private void reportList(Node now) {
    actual.recordList(now.meta().name(), now.volumesAttached().keySet());
    nodes.applyOwnWrite(now);
  }

  private PatchResult sendPatch(Node node, SortedMap<String, String> report)
      throws InterruptedException {
    return switch (patch(node, report)) {
      case WriteResult.Written<Node>(Node now) -> {
        if (isOther(node, now)) {
          recordInvalidation(now);
        }
        checkForOtherWriters(now);
        yield new PatchResult.Written(now);
      }
      case WriteResult.Gone<Node> _ -> new PatchResult.Over();
      case WriteResult.Conflict<Node>(String message) -> afterConflict(node, message);
      case WriteResult.Rejected<Node>(int code, String message) ->
          new PatchResult.Refused("refused (" + code + "): " + message);
      case WriteResult.Unreachable<Node>(String message) -> {
        writes.forget(node.meta().name()); // it may still arrive
        yield new PatchResult.Lost(message);
      }
    };
  }

  private PatchResult afterConflict(Node node, String conflict) throws InterruptedException {
    return switch (LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> StatusConflictCheck.decide(node, conflict, live))) {
      case ConflictVerdict.OnTop(Node now) -> {
        reportList(now);
        yield new PatchResult.Changed(now, conflict);
      }
      case ConflictVerdict.Over() -> new PatchResult.Over();
      case ConflictVerdict.Lost(String why) -> new PatchResult.Lost(why);
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
    actual.recordListWrite(node.meta().name(), time.nanos());
    return ports.writer().patchStatus(Kind.NODE, node.key(), patch);
  }

  private void recordInvalidation(Node written) {
    writes.setInvalidated(written);
    if (nodes.get(written.key()).isEmpty()) {
      writes.forget(written.meta().name()); // deleted meanwhile
    }
  }

  // Checks for a list of another client. After a relist the cache may jump from the list before our
  // write to the other client's list. If both are equal, no handler sees a change.
  private void checkForOtherWriters(Node written) {
    Node known = nodes.get(written.key()).orElse(written);
    if (known.meta().resourceVersion() > written.meta().resourceVersion()
        && !known.volumesAttached().equals(written.volumesAttached())) {
      requeue.foreignStatus(written.meta().name());
    }
  }

  private static FlushResult failed(String node, String why) {
    return new FlushResult.Failed("writing the status of node " + node + ": " + why);
  }
}
