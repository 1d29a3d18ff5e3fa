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
    record Done(@Nullable Node now) implements FlushResult {}

    // the status may be wrong
    record Failed(String problem) implements FlushResult {}
  }

  public static final FlushResult NOTHING_TO_WRITE = new FlushResult.Done(null);

  private static final class PendingWrites {
    private final Time.Signal signal;
    private long issued; // requests
    private long covered; // requests covered by the last finished write
    private FlushResult answer = NOTHING_TO_WRITE;
    private boolean writing;
    private boolean invalidates; // a waiting caller needs earlier patches to become invalid
    private @Nullable Node live; // a live node, perhaps newer than the cache

    PendingWrites(Time.Signal signal) {
      this.signal = signal;
    }
  }

  /** Request of one caller. */
  public final class Request {
    private final String node;
    private final PendingWrites writes;
    private final long number;
    private boolean mustWrite;

    private Request(String node, PendingWrites writes) {
      this.node = node;
      this.writes = writes;
      this.number = ++writes.issued;
    }

    public Time.Signal signal() {
      return writes.signal;
    }

    // Returns whether a write has covered the request, or the caller must write now.
    public boolean isReady() {
      synchronized (StatusWrites.this) {
        if (writes.covered >= number) {
          return true;
        }
        mustWrite = !writes.writing;
        writes.writing = true;
        return mustWrite;
      }
    }

    public boolean mustWrite() {
      return mustWrite;
    }

    // Begins the write. Every request so far is covered when it ends.
    public Work begin() {
      synchronized (StatusWrites.this) {
        Node live = writes.live;
        writes.live = null;
        // never reset: a waiting caller may receive a later writer's answer
        return new Work(live, writes.invalidates, writes.issued);
      }
    }

    public void end(Work work, FlushResult answer) {
      synchronized (StatusWrites.this) {
        writes.writing = false;
        writes.covered = work.upTo();
        writes.answer = answer;
        answer();
      }
      writes.signal.raise();
    }

    // Returns the answer of the write that covered the request.
    public FlushResult answer() {
      synchronized (StatusWrites.this) {
        if (writes.issued == writes.covered && !writes.writing) {
          byNode.remove(node, writes);
        }
        return writes.answer;
      }
    }
  }

  /**
   * Write that covers all requests so far.
   *
   * @param live node as a caller read it; null if none did
   * @param invalidates whether earlier patches must become invalid
   */
  public record Work(@Nullable Node live, boolean invalidates, long upTo) {}

  private final Map<String, PendingWrites> byNode = new HashMap<>();
  private final Map<String, Uid> invalidated = new HashMap<>();

  public synchronized Request add(
      String node, @Nullable Node live, boolean invalidates, Time time) {
    PendingWrites writes = byNode.computeIfAbsent(node, n -> new PendingWrites(time.signal()));
    writes.invalidates |= invalidates;
    writes.live = live == null ? writes.live : live;
    return new Request(node, writes);
  }

  /** Records that no earlier patch of the Node can take effect any more. */
  public synchronized void setInvalidated(Node node) {
    invalidated.put(node.meta().name(), node.meta().uid());
  }

  public synchronized boolean isInvalidated(Node node) {
    return node.meta().uid().equals(invalidated.get(node.meta().name()));
  }

  public synchronized void forget(String node) {
    invalidated.remove(node);
  }
}
