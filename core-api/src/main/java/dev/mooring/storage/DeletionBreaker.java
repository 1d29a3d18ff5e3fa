package dev.mooring.storage;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Uid;
import dev.mooring.storage.BreakerState.Counted;
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
 * count. A caller first calls {@link #admit} and then reports the result: {@link #destroyed} or
 * {@link #spared}.
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

  private final int most;
  private final Duration window;
  private final Time time;
  private final Map<Uid, Long> destroyed = new LinkedHashMap<>(); // oldest first
  private final Set<Uid> inProgress = new HashSet<>();
  private final List<StoredCount> storedCounts = new ArrayList<>();
  private BreakerStore store = BreakerStore.NONE;
  private boolean loaded = true;
  private boolean syncing; // a thread reads or writes the store, without the lock
  private int credit; // stored deletions that have not started
  private long creditSince;
  private Hold hold = Hold.NONE;
  private Instant heldSince = Instant.EPOCH;
  private boolean holdStored = true;
  private Instant resumed = Instant.EPOCH;
  private String storeProblem = "";
  private long trips;

  /**
   * Creates a breaker without a hold and without a store.
   *
   * @param most maximum number of deletions within the window; 0 for no limit
   * @param window positive duration
   */
  public DeletionBreaker(int most, Duration window, Time time) {
    this.most = most;
    this.window = window;
    this.time = time;
  }

  /** Sets the store. No deletion is admitted until the stored state has been read. */
  public synchronized void keepIn(BreakerStore place) {
    store = place;
    loaded = most == 0;
  }

  public void recall() throws InterruptedException {
    synchronized (this) {
      if (loaded || syncing) {
        return;
      }
      syncing = true;
    }
    try {
      load();
    } finally {
      endSync();
    }
  }

  /** Requests the deletion of one volume's data. A repeated request for a volume counts once. */
  public Admission admit(Uid volume) throws InterruptedException {
    if (most == 0) {
      return Admission.GRANTED;
    }
    Optional<Admission> decision = decide(volume);
    if (decision.isPresent()) {
      return decision.get();
    }
    boolean stored;
    try {
      stored = load() && store();
    } finally {
      endSync();
    }
    return stored ? decide(volume).orElseGet(this::endDecideAfterStore) : denial();
  }

  // Returns empty if the caller must first synchronize the store and then decide again.
  private synchronized Optional<Admission> decide(Uid volume) {
    if (loaded) {
      expire();
      boolean known = destroyed.containsKey(volume) || inProgress.contains(volume);
      if (hold == Hold.NONE && !known && total() >= most) {
        trip(Hold.LIMIT);
      }
      if (hold == Hold.NONE && known) {
        return Optional.of(Admission.GRANTED);
      }
      if (hold == Hold.NONE && total() + inProgress.size() >= most) {
        return Optional.of(Admission.FULL);
      }
      if (hold == Hold.NONE && hasCredit()) {
        credit--;
        inProgress.add(volume);
        return Optional.of(Admission.GRANTED);
      }
      if (hold != Hold.NONE && holdStored) {
        return Optional.of(Admission.HELD);
      }
    }
    if (syncing) {
      return Optional.of(denial());
    }
    syncing = true;
    return Optional.empty();
  }

  private synchronized Admission endDecideAfterStore() {
    syncing = false; // decide() reserved another write, which this caller leaves to the next one
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
        && time.nanos() - creditSince < window.dividedBy(CREDIT_AGE_DIVISOR).toNanos();
  }

  private synchronized void endSync() {
    syncing = false;
  }

  private boolean load() throws InterruptedException {
    synchronized (this) {
      if (loaded) {
        return true;
      }
    }
    return switch (store.load()) {
      case ReadResult.Found<BreakerState>(BreakerState state) -> {
        restore(state);
        yield true;
      }
      case ReadResult.Absent<BreakerState> _ -> {
        restore(BreakerState.EMPTY);
        yield true;
      }
      case ReadResult.Failed<BreakerState>(String why) -> {
        logStoreProblem("read", why);
        yield false;
      }
    };
  }

  private synchronized void restore(BreakerState state) {
    loaded = true;
    storeProblem = "";
    resumed = state.resumed();
    Instant now = time.now();
    for (Counted one : state.counts()) {
      Duration age = Duration.between(one.when(), now);
      storedCounts.add(
          new StoredCount(time.nanos() - (age.isNegative() ? 0 : age.toNanos()), one.number()));
    }
    if (hold != Hold.NONE && heldSince.isBefore(resumed)) {
      hold = Hold.NONE; // resumed by another replica
      holdStored = true;
    }
    if (state.hold() != Hold.NONE) {
      hold = state.hold();
      LOG.log(Level.WARNING, () -> "deletions are still held: " + describeHold());
    }
  }

  private boolean store() throws InterruptedException {
    BreakerState wanted;
    int chunk;
    synchronized (this) {
      expire();
      int left = most - total() - inProgress.size();
      chunk = hold == Hold.NONE ? Math.clamp(most / ADVANCE_DIVISOR, 1, Math.max(1, left)) : 0;
      wanted = state(chunk);
    }
    String problem = store.save(wanted);
    if (!problem.isEmpty()) {
      logStoreProblem("stored", problem);
      return false;
    }
    synchronized (this) {
      storeProblem = "";
      credit = chunk;
      creditSince = time.nanos();
      holdStored = hold == wanted.hold();
    }
    return true;
  }

  private synchronized void logStoreProblem(String what, String why) {
    if (!why.equals(storeProblem)) {
      LOG.log(
          Level.WARNING,
          () ->
              "the count of deletions cannot be %s (%s); nothing is destroyed before it can"
                  .formatted(what, why));
    }
    storeProblem = why;
  }

  private BreakerState state(int more) {
    Instant now = time.now();
    long nanos = time.nanos();
    List<Counted> counts = new ArrayList<>();
    storedCounts.forEach(
        one -> counts.add(new Counted(now.minusNanos(nanos - one.nanos()), one.number())));
    destroyed.values().forEach(at -> counts.add(new Counted(now.minusNanos(nanos - at), 1)));
    if (inProgress.size() + more > 0) {
      counts.add(new Counted(now, inProgress.size() + more));
    }
    return new BreakerState(hold, resumed, counts).sliced(window);
  }

  private int total() {
    return destroyed.size() + storedCounts.stream().mapToInt(StoredCount::number).sum();
  }

  // Keeps the counts during a hold, because describeHold reports them.
  private void expire() {
    if (hold != Hold.NONE) {
      return;
    }
    long now = time.nanos();
    Iterator<Long> oldest = destroyed.values().iterator();
    while (oldest.hasNext() && now - oldest.next() >= window.toNanos()) {
      oldest.remove();
    }
    storedCounts.removeIf(one -> now - one.nanos() >= window.toNanos());
  }

  private void trip(Hold why) {
    hold = why;
    heldSince = time.now();
    holdStored = store == BreakerStore.NONE;
    trips++;
    LOG.log(Level.WARNING, this::describeHold);
  }

  /**
   * Holds all deletions because the API server's resourceVersions went back, as after a restore
   * from a backup. Volumes bound since the backup may be Released in the restored state. Has no
   * effect without a limit.
   */
  public synchronized void holdAfterRestore() {
    if (most != 0 && hold != Hold.RESTORE) {
      trip(Hold.RESTORE);
    }
  }

  public synchronized void destroyed(Uid volume) {
    inProgress.remove(volume);
    if (most != 0) {
      destroyed.putIfAbsent(volume, time.nanos());
    }
  }

  public synchronized void spared(Uid volume) {
    if (inProgress.remove(volume)) {
      credit++;
    }
  }

  public synchronized String describeHold() {
    String remedy =
        "; deletions are held: check that these objects are meant to go, then run 'mooring"
            + " resume-deletions'";
    return switch (hold) {
      case RESTORE ->
          "the API server's versions went back, as after a restore from a backup, and old deletions may be back with them%s"
              .formatted(remedy);
      case LIMIT, NONE ->
          "%s volumes or snapshots have been destroyed within %s min (--deletion-brake-limit, --deletion-brake-window)%s"
              .formatted(
                  total() == 0 ? "too many" : Integer.toString(total()),
                  window.toMinutes(),
                  remedy);
    };
  }

  public synchronized boolean isHolding() {
    return hold != Hold.NONE;
  }

  public synchronized long trips() {
    return trips;
  }

  /**
   * Ends the hold, also in the store, and resets the count.
   *
   * @return "" on success, else why the hold stays
   */
  public String resume() throws InterruptedException {
    BreakerState cleared;
    synchronized (this) {
      if (syncing) {
        return "the count of deletions is being stored: try again";
      }
      syncing = true;
      cleared = new BreakerState(Hold.NONE, time.now(), List.of());
    }
    try {
      String problem = store.save(cleared);
      if (problem.isEmpty()) {
        clear(cleared.resumed());
      }
      return problem;
    } finally {
      endSync();
    }
  }

  private synchronized void clear(Instant when) {
    loaded = true;
    hold = Hold.NONE;
    holdStored = true;
    resumed = when;
    credit = 0;
    destroyed.clear();
    storedCounts.clear();
  }
}
