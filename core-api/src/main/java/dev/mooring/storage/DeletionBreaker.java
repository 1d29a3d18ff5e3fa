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
 * Stops all destruction of data when there has been unusually much of it: a namespace deleted by
 * mistake then costs some volumes, not all. It counts volumes, snapshots and groups of snapshots
 * that were destroyed, each once; failed attempts do not count. It also stops after the API server
 * was restored from a backup. It stays so until an administrator resumes. Thread-safe.
 *
 * <p>A caller asks {@link #admit} first and then reports the outcome: {@link #destroyed} or {@link
 * #spared}.
 *
 * <p>With a {@link BreakerStore} count and hold outlive the process. A deletion passes only if the
 * stored count includes it already: the breaker stores some deletions in advance, a twentieth of
 * the limit at most. So a process that ends may count up to that many too many, and never one too
 * few.
 */
public final class DeletionBreaker {
  private static final System.Logger LOG = System.getLogger(DeletionBreaker.class.getName());
  private static final int CHUNKS = 20;
  private static final int STALE_CREDIT = 10; // parts of the window

  /** Whether a volume may be destroyed. */
  public enum Admission {
    /** It may. */
    GRANTED,
    /**
     * Not now. The deletions under way may reach the limit, or the count is not stored yet. Ask
     * again soon.
     */
    FULL,
    /** No volume may, until an administrator resumes. */
    HELD
  }

  private record Earlier(long nanos, int number) {}

  private final int most;
  private final Duration window;
  private final Time time;
  private final Map<Uid, Long> destroyed = new LinkedHashMap<>(); // the first that went, first
  private final Set<Uid> going = new HashSet<>();
  private final List<Earlier> earlier = new ArrayList<>();
  private BreakerStore store = BreakerStore.NONE;
  private boolean loaded = true;
  private boolean syncing; // a thread reads or writes the store, without the lock
  private int credit; // deletions that are stored and have not begun
  private long creditSince;
  private Hold hold = Hold.NONE;
  private Instant heldSince = Instant.EPOCH;
  private boolean holdStored = true;
  private Instant resumed = Instant.EPOCH;
  private String storeProblem = "";
  private long trips;

  /**
   * A circuit breaker that holds nothing back yet and stores nothing.
   *
   * @param most how many volumes may be destroyed within the window; 0 for any number
   * @param window the window, positive
   * @param time the clock
   */
  public DeletionBreaker(int most, Duration window, Time time) {
    this.most = most;
    this.window = window;
    this.time = time;
  }

  /** Keeps count and hold there from now on; nothing is destroyed before they could be read. */
  public synchronized void keepIn(BreakerStore place) {
    store = place;
    loaded = most == 0;
  }

  /**
   * Reads count and hold of the process before, if that is still to do. {@link #admit} does it
   * otherwise.
   */
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
      synced();
    }
  }

  /** Asks to destroy one volume's data. Trying the same volume once more is no further one. */
  public Admission admit(Uid volume) throws InterruptedException {
    if (most == 0) {
      return Admission.GRANTED;
    }
    Optional<Admission> judged = judge(volume);
    if (judged.isPresent()) {
      return judged.get();
    }
    boolean stored;
    try {
      stored = load() && store();
    } finally {
      synced();
    }
    return stored ? judge(volume).orElseGet(this::fullAfterAll) : refusal();
  }

  /** Empty if the caller has to bring the store up to date before, and to judge again. */
  private synchronized Optional<Admission> judge(Uid volume) {
    if (loaded) {
      expire();
      boolean known = destroyed.containsKey(volume) || going.contains(volume);
      if (hold == Hold.NONE && !known && total() >= most) {
        trip(Hold.LIMIT);
      }
      if (hold == Hold.NONE && known) {
        return Optional.of(Admission.GRANTED);
      }
      if (hold == Hold.NONE && total() + going.size() >= most) {
        return Optional.of(Admission.FULL);
      }
      if (hold == Hold.NONE && hasCredit()) {
        credit--;
        going.add(volume);
        return Optional.of(Admission.GRANTED);
      }
      if (hold != Hold.NONE && holdStored) {
        return Optional.of(Admission.HELD);
      }
    }
    if (syncing) {
      return Optional.of(refusal());
    }
    syncing = true;
    return Optional.empty();
  }

  private synchronized Admission fullAfterAll() {
    syncing = false; // judge took it for a further write, which this caller leaves to the next
    return refusal();
  }

  private synchronized Admission refusal() {
    return hold == Hold.NONE ? Admission.FULL : Admission.HELD;
  }

  private boolean hasCredit() {
    if (store == BreakerStore.NONE) {
      credit = 1;
      return true;
    }
    return credit > 0 && time.nanos() - creditSince < window.dividedBy(STALE_CREDIT).toNanos();
  }

  private synchronized void synced() {
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
        recalled(state);
        yield true;
      }
      case ReadResult.Absent<BreakerState> _ -> {
        recalled(BreakerState.EMPTY);
        yield true;
      }
      case ReadResult.Failed<BreakerState>(String why) -> {
        troubled("read", why);
        yield false;
      }
    };
  }

  private synchronized void recalled(BreakerState state) {
    loaded = true;
    storeProblem = "";
    resumed = state.resumed();
    Instant now = time.now();
    for (Counted one : state.counts()) {
      Duration age = Duration.between(one.when(), now);
      earlier.add(new Earlier(time.nanos() - (age.isNegative() ? 0 : age.toNanos()), one.number()));
    }
    if (hold != Hold.NONE && heldSince.isBefore(resumed)) {
      hold = Hold.NONE; // resumed at another replica
      holdStored = true;
    }
    if (state.hold() != Hold.NONE) {
      hold = state.hold();
      LOG.log(Level.WARNING, () -> "deletions are still held: " + told());
    }
  }

  private boolean store() throws InterruptedException {
    BreakerState wanted;
    int chunk;
    synchronized (this) {
      expire();
      int left = most - total() - going.size();
      chunk = hold == Hold.NONE ? Math.clamp(most / CHUNKS, 1, Math.max(1, left)) : 0;
      wanted = state(chunk);
    }
    String problem = store.save(wanted);
    if (!problem.isEmpty()) {
      troubled("stored", problem);
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

  private synchronized void troubled(String what, String why) {
    if (!why.equals(storeProblem)) {
      LOG.log(
          Level.WARNING,
          () ->
              "the count of deletions cannot be "
                  + what
                  + " ("
                  + why
                  + "); nothing is destroyed before it can");
    }
    storeProblem = why;
  }

  private BreakerState state(int more) {
    Instant now = time.now();
    long nanos = time.nanos();
    List<Counted> counts = new ArrayList<>();
    earlier.forEach(
        one -> counts.add(new Counted(now.minusNanos(nanos - one.nanos()), one.number())));
    destroyed.values().forEach(at -> counts.add(new Counted(now.minusNanos(nanos - at), 1)));
    if (going.size() + more > 0) {
      counts.add(new Counted(now, going.size() + more));
    }
    return new BreakerState(hold, resumed, counts).sliced(window);
  }

  private int total() {
    return destroyed.size() + earlier.stream().mapToInt(Earlier::number).sum();
  }

  /** The counts that led to a hold stay as they are, for {@link #told}. */
  private void expire() {
    if (hold != Hold.NONE) {
      return;
    }
    long now = time.nanos();
    Iterator<Long> oldest = destroyed.values().iterator();
    while (oldest.hasNext() && now - oldest.next() >= window.toNanos()) {
      oldest.remove();
    }
    earlier.removeIf(one -> now - one.nanos() >= window.toNanos());
  }

  private void trip(Hold why) {
    hold = why;
    heldSince = time.now();
    holdStored = store == BreakerStore.NONE;
    trips++;
    LOG.log(Level.WARNING, this::told);
  }

  /**
   * Holds all deletions because the API server's versions went back, as after a restore from a
   * backup. Volumes bound since the backup may be Released in the restored state. Without effect if
   * there is no limit.
   */
  public synchronized void holdAfterRestore() {
    if (most != 0 && hold != Hold.RESTORE) {
      trip(Hold.RESTORE);
    }
  }

  /** The volume's data is gone. */
  public synchronized void destroyed(Uid volume) {
    going.remove(volume);
    if (most != 0) {
      destroyed.putIfAbsent(volume, time.nanos());
    }
  }

  /** The attempt has ended, and the volume's data was not destroyed. */
  public synchronized void spared(Uid volume) {
    if (going.remove(volume)) {
      credit++;
    }
  }

  /** The reason of the hold and the remedy, for events. */
  public synchronized String told() {
    String remedy =
        "; deletions are held: check that these objects are meant to go, then run 'mooring"
            + " resume-deletions'";
    return switch (hold) {
      case RESTORE ->
          "the API server's versions went back, as after a restore from a backup, and old deletions"
              + " may be back with it"
              + remedy;
      case LIMIT, NONE ->
          (total() == 0 ? "too many" : Integer.toString(total()))
              + " volumes or snapshots have been destroyed within "
              + window.toMinutes()
              + " min (--deletion-brake-limit, --deletion-brake-window)"
              + remedy;
    };
  }

  /** Whether it holds everything back. */
  public synchronized boolean isHolding() {
    return hold != Hold.NONE;
  }

  /** How often it has stopped deletions. */
  public synchronized long trips() {
    return trips;
  }

  /**
   * Ends the hold, also in the store, and counts from nothing.
   *
   * @return "" if deletions go on, else why the hold stays
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
      synced();
    }
  }

  private synchronized void clear(Instant when) {
    loaded = true;
    hold = Hold.NONE;
    holdStored = true;
    resumed = when;
    credit = 0;
    destroyed.clear();
    earlier.clear();
  }
}
