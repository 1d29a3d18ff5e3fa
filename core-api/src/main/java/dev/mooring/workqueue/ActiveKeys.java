package dev.mooring.workqueue;

import dev.mooring.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Queued and processing keys, and their state transitions (G1 to G4, G8, G9, G11). Not thread-safe;
 * guarded by the queue's lock.
 */
final class ActiveKeys<K> {
  private enum State {
    NEW,
    QUEUED,
    PROCESSING,
    PROCESSING_AND_REMINDED,
    PROCESSING_AND_ADDED,
    REPLACED
  }

  static final class Entry<K> {
    private final K key;
    private State state = State.NEW;
    private long stateSince;
    private boolean isExternal; // an external event queued it, since it was last taken
    private boolean computing; // taken, and not waiting since
    private boolean expedited; // to be taken before the owner's other keys
    private boolean wasExpedited; // value of expedited when it was last taken
    private int timer; // timer of its processing
    private Object owner = ""; // when it was queued; a key may change its owner
    private int lane; // when it was queued; a key may change its lane

    private Entry(K key) {
      this.key = key;
    }

    K key() {
      return key;
    }

    void setOwner(Object newOwner) {
      owner = newOwner;
    }

    Object owner() {
      return owner;
    }

    void setLane(int newLane) {
      lane = newLane;
    }

    int lane() {
      return lane;
    }

    boolean isExpedited() {
      return expedited;
    }

    /** Returns whether another entry replaces this one, which is then skipped. */
    boolean isReplaced() {
      return state == State.REPLACED;
    }

    private Entry<K> replaceByExpedited() {
      Entry<K> replacement = new Entry<>(key);
      replacement.state = state;
      replacement.stateSince = stateSince;
      replacement.isExternal = isExternal;
      replacement.expedited = true;
      replacement.owner = owner;
      replacement.lane = lane;
      state = State.REPLACED;
      return replacement;
    }

    boolean isAddedAgain() {
      return state == State.PROCESSING_AND_ADDED;
    }

    /** Returns whether the key was only reminded, not added, while it was processed. */
    boolean isReminded() {
      return state == State.PROCESSING_AND_REMINDED;
    }
  }

  private final ReadyKeys<K> readyKeys;
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private final int maxComputing;
  private final Time time;
  private final QueueCounters counters;
  private final ProcessingTimers timers = new ProcessingTimers();
  private int computingCount;

  ActiveKeys(ReadyKeys<K> readyKeys, int maxComputing, Time time, QueueCounters counters) {
    this.readyKeys = readyKeys;
    this.maxComputing = maxComputing;
    this.time = time;
    this.counters = counters;
  }

  /**
   * Queues a key that is neither queued nor processed; marks a processing key for another run.
   *
   * @param isExternal whether an external event caused the addition
   * @return whether another key is available to take
   */
  boolean add(K key, boolean isExternal) {
    Entry<K> entry = entries.computeIfAbsent(key, Entry::new);
    entry.isExternal |= isExternal;
    return queueOrMark(entry);
  }

  boolean addExpedited(K key, boolean isExternal) {
    Entry<K> entry = entries.computeIfAbsent(key, Entry::new);
    if (entry.state == State.QUEUED && !entry.expedited) {
      // removing the old entry from its deque would require a search
      entry = entry.replaceByExpedited();
      entries.put(key, entry);
      readyKeys.expedite(entry);
    }
    entry.expedited = true;
    entry.isExternal |= isExternal;
    return queueOrMark(entry);
  }

  private boolean queueOrMark(Entry<K> entry) {
    switch (entry.state) {
      case NEW -> {
        entry.stateSince = time.nanos();
        queue(entry);
        return true;
      }
      case QUEUED, REPLACED -> {
        // already queued
      }
      case PROCESSING, PROCESSING_AND_REMINDED, PROCESSING_AND_ADDED ->
          entry.state = State.PROCESSING_AND_ADDED;
    }
    return false;
  }

  private void queue(Entry<K> entry) {
    entry.state = State.QUEUED;
    readyKeys.add(entry);
    counters.countAdd();
  }

  /**
   * Returns whether the key is queued or processed. A processing key is queued again if it is not
   * in back-off when its processing ends.
   */
  boolean recordReminder(K key) {
    Entry<K> entry = entries.get(key);
    if (entry != null && entry.state == State.PROCESSING) {
      // whether the key is in back-off is known only when its processing ends
      entry.state = State.PROCESSING_AND_REMINDED;
    }
    return entry != null;
  }

  boolean takePrompt(K key) {
    Entry<K> entry = entries.get(key);
    boolean isExternal = entry != null && entry.isExternal;
    if (entry != null) {
      entry.isExternal = false;
    }
    return isExternal;
  }

  boolean wasExpedited(K key) {
    Entry<K> entry = entries.get(key);
    return entry != null && entry.wasExpedited;
  }

  /** Takes the next key; null if there is none or the limit of computing keys is reached. */
  @Nullable K take() {
    Entry<K> entry = computingCount < maxComputing ? readyKeys.poll() : null;
    if (entry == null) {
      return null;
    }
    long now = time.nanos();
    entry.computing = true;
    computingCount++;
    readyKeys.startProcessing(entry);
    counters.recordQueuedTime(now - entry.stateSince);
    entry.stateSince = now;
    entry.state = State.PROCESSING;
    entry.wasExpedited = entry.expedited;
    entry.expedited = false;
    entry.timer = timers.start(now);
    return entry.key;
  }

  boolean isBounded() {
    return maxComputing < Integer.MAX_VALUE;
  }

  boolean endComputing(K key) {
    Entry<K> entry = entries.get(key);
    return entry != null && endComputing(entry);
  }

  boolean endComputing(Entry<K> entry) {
    if (!entry.computing) {
      return false;
    }
    entry.computing = false;
    computingCount--;
    return isBounded() && readyKeys.size() > 0;
  }

  /**
   * Ends the processing of a key and removes its entry, unless {@link #queueAgain} follows.
   *
   * @throws IllegalStateException if the key is not being processed
   */
  Entry<K> remove(K key) {
    Entry<K> entry = entries.remove(key);
    if (entry == null || entry.state == State.QUEUED) {
      if (entry != null) {
        entries.put(key, entry);
      }
      throw new IllegalStateException("done(" + key + ") without take()");
    }
    long now = time.nanos();
    counters.recordProcessingTime(now - entry.stateSince);
    entry.stateSince = now;
    timers.stop(entry.timer);
    return entry;
  }

  void setWorkers(int workers) {
    readyKeys.setWorkers(workers);
  }

  boolean endProcessing(Entry<K> entry) {
    return readyKeys.endProcessing(entry);
  }

  void queueAgain(Entry<K> entry) {
    entries.put(entry.key, entry);
    queue(entry);
  }

  int depth() {
    return readyKeys.size();
  }

  boolean canBecomeReady() {
    return readyKeys.canBecomeReady();
  }

  boolean isEmpty() {
    return timers.runningCount() == 0 && readyKeys.size() == 0;
  }

  List<Long> processingNanos() {
    return timers.elapsedNanos(time.nanos());
  }
}
