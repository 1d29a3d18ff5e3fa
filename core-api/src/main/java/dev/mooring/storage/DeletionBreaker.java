package dev.mooring.storage;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Uid;
import dev.mooring.storage.BreakerState.DeletionCount;
import dev.mooring.storage.BreakerState.Hold;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Circuit breaker for deletions of data. Holds all deletions once a window contains too many, so
 * that a namespace deleted by mistake costs some volumes, not all. Also holds them after the API
 * server was restored from a backup. A hold lasts until an administrator resumes. Thread-safe.
 *
 * <p>Counts each deleted volume, snapshot and group of snapshots once; failed attempts do not
 * count. A caller first calls {@link #admit} and then reports the result: {@link #recordDestroyed}
 * or {@link #recordNotDestroyed}.
 *
 * <p>With a {@link BreakerStore}, count and hold survive the process. A deletion is admitted only
 * if the stored count already includes it. To save writes, the breaker stores some deletions in
 * advance, at most a twentieth of the limit. After a crash the count may thus be too high by that
 * number, but never too low.
 */
public final class DeletionBreaker {
  private static final System.Logger LOG = System.getLogger(DeletionBreaker.class.getName());
  private static final int ADVANCE_DIVISOR = 20;
  private static final int CREDIT_AGE_DIVISOR = 10; // divisor of the window

  public enum Admission {
    GRANTED,
    /** Retry soon: deletions in progress may reach the limit, or the count is not stored yet. */
    FULL,
    HELD
  }

  private record StoredCount(long nanos, int number) {}

  private final int maxDeletions;
  private final Duration window;
  private final Time time;
  private final Map<Uid, Long> deletionNanos = new LinkedHashMap<>(); // oldest first
  private final Set<Uid> inProgress = new HashSet<>();
  private final List<StoredCount> loadedCounts = new ArrayList<>();
  private BreakerStore store = BreakerStore.NONE;
  private boolean isLoaded = true;
  private boolean isSyncing; // a thread reads or writes the store, without the lock
  private int credit; // stored deletions that have not started
  private long creditNanos;
  private Hold hold = Hold.NONE;
  private Instant heldSince = Instant.EPOCH;
  private boolean isHoldStored = true;
  private Hold nextHold = Hold.NONE; // of the state that is being stored
  private int nextCredit;
  private Instant resumedAt = Instant.EPOCH;
  private String storeProblem = "";
  private long tripCount;

  /**
   * Creates a breaker without a hold and without a store.
   *
   * @param maxDeletions maximum number of deletions within the window; 0 for no limit
   * @param window positive duration
   */
  public DeletionBreaker(int maxDeletions, Duration window, Time time) {
    this.maxDeletions = maxDeletions;
    this.window = window;
    this.time = time;
  }

  /** Sets the store. No deletion is admitted until the stored state has been read. */
  public synchronized void setStore(BreakerStore newStore) {
    store = newStore;
    isLoaded = maxDeletions == 0;
  }

  // Adopts a stored hold, for example of the former leader or an administrator, and stores a hold
  // that is not stored yet.
  public void syncHold() throws InterruptedException {
    synchronized (this) {
      if (maxDeletions == 0 || isSyncing) {
        return;
      }
      isSyncing = true;
    }
    try {
      if (load() && !isHoldStored()) {
        store();
      }
    } finally {
      endSync();
    }
  }

  /** Requests the deletion of one volume's data. A repeated request for a volume counts once. */
  public Admission admit(Uid volume) throws InterruptedException {
    if (maxDeletions == 0) {
      return Admission.GRANTED;
    }
    Optional<Admission> decision = decide(volume);
    if (decision.isPresent()) {
      return decision.get();
    }
    boolean isStored;
    try {
      isStored = store();
    } finally {
      endSync();
    }
    return isStored ? decide(volume).orElseGet(this::denyAfterStore) : denial();
  }

  // Returns empty if the caller must first synchronize the store and then decide again.
  private synchronized Optional<Admission> decide(Uid volume) {
    if (isLoaded) {
      removeExpired();
      boolean isCounted = deletionNanos.containsKey(volume) || inProgress.contains(volume);
      if (hold == Hold.NONE && !isCounted && countDeletions() >= maxDeletions) {
        trip(Hold.LIMIT);
      }
      if (hold == Hold.NONE && isCounted) {
        return Optional.of(Admission.GRANTED);
      }
      if (hold == Hold.NONE && countDeletions() + inProgress.size() >= maxDeletions) {
        return Optional.of(Admission.FULL);
      }
      if (hold == Hold.NONE && hasCredit()) {
        credit--;
        inProgress.add(volume);
        return Optional.of(Admission.GRANTED);
      }
      if (hold != Hold.NONE && isHoldStored) {
        return Optional.of(Admission.HELD);
      }
    }
    if (isSyncing) {
      return Optional.of(denial());
    }
    isSyncing = true;
    return Optional.empty();
  }

  private synchronized Admission denyAfterStore() {
    endSync(); // decide() reserved another write, which the next caller performs
    return denial();
  }

  private synchronized Admission denial() {
    return hold == Hold.NONE ? Admission.FULL : Admission.HELD;
  }

  private boolean hasCredit() {
    if (store == BreakerStore.NONE) {
      credit = 1;
      return true;
    }
    return credit > 0
        && time.nanos() - creditNanos < window.dividedBy(CREDIT_AGE_DIVISOR).toNanos();
  }

  private synchronized void endSync() {
    isSyncing = false;
    notifyAll();
  }

  private synchronized boolean isHoldStored() {
    return isHoldStored;
  }

  private boolean load() throws InterruptedException {
    return switch (store.load()) {
      case ReadResult.Found<BreakerState>(BreakerState state) -> {
        adopt(state);
        yield true;
      }
      case ReadResult.Absent<BreakerState> _ -> {
        adopt(BreakerState.EMPTY);
        yield true;
      }
      case ReadResult.Failed<BreakerState>(String message) -> {
        logStoreProblem("read", message);
        yield false;
      }
    };
  }

  private synchronized void adopt(BreakerState state) {
    if (!isLoaded) {
      restore(state);
    }
    if (state.hold() != Hold.NONE && hold != Hold.RESTORE && hold != state.hold()) {
      hold = state.hold();
      LOG.log(Level.WARNING, () -> "deletions are held, as stored: " + describeHold());
    }
    isHoldStored = hold == state.hold();
  }

  private void restore(BreakerState state) {
    isLoaded = true;
    storeProblem = "";
    resumedAt = state.resumedAt();
    Instant now = time.now();
    for (DeletionCount count : state.counts()) {
      Duration age = Duration.between(count.time(), now);
      loadedCounts.add(
          new StoredCount(
              time.nanos() - (age.isNegative() ? 0 : age.toNanos()), count.deletions()));
    }
    if (hold != Hold.NONE && heldSince.isBefore(resumedAt)) {
      hold = Hold.NONE; // resumed by another replica
    }
  }

  private boolean store() throws InterruptedException {
    String problem = store.update(this::createNextState);
    if (!problem.isEmpty()) {
      logStoreProblem("stored", problem);
      return false;
    }
    synchronized (this) {
      storeProblem = "";
      credit = nextCredit;
      creditNanos = time.nanos();
      isHoldStored = hold == nextHold;
    }
    return true;
  }

  private synchronized BreakerState createNextState(BreakerState stored) {
    adopt(stored);
    removeExpired();
    int remaining = maxDeletions - countDeletions() - inProgress.size();
    nextHold = hold;
    nextCredit =
        hold == Hold.NONE
            ? Math.clamp(maxDeletions / ADVANCE_DIVISOR, 1, Math.max(1, remaining))
            : 0;
    return createState(nextCredit);
  }

  private synchronized void logStoreProblem(String action, String problem) {
    if (!problem.equals(storeProblem)) {
      LOG.log(
          Level.WARNING,
          () ->
              "the count of deletions cannot be %s (%s); nothing is destroyed before it can"
                  .formatted(action, problem));
    }
    storeProblem = problem;
  }

  private BreakerState createState(int advance) {
    Instant now = time.now();
    long nanos = time.nanos();
    List<DeletionCount> counts = new ArrayList<>();
    loadedCounts.forEach(count ->
        counts.add(new DeletionCount(now.minusNanos(nanos - count.nanos()), count.number())));
    deletionNanos
        .values()
        .forEach(
            deletedNanos -> counts.add(new DeletionCount(now.minusNanos(nanos - deletedNanos), 1)));
    if (inProgress.size() + advance > 0) {
      counts.add(new DeletionCount(now, inProgress.size() + advance));
    }
    return new BreakerState(hold, resumedAt, counts).mergeSlices(window);
  }

  private int countDeletions() {
    return deletionNanos.size() + loadedCounts.stream().mapToInt(StoredCount::number).sum();
  }

  // Keeps the counts during a hold, because describeHold reports them.
  private void removeExpired() {
    if (hold != Hold.NONE) {
      return;
    }
    long now = time.nanos();
    Iterator<Long> oldest = deletionNanos.values().iterator();
    while (oldest.hasNext() && now - oldest.next() >= window.toNanos()) {
      oldest.remove();
    }
    loadedCounts.removeIf(count -> now - count.nanos() >= window.toNanos());
  }

  private void trip(Hold reason) {
    hold = reason;
    heldSince = time.now();
    isHoldStored = store == BreakerStore.NONE;
    tripCount++;
    LOG.log(Level.WARNING, this::describeHold);
  }

  /**
   * Holds all deletions because the API server's resourceVersions went back, as after a restore
   * from a backup. Volumes bound since the backup may be Released in the restored state. Has no
   * effect without a limit.
   */
  public synchronized void holdAfterRestore() {
    if (maxDeletions != 0 && hold != Hold.RESTORE) {
      trip(Hold.RESTORE);
    }
  }

  public synchronized void recordDestroyed(Uid volume) {
    inProgress.remove(volume);
    if (maxDeletions != 0) {
      deletionNanos.putIfAbsent(volume, time.nanos());
    }
  }

  public synchronized void recordNotDestroyed(Uid volume) {
    if (inProgress.remove(volume)) {
      credit++;
    }
  }

  public synchronized String describeHold() {
    String remedy =
        "; deletions are held: check the Released volumes and the objects being deleted, then run 'mooring"
            + " resume-deletions'";
    return switch (hold) {
      case RESTORE ->
          "the API server's versions went back, as after a restore from a backup: volumes in use may look deleted%s"
              .formatted(remedy);
      case LIMIT, NONE ->
          "%s volumes or snapshots have been destroyed within %s min (--deletion-brake-limit, --deletion-brake-window)%s"
              .formatted(
                  countDeletions() == 0 ? "too many" : Integer.toString(countDeletions()),
                  window.toMinutes(),
                  remedy);
    };
  }

  public synchronized boolean isHolding() {
    return hold != Hold.NONE;
  }

  public synchronized long tripCount() {
    return tripCount;
  }

  /**
   * Ends the hold, also in the store, and resets the count.
   *
   * @return "" on success, else why the hold stays
   */
  public String resume() throws InterruptedException {
    BreakerState cleared;
    synchronized (this) {
      while (isSyncing) {
        wait();
      }
      isSyncing = true;
      cleared = new BreakerState(Hold.NONE, time.now(), List.of());
    }
    try {
      String problem = store.save(cleared);
      if (problem.isEmpty()) {
        reset(cleared.resumedAt());
      }
      return problem;
    } finally {
      endSync();
    }
  }

  private synchronized void reset(Instant resumeTime) {
    isLoaded = true;
    hold = Hold.NONE;
    isHoldStored = true;
    resumedAt = resumeTime;
    credit = 0;
    deletionNanos.clear();
    loadedCounts.clear();
  }
}
