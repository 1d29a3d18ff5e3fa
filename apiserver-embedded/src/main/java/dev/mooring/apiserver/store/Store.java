package dev.mooring.apiserver.store;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Arrays;
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
 * The objects of one resource: an ordered map, and a ring of the latest events. Each watch reads
 * the ring with its own cursor, so a slow watch delays no other. One lock guards the store; the
 * function of a write runs under it. Thread-safe.
 */
public final class Store {
  private static final int RING_SIZE = 1 << 14;
  private static final int FIRST_RING_SIZE = 1 << 5;

  @FunctionalInterface
  public interface ObjectChange<E extends Exception> {
    /**
     * Returns the new tree.
     *
     * @param current the object; null if it does not exist
     * @return the new tree without kind and apiVersion ({@code current.tree()} for no change), or
     *     null to delete the object
     */
    @Nullable JsonObject apply(@Nullable StoredObject current) throws E;
  }

  public record ObjectListing(long version, Collection<StoredObject> objects) {}

  private final String resource;
  private final AtomicLong clock;
  private final Journal journal;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TreeMap<String, StoredObject> objects = new TreeMap<>();
  private @Nullable StoreEvent[] ring = new StoreEvent[FIRST_RING_SIZE]; // grows to RING_SIZE
  private long nextSequence; // sequence number of the next event
  private long evictedVersion; // the ring has no events up to this version
  private boolean isClosed;

  public Store(String resource, AtomicLong clock, Journal journal) {
    this.resource = resource;
    this.clock = clock;
    this.journal = journal;
    this.evictedVersion = clock.get();
  }

  /** Restores objects from a journal. Call it before the first write. */
  public void restore(Map<String, JsonObject> trees) {
    trees.forEach((key, tree) ->
        objects.put(
            key,
            new StoredObject(
                key, tree, tree.getAsJsonObject("metadata").get("resourceVersion").getAsLong())));
  }

  public @Nullable StoredObject get(String key) {
    lock.lock();
    try {
      return objects.get(key);
    } finally {
      lock.unlock();
    }
  }

  public int size() {
    lock.lock();
    try {
      return objects.size();
    } finally {
      lock.unlock();
    }
  }

  public long version() {
    return clock.get();
  }

  /** Returns the version of the last change of an object of this store; 0 if there was none. */
  public long lastChange() {
    lock.lock();
    try {
      return nextSequence == 0 ? 0 : getEvent(nextSequence - 1).version();
    } finally {
      lock.unlock();
    }
  }

  public ObjectListing list(String prefix) {
    lock.lock();
    try {
      return new ObjectListing(clock.get(), List.copyOf(selectPrefix(objects, prefix).values()));
    } finally {
      lock.unlock();
    }
  }

  private static Map<String, StoredObject> selectPrefix(
      TreeMap<String, StoredObject> map, String prefix) {
    return prefix.isEmpty() ? map : map.subMap(prefix, prefix + Character.MAX_VALUE);
  }

  /**
   * Returns the objects whose keys start with the prefix, as of a version; empty if the ring no
   * longer has that version's events.
   */
  public Optional<ObjectListing> listAt(String prefix, long version) {
    lock.lock();
    try {
      if (version < evictedVersion) {
        return Optional.empty();
      }
      TreeMap<String, StoredObject> pastObjects = new TreeMap<>(selectPrefix(objects, prefix));
      for (long sequence = nextSequence - 1;
          sequence >= Math.max(0, nextSequence - RING_SIZE);
          sequence--) {
        StoreEvent event = getEvent(sequence);
        if (event.version() <= version) {
          break;
        }
        StoredObject subject = event.after() != null ? event.after() : event.before();
        if (subject != null && subject.key().startsWith(prefix)) {
          if (event.before() == null) {
            pastObjects.remove(subject.key());
          } else {
            pastObjects.put(subject.key(), event.before());
          }
        }
      }
      return Optional.of(new ObjectListing(version, pastObjects.values()));
    } finally {
      lock.unlock();
    }
  }

  private StoreEvent getEvent(long sequence) {
    StoreEvent event = ring[(int) (sequence & (ring.length - 1))];
    if (event == null) {
      throw new IllegalStateException("no event " + sequence + " of " + resource);
    }
    return event;
  }

  /**
   * Changes one object.
   *
   * @return the new object; after a deletion the last state with the deletion's version; null if
   *     the object did not and does not exist
   * @throws IllegalArgumentException if the new tree has a kind or an apiVersion: answers would
   *     have them twice
   */
  public <E extends Exception> @Nullable StoredObject write(String key, ObjectChange<E> change)
      throws E {
    lock.lock();
    try {
      StoredObject old = objects.get(key);
      JsonObject tree = change.apply(old);
      if (old == null ? tree == null : tree == old.tree()) {
        return old;
      }
      requireBareTree(key, tree);
      return commit(key, old, tree);
    } finally {
      lock.unlock();
    }
  }

