package dev.mooring.attachdetach.state;

import dev.mooring.model.Node;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests to write the lists of attached volumes into node statuses. One write per node runs at a
 * time; requests during a write share the next one. Thread-safe.
 */
public final class StatusWrites {
  /** End of a write. */
  public sealed interface FlushResult {
    record Done(@Nullable Node node) implements FlushResult {}

    // the status may be wrong
    record Failed(String message) implements FlushResult {}
  }

  public static final FlushResult NOTHING_TO_WRITE = new FlushResult.Done(null);

  private static final class PendingWrites {
    private final Time.Signal signal;
    private long requestCount; // requests
    private long coveredCount; // requests covered by the last finished write
    private FlushResult answer = NOTHING_TO_WRITE;
    private boolean isWriting;
    private boolean mustInvalidate; // a waiting caller needs earlier patches to become invalid
    private @Nullable Node liveNode; // a live node, perhaps newer than the cache

    PendingWrites(Time.Signal signal) {
      this.signal = signal;
    }
  }

  /** Request of one caller. */
  public final class Request {
    private final String node;
    private final PendingWrites pending;
    private final long number;
    private boolean mustWrite;

    private Request(String node, PendingWrites pending) {
      this.node = node;
      this.pending = pending;
      this.number = ++pending.requestCount;
    }

    public Time.Signal signal() {
      return pending.signal;
    }

    // Returns whether a write has covered the request, or the caller must write now.
    public boolean isReady() {
      synchronized (StatusWrites.this) {
        if (pending.coveredCount >= number) {
          return true;
        }
        mustWrite = !pending.isWriting;
        pending.isWriting = true;
        return mustWrite;
      }
    }

    public boolean mustWrite() {
      return mustWrite;
    }

    // Begins the write. Every request so far is covered when it ends.
    public WriteBatch startWrite() {
      synchronized (StatusWrites.this) {
        Node liveNode = pending.liveNode;
        pending.liveNode = null;
        // never reset: a waiting caller may receive a later writer's answer
        return new WriteBatch(liveNode, pending.mustInvalidate, pending.requestCount);
      }
    }

    public void endWrite(WriteBatch batch, FlushResult answer) {
      synchronized (StatusWrites.this) {
        pending.isWriting = false;
        pending.coveredCount = batch.requestCount();
        pending.answer = answer;
        takeAnswer();
      }
      pending.signal.raise();
    }

    // Returns the answer of the write that covered the request.
    public FlushResult takeAnswer() {
      synchronized (StatusWrites.this) {
        if (pending.requestCount == pending.coveredCount && !pending.isWriting) {
          pendingByNode.remove(node, pending);
        }
        return pending.answer;
      }
    }
  }

  /**
   * Write that covers all requests so far.
   *
   * @param liveNode node as a caller read it; null if none did
   * @param mustInvalidate whether earlier patches must become invalid
   */
  public record WriteBatch(@Nullable Node liveNode, boolean mustInvalidate, long requestCount) {}

  private final Map<String, PendingWrites> pendingByNode = new HashMap<>();
  private final Map<String, Uid> invalidatedUids = new HashMap<>();

  public synchronized Request addRequest(
      String node, @Nullable Node liveNode, boolean mustInvalidate, Time time) {
    PendingWrites pending =
        pendingByNode.computeIfAbsent(node, n -> new PendingWrites(time.newSignal()));
    pending.mustInvalidate |= mustInvalidate;
    pending.liveNode = liveNode == null ? pending.liveNode : liveNode;
    return new Request(node, pending);
  }

  /** Records that no earlier patch of the Node can take effect any more. */
  public synchronized void setInvalidated(Node node) {
    invalidatedUids.put(node.meta().name(), node.meta().uid());
  }

  public synchronized boolean isInvalidated(Node node) {
    return node.meta().uid().equals(invalidatedUids.get(node.meta().name()));
  }

  public synchronized void forget(String node) {
    invalidatedUids.remove(node);
  }
}
