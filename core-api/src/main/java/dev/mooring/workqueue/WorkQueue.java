package dev.mooring.workqueue;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue of keys with the guarantees G1–G12 of this package. Thread-safe; {@link #add} blocks only
 * for a short lock.
 *
 * @param <K> type of the keys, with equals and hashCode
 */
public final class WorkQueue<K> {
  private final String name;
  private final Time time;
  private final Backoff<K> backoff;
  private final DelayedKeys<K> delayedKeys;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition available;
  private final Condition drained;
  private final QueueCounters counters = new QueueCounters();
  private final ActiveKeys<K> activeKeys;
  private int waitingWorkers;
  private boolean shutDown;

  public WorkQueue(String name, Time time) {
    this(name, time, new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP));
  }

  public WorkQueue(String name, Time time, Backoff<K> backoff) {
    this(name, time, backoff, new ReadyKeys.Fifo<>(), Integer.MAX_VALUE);
  }

  /**
   * Creates a queue that serves owners in turn (G8), with Kubernetes' default back-off.
   *
   * @param name name in metrics
   * @param time clock and timer
   * @param ownerOf returns the owner of a key, for example its namespace; must be fast and return
   *     the same owner for the same key
   * @param <K> type of the keys
   */
  public static <K> WorkQueue<K> fair(String name, Time time, Function<K, Object> ownerOf) {
    return fair(name, time, new Backoff<>(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_CAP), ownerOf);
  }

  public static <K> WorkQueue<K> fair(
      String name, Time time, Backoff<K> backoff, Function<K, Object> ownerOf) {
    return fair(name, time, backoff, ownerOf, Integer.MAX_VALUE);
  }

  /**
   * Creates a queue that serves owners in turn (G8) and limits concurrent computation (G9).
   *
   * @param backoff back-off of failing keys
   * @param maxComputing maximum number of keys in computation, at least 1. Intended for work under
   *     one lock, where further keys would only wait for the lock in the order in which they were
   *     taken
   */
  public static <K> WorkQueue<K> fair(
      String name, Time time, Backoff<K> backoff, Function<K, Object> ownerOf, int maxComputing) {
    ReadyKeys<K> readyKeys = new ReadyKeys.Fair<>(ownerOf, new WorkerReserve());
    return new WorkQueue<>(name, time, backoff, readyKeys, maxComputing);
  }

  /** Creates a queue that serves owners in turn (G8), as a gate admits their keys (G13). */
  public static <K> WorkQueue<K> gated(
      String name, Time time, Backoff<K> backoff, Function<K, Object> ownerOf, LaneGate<K> gate) {
    ReadyKeys<K> readyKeys = new GatedKeys<>(ownerOf, gate);
    WorkQueue<K> queue = new WorkQueue<>(name, time, backoff, readyKeys, Integer.MAX_VALUE);
    gate.onRoom(queue::roomFound);
    return queue;
  }

  private void roomFound() {
    lock.lock();
    try {
      signalWorker();
    } finally {
      lock.unlock();
    }
  }

  private WorkQueue(
      String name, Time time, Backoff<K> backoff, ReadyKeys<K> readyKeys, int maxComputing) {
    if (maxComputing < 1) {
      throw new IllegalArgumentException(
          "queue " + name + " needs a limit of at least 1 computing key, was " + maxComputing);
    }
    this.name = name;
    this.time = time;
    this.backoff = backoff;
    this.activeKeys = new ActiveKeys<>(readyKeys, maxComputing, time, counters);
    this.available = time.newCondition(lock);
    this.drained = time.newCondition(lock);
    this.delayedKeys = new DelayedKeys<>(time, key -> add(key, false));
  }

  /**
   * Adds a key: at the end if it is neither queued nor processed (G1, G4), or after its processing
   * (G3).
   */
  public void add(K key) {
    add(key, !ReconcileContext.isReconciling());
  }

  private void add(K key, boolean isExternal) {
    lock.lock();
    try {
      if (!shutDown && activeKeys.add(key, isExternal)) {
        signalWorker();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a key as {@link #add} does, but to be taken before its owner's other keys (G11), also if
   * it is queued already. Intended for started work that can now be completed. A key in processing
   * is expedited when it is queued again.
   */
  public void addExpedited(K key) {
    boolean isExternal = !ReconcileContext.isReconciling();
    lock.lock();
    try {
      if (!shutDown && activeKeys.addExpedited(key, isExternal)) {
        signalWorker();
      }
    } finally {
      lock.unlock();
    }
  }

  public boolean wasExpedited(K key) {
    lock.lock();
    try {
      return activeKeys.wasExpedited(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a key as {@link #add} does, but leaves a failed key in its back-off (G10). Intended for
   * callers that do not know whether anything has changed for the key.
   */
  public void addIfNotBackingOff(K key) {
    lock.lock();
    try {
      if (!shutDown && !activeKeys.recordReminder(key) && !isBackingOff(key)) {
        add(key, false);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isBackingOff(K key) {
    return backoff.failures(key) > 0 && delayedKeys.contains(key);
  }

  private void signalWorker() {
    if (waitingWorkers > 0) {
      available.signal();
    }
  }

  /**
   * Adds a key after a delay (G5), or immediately if the delay is not positive. For a key that is
   * delayed already, the earlier time applies.
   */
  public void addAfter(K key, Duration delay) {
    if (delay.isPositive()) {
      delayedKeys.add(key, delay);
    } else {
      add(key);
    }
  }

  /** Adds a key after its back-off, which increases (G6). */
  public void addRateLimited(K key) {
    addRateLimited(key, Duration.ZERO);
  }

  /** Adds a key after its back-off, which increases, but not before {@code earliest}. */
  public void addRateLimited(K key, Duration earliest) {
    Duration delay = backoff.nextDelay(key);
    requeue(key, delay.compareTo(earliest) < 0 ? earliest : delay);
  }

  /** Adds a key after its back-off, which increases, but after at most {@code longest}. */
  public void addRateLimitedWithin(K key, Duration longest) {
    requeue(key, backoff.nextDelay(key, longest));
  }

  private void requeue(K key, Duration delay) {
    lock.lock();
    try {
      counters.countRetry();
    } finally {
      lock.unlock();
    }
    addAfter(key, delay);
  }

  public void forget(K key) {
    backoff.forget(key);
  }

  /**
   * Returns and clears whether an external event added the key in processing since it was last
   * taken. Additions within {@link ReconcileContext} and delayed additions are not external.
   */
  public boolean takeExternalTrigger(K key) {
    lock.lock();
    try {
      return activeKeys.takePrompt(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets the number of workers. A quarter is reserved for owners without a key in processing (G12).
   * Must be called before the workers start.
   */
  public void setWorkers(int workers) {
    activeKeys.setWorkers(workers); // starting the workers makes it visible to them
  }

  public void countOutcome(KeyOutcome outcome) {
    counters.countOutcome(outcome);
  }

  public String name() {
    return name;
  }

  public Time time() {
    return time;
  }

  public int failures(K key) {
    return backoff.failures(key);
  }

  /**
   * Waits for a key. The caller must call {@link #done} for it (G2).
   *
   * @throws InterruptedException if interrupted while waiting; no key is lost
   */
  public TakeResult<K> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      @Nullable K key = activeKeys.take();
      while (key == null) {
        if (shutDown && activeKeys.depth() == 0) {
          return new TakeResult.ShutDown<>();
        }
        waitingWorkers++;
        try {
          available.await();
        } finally {
          waitingWorkers--;
        }
        key = activeKeys.take();
      }
      if (shutDown && activeKeys.depth() == 0) {
        available.signalAll(); // no key is left for other waiting workers
      } else if (activeKeys.canBecomeReady()) {
        signalWorker(); // a gate may have room for more than one
      }
      return new TakeResult.Item<>(key);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reports that a key's processing waits, for example for the API server, so that another key may
   * be taken (G9). Has no effect for a key that is not in processing.
   */
  public void markWaiting(K key) {
    if (!activeKeys.isBounded()) {
      return;
    }
    lock.lock();
    try {
      if (activeKeys.endComputing(key)) {
        signalWorker();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends a key's processing. A key that was added meanwhile is queued again (G3). */
  public void done(K key) {
    lock.lock();
    try {
      ActiveKeys.Entry<K> entry = activeKeys.remove(key);
      if (activeKeys.endComputing(entry) | activeKeys.endProcessing(entry)) {
        signalWorker();
      }
      if (entry.isAddedAgain() || entry.isReminded() && !isBackingOff(key)) {
        activeKeys.queueAgain(entry);
        signalWorker();
      }
      if (shutDown && activeKeys.isEmpty()) {
        drained.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Rejects further keys, drops delayed keys and lets workers finish the queued ones (G7).
   * Idempotent.
   */
  public void shutDown() {
    delayedKeys.close();
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
   * Shuts down and waits until no key is queued or processed (G7).
   *
   * @return whether all keys were processed before the timeout
   * @throws InterruptedException if interrupted while waiting
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    shutDown();
    long remaining = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (!activeKeys.isEmpty()) {
        if (remaining <= 0) {
          return false;
        }
        remaining = drained.awaitNanos(remaining);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  public int depth() {
    lock.lock();
    try {
      return activeKeys.depth();
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether no key is queued, processed or due within the duration. */
  public boolean isIdle(Duration within) {
    lock.lock();
    try {
      return activeKeys.isEmpty() && !delayedKeys.isDue(within);
    } finally {
      lock.unlock();
    }
  }

  /** Returns {@link QueueStats#adds}, without the cost of the other statistics. */
  public long adds() {
    lock.lock();
    try {
      return counters.adds();
    } finally {
      lock.unlock();
    }
  }

  public QueueStats stats() {
    lock.lock();
    try {
      return counters.stats(name, activeKeys.depth(), activeKeys.processingNanos());
    } finally {
      lock.unlock();
    }
  }
}
