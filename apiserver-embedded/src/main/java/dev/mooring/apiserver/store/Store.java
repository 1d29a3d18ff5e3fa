package dev.mooring.apiserver.store;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one resource: an ordered map, and a ring of the last events that watches read with
 * a cursor of their own, so that a slow watcher costs nobody anything. One lock; a write's function
 * runs under it.
 */
public final class Store {
  private static final int RING = 1 << 14;

  /** A change of one object. */
  @FunctionalInterface
  public interface Change<E extends Exception> {
    /**
     * Decides what becomes of it.
     *
     * @param current the object, null if there is none
     * @return the new tree (may be {@code current.tree()} for no change), or null to delete it
     */
    @Nullable JsonObject apply(@Nullable Stored current) throws E;
  }

  /**
   * A list at one version.
   *
   * @param version the version
   * @param objects the objects in key order
   */
  public record Listing(long version, Collection<Stored> objects) {}

  private final String resource;
  private final AtomicLong clock;
  private final Journal journal;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition written = lock.newCondition();
  private final TreeMap<String, Stored> objects = new TreeMap<>();
  private final @Nullable StoreEvent[] ring = new StoreEvent[RING];
  private long next; // sequence number of the next event
  private long floor; // events up to this version are not in the ring
  private boolean closed;

  /**
   * An empty store.
   *
   * @param resource its name in the journal
   * @param clock the versions, shared by all stores
   * @param journal where writes are noted
   */
  public Store(String resource, AtomicLong clock, Journal journal) {
    this.resource = resource;
    this.clock = clock;
    this.journal = journal;
    this.floor = clock.get();
  }

  /** Puts back what a journal held; only before the first write. */
  public void restore(Map<String, JsonObject> trees) {
    trees.forEach((key, tree) ->
        objects.put(
            key,
            new Stored(
                key, tree, tree.getAsJsonObject("metadata").get("resourceVersion").getAsLong())));
  }

  /** The object, null if there is none. */
  public @Nullable Stored get(String key) {
    lock.lock();
    try {
      return objects.get(key);
    } finally {
      lock.unlock();
    }
  }

  /** How many objects there are. */
  public int size() {
    lock.lock();
    try {
      return objects.size();
    } finally {
      lock.unlock();
    }
  }

  /** The newest version of any resource. */
  public long version() {
    return clock.get();
  }

  /** Everything whose key begins so, as it is now. */
  public Listing list(String prefix) {
    lock.lock();
    try {
      return new Listing(clock.get(), List.copyOf(range(objects, prefix).values()));
    } finally {
      lock.unlock();
    }
  }

  private static Map<String, Stored> range(TreeMap<String, Stored> map, String prefix) {
    return prefix.isEmpty() ? map : map.subMap(prefix, prefix + Character.MAX_VALUE);
  }

  /** Everything whose key begins so, as it was at that version; empty if that is too long ago. */
  public Optional<Listing> listAt(String prefix, long version) {
    lock.lock();
    try {
      if (version < floor) {
        return Optional.empty();
      }
      TreeMap<String, Stored> then = new TreeMap<>(range(objects, prefix));
      for (long at = next - 1; at >= Math.max(0, next - RING); at--) {
        StoreEvent event = eventAt(at);
        if (event.version() <= version) {
          break;
        }
        Stored subject = event.after() != null ? event.after() : event.before();
        if (subject != null && subject.key().startsWith(prefix)) {
          if (event.before() == null) {
            then.remove(subject.key());
          } else {
            then.put(subject.key(), event.before());
          }
        }
      }
      return Optional.of(new Listing(version, then.values()));
    } finally {
      lock.unlock();
    }
  }

  private StoreEvent eventAt(long sequence) {
    StoreEvent event = ring[(int) (sequence & (RING - 1))];
    if (event == null) {
      throw new IllegalStateException("no event " + sequence + " of " + resource);
    }
    return event;
  }

