package dev.mooring.workqueue;

import dev.mooring.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are queued or processed, and how each passes from one to the other (G1 to G4, G8,
 * G9, G11). Not thread-safe: the queue's lock guards it.
 */
final class Keys<K> {
  private enum State {
    NEW,
    QUEUED,
    PROCESSING,
    PROCESSING_AND_REMINDED,
    PROCESSING_AND_ADDED,
    REPLACED
  }

  /** A key from its addition until it is done. */
  static final class Entry<K> {
    private final K key;
    private State state = State.NEW;
    private long since;
    private boolean prompted; // from outside, since it was taken last
    private boolean computing; // it was taken, and waits for nobody since
    private boolean forward; // to be taken before others
    private boolean wasForward; // when it was taken last
    private int clock; // of its processing
    private Object owner = ""; // when it was queued; it may change while the entry exists

    private Entry(K key) {
      this.key = key;
    }

    K key() {
      return key;
    }

    /** Whose it is until it is queued again. */
    void belongsTo(Object other) {
      owner = other;
    }

    Object owner() {
      return owner;
    }

    /** Whether it is taken before others. */
    boolean isForward() {
      return forward;
    }

    /** Whether another stands for its key: it is passed over. */
    boolean isReplaced() {
      return state == State.REPLACED;
    }

    /** What stands for its key from now on, and is taken before others. */
    private Entry<K> replacedByForward() {
      Entry<K> other = new Entry<>(key);
      other.state = state;
      other.since = since;
      other.prompted = prompted;
      other.forward = true;
      other.owner = owner;
      state = State.REPLACED;
      return other;
    }

    /** Whether it was added while it was processed. */
    boolean isAdded() {
      return state == State.PROCESSING_AND_ADDED;
    }

    /** Whether it was reminded, and not added, while it was processed. */
    boolean isReminded() {
      return state == State.PROCESSING_AND_REMINDED;
    }
  }

  private final Ready<K> ready;
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private final int mostComputing;
  private final Time time;
  private final QueueCounters counters;
  private final Clocks processing = new Clocks();
  private int computing;

  /**
   * None yet.
   *
   * @param ready in which order they are taken
   * @param mostComputing how many may be computed for at once
   */
  Keys(Ready<K> ready, int mostComputing, Time time, QueueCounters counters) {
    this.ready = ready;
    this.mostComputing = mostComputing;
    this.time = time;
    this.counters = counters;
  }

  /**
   * Queues a key that is neither queued nor processed; one that is processed is to be queued
   * afterwards.
   *
   * @param prompted whether from outside
   * @return whether there is one more to take
   */
  boolean add(K key, boolean prompted) {
    Entry<K> entry = entries.computeIfAbsent(key, Entry::new);
    entry.prompted |= prompted;
    return added(entry);
  }

  /** The same for a key that is to be taken before others. */
  boolean addForward(K key, boolean prompted) {
    Entry<K> entry = entries.computeIfAbsent(key, Entry::new);
    if (entry.state == State.QUEUED && !entry.forward) {
      entry = entry.replacedByForward(); // to take it out of its line would take a search
      entries.put(key, entry);
      ready.bringForward(entry);
    }
    entry.forward = true;
    entry.prompted |= prompted;
    return added(entry);
  }

  private boolean added(Entry<K> entry) {
    switch (entry.state) {
      case NEW -> {
        entry.since = time.nanos();
        queue(entry);
        return true;
      }
      case QUEUED, REPLACED -> {
        // it is there
      }
      case PROCESSING, PROCESSING_AND_REMINDED, PROCESSING_AND_ADDED ->
          entry.state = State.PROCESSING_AND_ADDED;
    }
    return false;
  }

  private void queue(Entry<K> entry) {
    entry.state = State.QUEUED;
    ready.add(entry);
    counters.added();
  }

  /** Whether it is queued or processed: whether it has to come back is told when it is done. */
  boolean remind(K key) {
    Entry<K> entry = entries.get(key);
    if (entry != null && entry.state == State.PROCESSING) {
      entry.state = State.PROCESSING_AND_REMINDED; // how it ends is not known yet
    }
    return entry != null;
  }

  /** Whether it was asked for from outside since it was taken last; and forgets that. */
  boolean takePrompt(K key) {
    Entry<K> entry = entries.get(key);
    boolean prompted = entry != null && entry.prompted;
    if (entry != null) {
      entry.prompted = false;
    }
    return prompted;
  }

  /** Whether it was taken before others when it was taken last. */
  boolean wasForward(K key) {
    Entry<K> entry = entries.get(key);
    return entry != null && entry.wasForward;
  }

  /** Begins to process the next one; null if there is none, or none may be computed for. */
  @Nullable K take() {
    Entry<K> entry = computing < mostComputing ? ready.poll() : null;
    if (entry == null) {
      return null;
    }
    long now = time.nanos();
    entry.computing = true;
    computing++;
    ready.started(entry);
    counters.waited(now - entry.since);
    entry.since = now;
    entry.state = State.PROCESSING;
    entry.wasForward = entry.forward;
    entry.forward = false;
    entry.clock = processing.start(now);
    return entry.key;
  }

  /** Whether there is a bound at all to how many are computed for. */
  boolean isBounded() {
    return mostComputing < Integer.MAX_VALUE;
  }

  /** Its processing waits for somebody else; whether another may be taken for it. */
  boolean waits(K key) {
    Entry<K> entry = entries.get(key);
    return entry != null && computed(entry);
  }

  /** Nothing is computed for it any more; whether another may be taken for it. */
  boolean computed(Entry<K> entry) {
    if (!entry.computing) {
      return false;
    }
    entry.computing = false;
    computing--;
    return isBounded() && ready.size() > 0;
  }

  /**
   * The processing of the key ends: it is none of these any more, unless it is {@linkplain
   * #queueAgain queued again}.
   *
   * @throws IllegalStateException if it is not being processed
   */
  Entry<K> processed(K key) {
    Entry<K> entry = entries.remove(key);
    if (entry == null || entry.state == State.QUEUED) {
      if (entry != null) {
        entries.put(key, entry);
      }
      throw new IllegalStateException("done(" + key + ") without take()");
    }
    long now = time.nanos();
    counters.worked(now - entry.since);
    entry.since = now;
    processing.stop(entry.clock);
    return entry;
  }

  void serve(int workers) {
    ready.serve(workers);
  }

  /** Ends the processing of an entry. Returns whether a worker may now take another key. */
  boolean freed(Entry<K> entry) {
    return ready.finished(entry);
  }

  void queueAgain(Entry<K> entry) {
    entries.put(entry.key, entry);
    queue(entry);
  }

  int queued() {
    return ready.size();
  }

  /** Whether none is queued or processed. */
  boolean isEmpty() {
    return processing.running() == 0 && ready.size() == 0;
  }

  /** For how many nanoseconds each is being processed. */
  List<Long> running() {
    return processing.at(time.nanos());
  }
}
