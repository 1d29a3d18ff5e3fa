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
  private static final Duration WRITE_TIMEOUT = Duration.ofMinutes(2);

  private static final int MAX_CONFLICTS = 5;

  private final ActualStateOfWorld actual;
  private final StatusWrites writes;
  private final Informer<Node> nodes;
  private final ClusterPorts ports;
  private final Time time;
  private final AttachRequeue queues;
  private final Compat compat;

  public NodeStatusWriter(
      StateOfWorld state,
      Informer<Node> nodes,
      ClusterPorts ports,
      AttachRequeue queues,
      Compat compat) {
    this.compat = compat;
    this.queues = queues;
    this.actual = state.actual();
    this.writes = state.writes();
    this.nodes = nodes;
    this.ports = ports;
    this.time = ports.time();
  }

  // Schedules a write, soon.
  void writeSoon(String node) {
    queues.requeueBatchedStatus(node);
  }

  public FlushResult flush(String node) throws InterruptedException {
    return flush(node, null, false);
  }

  /**
   * Makes the node's status match, and invalidates every earlier patch of this program that may
   * still arrive. If the list is already correct and no write of this process was answered yet, the
   * writer adds {@link VolumeId#PLACEHOLDER} and removes it again. This changes the resource
   * version. If the server refuses that, earlier patches stay valid.
   */
  public FlushResult flushInvalidating(String node) throws InterruptedException {
    return flush(node, null, !compat.isKubernetes());
  }

  private FlushResult flush(String node, @Nullable Node liveNode, boolean mustInvalidate)
      throws InterruptedException {
    StatusWrites.Request request = writes.addRequest(node, liveNode, mustInvalidate, time);
    if (!request.signal().await(request::isReady, WRITE_TIMEOUT)) {
      return new FlushResult.Failed("writing the status of node " + node + " takes too long");
    }
    return request.mustWrite() ? runWrite(node, request) : request.takeAnswer();
  }

  public FlushResult flush(Node liveNode) throws InterruptedException {
    recordStatusList(liveNode);
    return flush(liveNode.meta().name(), liveNode, !compat.isKubernetes());
  }

  private FlushResult runWrite(String node, StatusWrites.Request request)
      throws InterruptedException {
    StatusWrites.WriteBatch batch = request.startWrite();
    FlushResult answer = new FlushResult.Failed("interrupted");
    try {
      answer = write(node, batch.liveNode(), batch.mustInvalidate());
      return answer;
    } finally {
      request.endWrite(batch, answer);
    }
  }

  private FlushResult write(String name, @Nullable Node liveNode, boolean mustInvalidate)
      throws InterruptedException {
    return switch (findBase(name, liveNode, mustInvalidate)) {
      case ReadResult.Found<Node>(Node node) -> write(node, mustInvalidate);
      case ReadResult.Absent<Node>() -> StatusWrites.NOTHING_TO_WRITE;
      case ReadResult.Failed<Node>(String message) -> createFailure(name, message);
    };
  }

  /**
   * Returns the node to patch. A node that only the cache lacks may still receive a delayed patch.
   */
  private ReadResult<Node> findBase(String name, @Nullable Node liveNode, boolean mustInvalidate)
      throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    Node latestNode = chooseNewer(liveNode, nodes.get(key).orElse(null));
    if (latestNode != null) {
      return new ReadResult.Found<>(latestNode);
    }
    return mustInvalidate ? ports.reader().read(Kind.NODE, key) : new ReadResult.Absent<>();
  }

  private FlushResult write(Node firstNode, boolean mustInvalidate) throws InterruptedException {
    long deadline = time.nanos() + WRITE_TIMEOUT.toNanos();
    Node node = firstNode;
    FlushResult answer = StatusWrites.NOTHING_TO_WRITE;
    for (int conflicts = 0; ; conflicts++) {
      SortedMap<String, String> statusList = actual.createStatusList(node.meta().name());
      boolean isUpToDate = node.volumesAttached().equals(statusList);
      if (isUpToDate && (!mustInvalidate || writes.isInvalidated(node))) {
        return answer;
      }
      if (isUpToDate) {
        statusList.put(VolumeId.PLACEHOLDER, "");
      }
      switch (sendPatch(node, statusList)) {
        case PatchResult.Written(Node written) -> {
          answer = new FlushResult.Done(written);
          // a webhook may remove the placeholder, so that the version does not change
          if (!isUpToDate || !hasOtherVersion(node, written)) {
            return answer;
          }
          node = written;
        }
        case PatchResult.Changed(Node changed, String conflict) -> {
          if (conflicts == MAX_CONFLICTS || time.nanos() > deadline) {
            return createFailure(node.meta().name(), conflict);
          }
          answer = new FlushResult.Done(changed);
          node = changed;
        }
        case PatchResult.NodeGone() -> {
          return StatusWrites.NOTHING_TO_WRITE;
        }
        case PatchResult.Rejected(String message) -> {
          return isUpToDate ? answer : createFailure(node.meta().name(), message);
        }
        case PatchResult.Failed(String message) -> {
          return createFailure(node.meta().name(), message);
        }
      }
    }
  }

  private static boolean hasOtherVersion(Node old, Node current) {
    return current.meta().resourceVersion() != old.meta().resourceVersion();
  }

  private static @Nullable Node chooseNewer(@Nullable Node liveNode, @Nullable Node cachedNode) {
    return liveNode == null
            || cachedNode != null
                && cachedNode.meta().resourceVersion() > liveNode.meta().resourceVersion()
        ? cachedNode
        : liveNode;
  }

  private sealed interface PatchResult {
    record Written(Node node) implements PatchResult {}

    // another client changed the node first
    record Changed(Node node, String conflict) implements PatchResult {}

    record NodeGone() implements PatchResult {}

    // the server rejects the content
    record Rejected(String message) implements PatchResult {}

    // the write failed, or its result is unknown
    record Failed(String message) implements PatchResult {}
  }

  // reports a list that is about to be overwritten; event handlers may never see it
  private void recordStatusList(Node liveNode) {
    actual.recordStatusList(liveNode.meta().name(), liveNode.volumesAttached().keySet());
    nodes.applyOwnWrite(liveNode);
  }

  private PatchResult sendPatch(Node node, SortedMap<String, String> statusList)
      throws InterruptedException {
    return switch (patch(node, statusList)) {
      case WriteResult.Written<Node>(Node current) -> {
        if (hasOtherVersion(node, current)) {
          recordInvalidation(current);
        }
        checkForOtherWriters(current);
        yield new PatchResult.Written(current);
      }
      case WriteResult.Gone<Node> _ -> new PatchResult.NodeGone();
      case WriteResult.Conflict<Node>(String message) -> resolveConflict(node, message);
      case WriteResult.Rejected<Node>(int code, String message) ->
          new PatchResult.Rejected("refused (" + code + "): " + message);
      case WriteResult.Unreachable<Node>(String message) -> {
        writes.forget(node.meta().name()); // it may still arrive
        yield new PatchResult.Failed(message);
      }
    };
  }

  private PatchResult resolveConflict(Node node, String conflict) throws InterruptedException {
    return switch (LiveDecisions.decide(
        ports.reader(), LiveFacts.NONE, live -> StatusConflictCheck.decide(node, conflict, live))) {
      case ConflictVerdict.WriteAgain(Node liveNode) -> {
        recordStatusList(liveNode);
        yield new PatchResult.Changed(liveNode, conflict);
      }
      case ConflictVerdict.NodeGone() -> new PatchResult.NodeGone();
      case ConflictVerdict.Failed(String message) -> new PatchResult.Failed(message);
    };
  }

  private WriteResult<Node> patch(Node node, SortedMap<String, String> statusList)
      throws InterruptedException {
    List<Map<String, Object>> entries = new ArrayList<>(statusList.size());
    statusList.forEach((volume, path) -> {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", volume);
      entry.put("devicePath", path);
      entries.add(entry);
    });
    Document patch =
        Document.patchOf(node.meta())
            .set(entries.isEmpty() ? null : entries, "status", "volumesAttached");
    actual.recordStatusWriteStart(node.meta().name(), time.nanos());
    WriteResult<Node> result = ports.writer().patchStatus(Kind.NODE, node.key(), patch);
    actual.recordStatusWriteEnd(node.meta().name(), time.nanos());
    return result;
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
    Node cachedNode = nodes.get(written.key()).orElse(written);
    if (cachedNode.meta().resourceVersion() > written.meta().resourceVersion()
        && !cachedNode.volumesAttached().equals(written.volumesAttached())) {
      queues.requeueForeignStatus(written.meta().name());
    }
  }

  private static FlushResult createFailure(String node, String message) {
    return new FlushResult.Failed("writing the status of node " + node + ": " + message);
  }
}