  private void requireBareTree(String key, @Nullable JsonObject tree) {
    if (tree != null && (tree.has("kind") || tree.has("apiVersion"))) {
      throw new IllegalArgumentException(
          "the tree of " + resource + " " + key + " has a kind or an apiVersion");
    }
  }

  private StoredObject commit(String key, @Nullable StoredObject old, @Nullable JsonObject tree) {
    long version = clock.incrementAndGet();
    StoreEvent event;
    StoredObject result;
    if (tree == null) {
      JsonObject lastTree = old == null ? new JsonObject() : old.copy();
      setVersion(lastTree, version);
      result = new StoredObject(key, lastTree, version);
      event = new StoreEvent(version, old, null, result);
    } else {
      setVersion(tree, version);
      result = new StoredObject(key, tree, version);
      event = new StoreEvent(version, old, result, null);
    }
    journal.record(resource, key, version, tree);
    if (tree == null) {
      objects.remove(key);
    } else {
      objects.put(key, result);
    }
    if (nextSequence == ring.length && ring.length < RING_SIZE) {
      ring = Arrays.copyOf(ring, ring.length * 2);
    }
    int slot = (int) (nextSequence & (ring.length - 1));
    StoreEvent evicted = ring[slot];
    if (evicted != null) {
      evictedVersion = evicted.version();
    }
    ring[slot] = event;
    nextSequence++;
    changed.signalAll();
    return result;
  }

  private static void setVersion(JsonObject tree, long version) {
    tree.getAsJsonObject("metadata")
        .add("resourceVersion", new JsonPrimitive(Long.toString(version)));
  }

  /** Reads events. Not thread-safe. */
  public final class EventCursor {
    private long position;

    private EventCursor(long position) {
      this.position = position;
    }

    /**
     * Takes the events since the last call, and waits if there are none.
     *
     * @return the events; empty after a timeout; null if the ring has overwritten this cursor's
     *     next event or the store is closed
     */
    public @Nullable List<StoreEvent> take(int maxEvents, long waitNanos)
        throws InterruptedException {
      long remainingNanos = waitNanos;
      lock.lock();
      try {
        while (position == nextSequence && remainingNanos > 0 && !isClosed) {
          remainingNanos = changed.awaitNanos(remainingNanos);
        }
        return takePresent(maxEvents);
      } finally {
        lock.unlock();
      }
    }

    /**
     * Takes the events since the last call without waiting.
     *
     * @return the events; null if the ring has overwritten this cursor's next event or the store is
     *     closed
     */
    public @Nullable List<StoreEvent> takePresent(int maxEvents) {
      lock.lock();
      try {
        if (isClosed || position < nextSequence - RING_SIZE) {
          return null;
        }
        int count = (int) Math.min(maxEvents, nextSequence - position);
        List<StoreEvent> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          events.add(getEvent(position++));
        }
        return events;
      } finally {
        lock.unlock();
      }
    }

    public long version() {
      lock.lock();
      try {
        return position == nextSequence
            ? clock.get()
            : position == 0
                ? evictedVersion
                : position > nextSequence - RING_SIZE
                        && position > 0
                        && position - 1 >= nextSequence - RING_SIZE
                    ? getEvent(position - 1).version()
                    : evictedVersion;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns a cursor that starts after the version; empty if the ring no longer has its events. */
  public Optional<EventCursor> openCursor(long version) {
    lock.lock();
    try {
      if (version < evictedVersion) {
        return Optional.empty();
      }
      long sequence = nextSequence;
      while (sequence > Math.max(0, nextSequence - RING_SIZE)
          && getEvent(sequence - 1).version() > version) {
        sequence--;
      }
      return Optional.of(new EventCursor(sequence));
    } finally {
      lock.unlock();
    }
  }

  /** Returns a list and adds to {@code cursor} a cursor that starts just after it. */
  public ObjectListing listAndOpenCursor(String prefix, List<EventCursor> cursor) {
    lock.lock();
    try {
      cursor.add(new EventCursor(nextSequence));
      return new ObjectListing(clock.get(), List.copyOf(selectPrefix(objects, prefix).values()));
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the store reaches the version; returns false after a timeout. */
  public boolean awaitVersion(long version, long time, TimeUnit unit) throws InterruptedException {
    long remainingNanos = unit.toNanos(time);
    lock.lock();
    try {
      while (clock.get() < version) {
        if (remainingNanos <= 0) {
          return false;
        }
        remainingNanos =
            changed.awaitNanos(Math.min(remainingNanos, 50_000_000))
                + Math.max(0, remainingNanos - 50_000_000);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
