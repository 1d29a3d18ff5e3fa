package dev.mooring.workqueue;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue of keys with the guarantees G1–G12 of this package. Thread-safe; {@link #add} never
 * blocks for longer than a short lock.
 *
 * @param <K> the key, with equals and hashCode
 */
public final class WorkQueue<K> {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

  private final String name;
  private final Time time;
  private final Backoff<K> backoff;
  private final Delays<K> delays;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition available;
  private final Condition drained;
  private final QueueCounters counters = new QueueCounters();
  private final Keys<K> keys;
  private int waiting;
  private boolean shutDown;

  /** An empty queue with Kubernetes' default back-off. */
  public WorkQueue(String name, Time time) {
    this(name, time, new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP));
  }

  /**
   * An empty queue.
   *
   * @param name its name in metrics
   * @param time clock and timer
   * @param backoff how long failing keys wait
   */
  public WorkQueue(String name, Time time, Backoff<K> backoff) {
    this(name, time, backoff, new Ready.InOrder<>(), Integer.MAX_VALUE);
  }

  /**
   * An empty queue that serves owners in turn (G8), with Kubernetes' default back-off.
   *
   * @param name its name in metrics
   * @param time clock and timer
   * @param ownerOf whose a key is, for example its namespace; quick, and always the same for a key
   * @param <K> the key
   */
  public static <K> WorkQueue<K> fair(String name, Time time, Function<K, Object> ownerOf) {
    return fair(name, time, new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP), ownerOf);
  }

  /** The same with another back-off. */
  public static <K> WorkQueue<K> fair(
      String name, Time time, Backoff<K> backoff, Function<K, Object> ownerOf) {
    return fair(name, time, backoff, ownerOf, Integer.MAX_VALUE);
  }

  /**
   * The same.
   *
   * @param backoff how long failing keys wait
   * @param mostComputing how many keys may be computed for at once (G9), at least 1: for work under
   *     one lock, where whoever waits for it would wait behind all that were taken before
   */
  public static <K> WorkQueue<K> fair(
      String name, Time time, Backoff<K> backoff, Function<K, Object> ownerOf, int mostComputing) {
    return new WorkQueue<>(name, time, backoff, new Ready.Fair<>(ownerOf), mostComputing);
  }

  private WorkQueue(String name, Time time, Backoff<K> backoff, Ready<K> ready, int mostComputing) {
    if (mostComputing < 1) {
      throw new IllegalArgumentException(
          "queue " + name + " needs at least 1 key to compute for, was " + mostComputing);
    }
    this.name = name;
    this.time = time;
    this.backoff = backoff;
    this.keys = new Keys<>(ready, mostComputing, time, counters);
    this.available = time.condition(lock);
    this.drained = time.condition(lock);
    this.delays = new Delays<>(time, key -> add(key, false));
  }

  /**
   * Adds a key: to the end if it is neither queued nor processed (G1, G4), after its processing if
   * it is (G3).
   */
  public void add(K key) {
    add(key, !OwnDoing.isCurrent());
  }

  private void add(K key, boolean prompted) {
    lock.lock();
    try {
      if (!shutDown && keys.add(key, prompted)) {
        signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a key as {@link #add} does, but to be taken before its owner's other keys (G11), also if
   * it is queued already: for what has been begun, and can be ended now. The same for a key that is
   * being processed, when it is queued again.
   */
  public void addForward(K key) {
    boolean prompted = !OwnDoing.isCurrent();
    lock.lock();
    try {
      if (!shutDown && keys.addForward(key, prompted)) {
        signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the key that is being processed was taken before others (G11). */
  public boolean wasForward(K key) {
    lock.lock();
    try {
      return keys.wasForward(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a key as {@link #add} does, but leaves one that has failed to its back-off (G10): for who
   * cannot tell whether anything has changed for it.
   */
  public void remind(K key) {
    lock.lock();
    try {
      if (!shutDown && !keys.remind(key) && !isBackingOff(key)) {
        add(key, false);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isBackingOff(K key) {
    return backoff.failures(key) > 0 && delays.contains(key);
  }

  private void signal() {
    if (waiting > 0) {
      available.signal();
    }
  }

  /**
   * Adds a key after a delay (G5); at once for zero or less. If the key is already delayed, the
   * earlier moment counts.
   */
  public void addAfter(K key, Duration delay) {
    if (delay.isPositive()) {
      delays.add(key, delay);
    } else {
      add(key);
    }
  }

  /** Adds a key after its back-off, which thereby grows (G6). */
  public void addRateLimited(K key) {
    addRateLimited(key, Duration.ZERO);
  }

  /** The same, but not before that time is over. */
  public void addRateLimited(K key, Duration earliest) {
    Duration wait = backoff.next(key);
    retry(key, wait.compareTo(earliest) < 0 ? earliest : wait);
  }

  /** The same, but when that time is over at the latest. */
  public void addRateLimitedWithin(K key, Duration longest) {
    retry(key, backoff.next(key, longest));
  }

  private void retry(K key, Duration wait) {
    lock.lock();
    try {
      counters.retried();
    } finally {
      lock.unlock();
    }
    addAfter(key, wait);
  }

  /** Ends the key's back-off: the next failure waits the shortest time again. */
  public void forget(K key) {
    backoff.forget(key);
  }

  /**
   * Whether the key that is being processed was asked for from outside since it was taken last; and
   * forgets that. What comes out of {@link OwnDoing}, and what was delayed, is not from outside.
   */
  public boolean takePrompt(K key) {
    lock.lock();
    try {
      return keys.takePrompt(key);
    } finally {
      lock.unlock();
    }
  }

  /** Before the workers start: reserves a quarter of that many for owners not served (G12). */
  public void serve(int workers) {
    keys.serve(workers); // their start makes it visible to them
  }

  /** Counts how a key's processing ended, for metrics. */
  public void count(Ended how) {
    counters.ended(how);
  }

  /** Its name in metrics. */
  public String name() {
    return name;
  }

  /** Its clock and timer. */
  public Time time() {
    return time;
  }

  /** How often the key has failed since it was last forgotten. */
  public int failures(K key) {
    return backoff.failures(key);
  }

  /**
   * Waits for a key and hands it to the caller, who must call {@link #done} (G2).
   *
   * @throws InterruptedException if interrupted while waiting; no key is lost
   */
  public Taken<K> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      @Nullable K key = keys.take();
      while (key == null) {
        if (shutDown && keys.queued() == 0) {
          return new Taken.ShutDown<>();
        }
        waiting++;
        try {
          available.await();
        } finally {
          waiting--;
        }
        key = keys.take();
      }
      if (shutDown && keys.queued() == 0) {
        available.signalAll(); // nothing is left that they could be waiting for
      }
      return new Taken.Item<>(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says that the key's processing waits for somebody else, so that another key may be taken (G9).
   * Nothing happens for a key that is not being processed.
   */
  public void waits(K key) {
    if (!keys.isBounded()) {
      return;
    }
    lock.lock();
    try {
      if (keys.waits(key)) {
        signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says that the key's processing is over. A key that was added meanwhile is queued again (G3).
   */
  public void done(K key) {
    lock.lock();
    try {
      Keys.Entry<K> entry = keys.processed(key);
      if (keys.computed(entry) | keys.freed(entry)) {
        signal();
      }
      if (entry.isAdded() || entry.isReminded() && !isBackingOff(key)) {
        keys.queueAgain(entry);
        signal();
      }
      if (shutDown && keys.isEmpty()) {
        drained.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses further keys, drops delayed ones and lets takers finish what is queued (G7). Repeating
   * it is harmless.
   */
  public void shutDown() {
    delays.close();
    lock.lock();
    try {
      shutDown = true;
      available.signalAll();
      drained.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Shuts down and waits until nothing is queued or processed any more (G7).
   *
   * @return whether that was so before the time was over
   * @throws InterruptedException if interrupted while waiting
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    shutDown();
    long left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (!keys.isEmpty()) {
        if (left <= 0) {
          return false;
        }
        left = drained.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How many keys wait, delayed ones not counted. */
  public int depth() {
    lock.lock();
    try {
      return keys.queued();
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing is queued or processed, and no delayed key falls due within that time. */
  public boolean isIdle(Duration within) {
    lock.lock();
    try {
      return keys.isEmpty() && !delays.isDue(within);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until {@link #isIdle} for no time ahead, at most so long; whether it came to that.
   *
   * @throws InterruptedException if interrupted meanwhile
   */
  public boolean awaitIdle(Duration most) throws InterruptedException {
    long end = time.nanos() + most.toNanos();
    while (!isIdle(Duration.ZERO)) {
      if (end - time.nanos() <= 0) {
        return false;
      }
      time.sleep(BETWEEN_LOOKS);
    }
    return true;
  }

  /** The metrics of this moment. */
  public QueueStats stats() {
    lock.lock();
    try {
      return counters.stats(name, keys.queued(), keys.running());
    } finally {
      lock.unlock();
    }
  }
}