  /**
   * Changes one object.
   *
   * @return the object as it is now, or its last state (with the deletion's version) if it was
   *     deleted; null if there was and is none
   */
  public <E extends Exception> @Nullable Stored write(String key, Change<E> change) throws E {
    lock.lock();
    try {
      Stored before = objects.get(key);
      JsonObject tree = change.apply(before);
      if (before == null ? tree == null : tree == before.tree()) {
        return before;
      }
      return commit(key, before, tree);
    } finally {
      lock.unlock();
    }
  }

  private Stored commit(String key, @Nullable Stored before, @Nullable JsonObject tree) {
    long version = clock.incrementAndGet();
    StoreEvent event;
    Stored result;
    if (tree == null) {
      JsonObject last = before == null ? new JsonObject() : before.copy();
      setVersion(last, version);
      result = new Stored(key, last, version);
      event = new StoreEvent(version, before, null, result);
    } else {
      setVersion(tree, version);
      result = new Stored(key, tree, version);
      event = new StoreEvent(version, before, result, null);
    }
    journal.note(resource, key, version, tree);
    if (tree == null) {
      objects.remove(key);
    } else {
      objects.put(key, result);
    }
    int slot = (int) (next & (RING - 1));
    StoreEvent evicted = ring[slot];
    if (evicted != null) {
      floor = evicted.version();
    }
    ring[slot] = event;
    next++;
    written.signalAll();
    return result;
  }

  private static void setVersion(JsonObject tree, long version) {
    tree.getAsJsonObject("metadata")
        .add("resourceVersion", new JsonPrimitive(Long.toString(version)));
  }

  /** A reader of events. Not thread-safe. */
  public final class Cursor {
    private long at;

    private Cursor(long at) {
      this.at = at;
    }

    /**
     * Takes what has happened since the last call, at most that many; waits for something to
     * happen.
     *
     * @return the events; empty when the time is over; null when the cursor has fallen behind the
     *     ring or the store is closed
     */
    public @Nullable List<StoreEvent> take(int most, long waitNanos) throws InterruptedException {
      long left = waitNanos;
      lock.lock();
      try {
        while (at == next && left > 0 && !closed) {
          left = written.awaitNanos(left);
        }
        if (closed || at < next - RING) {
          return null;
        }
        int count = (int) Math.min(most, next - at);
        List<StoreEvent> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          events.add(eventAt(at++));
        }
        return events;
      } finally {
        lock.unlock();
      }
    }

    /** The version up to which this cursor has been served. */
    public long version() {
      lock.lock();
      try {
        return at == next
            ? clock.get()
            : at == 0
                ? floor
                : at > next - RING && at > 0 && at - 1 >= next - RING
                    ? eventAt(at - 1).version()
                    : floor;
      } finally {
        lock.unlock();
      }
    }
  }

  /** A cursor that begins after that version; empty if that is too long ago. */
  public Optional<Cursor> from(long version) {
    lock.lock();
    try {
      if (version < floor) {
        return Optional.empty();
      }
      long at = next;
      while (at > Math.max(0, next - RING) && eventAt(at - 1).version() > version) {
        at--;
      }
      return Optional.of(new Cursor(at));
    } finally {
      lock.unlock();
    }
  }

  /** A list and a cursor that begins just after it. */
  public Listing listThen(String prefix, List<Cursor> cursor) {
    lock.lock();
    try {
      cursor.add(new Cursor(next));
      return new Listing(clock.get(), List.copyOf(range(objects, prefix).values()));
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the versions have reached that one; false when the time is over. */
  public boolean awaitVersion(long version, long time, TimeUnit unit) throws InterruptedException {
    long left = unit.toNanos(time);
    lock.lock();
    try {
      while (clock.get() < version) {
        if (left <= 0) {
          return false;
        }
        left = written.awaitNanos(Math.min(left, 50_000_000)) + Math.max(0, left - 50_000_000);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets old events: watches and lists from before now are expired, as after a compaction. */
  public void compact() {
    lock.lock();
    try {
      floor = clock.get();
    } finally {
      lock.unlock();
    }
  }

  /** Ends every watch. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      written.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
