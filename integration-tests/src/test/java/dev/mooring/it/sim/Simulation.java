package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * One seeded schedule: the real controllers of a {@link Workload} in a simulated cluster.
 *
 * <p>Faults: caches lag, calls fail before or after their work, and processes crash between any two
 * steps. A {@link FaultMode} adds more.
 *
 * <p>Invariants: a workload checks at every write and storage call what must never happen. When the
 * faults have ended and the cluster is at rest, it checks the final state.
 */
final class Simulation {
  /** Duration longer than any back-off of the controllers. */
  static final long QUIET_NANOS = 130_000_000_000L;

  /** Shorter than the rest at the end, so that no volume is condemned in the final state. */
  private static final Duration DELETION_DELAY = Duration.ofSeconds(45);

  private static final int STEP_CHANCES = 10_000;
  private static final int REMEMBERED = 400;
  private static final long MILLI_NANOS = 1_000_000;

  /** Longest time that one step advances the clock when no thread can continue. */
  private static final long WAIT_NANOS = 2_000 * MILLI_NANOS;

  private final Random random;
  private final FaultMode mode;
  private final boolean severalPages;
  private final Duration deletionDelay;
  private final SimScheduler scheduler = new SimScheduler();
  private final SimClock clock = new SimClock(scheduler);
  private final SimServer server;
  private final ScheduleHistory history = new ScheduleHistory(REMEMBERED);
  private final WatchFaults watchFaults;
  private final LateWrites lateWrites;
  private final Workload workload;
  private final SimProcesses processes;
  private final EventNameCheck eventNames;
  private SimServer.Backup backup;
  private long requests; // number of requests
  private long writes;
  private String lastRequest = "";
  private boolean faultsOver;
  private boolean serverDown;

  Simulation(WorkloadType type, long seed) {
    random = new Random(seed);
    mode = FaultMode.of(seed);
    severalPages = seed % 2 == 0;
    deletionDelay = seed % 5 == 3 ? DELETION_DELAY : Duration.ZERO;
    server = new SimServer(random, clock);
    eventNames = new EventNameCheck(server);
    lateWrites = new LateWrites(random, mode, this::addToHistory);
    watchFaults = new WatchFaults(random, clock, this::watches, this::addToHistory);
    workload = type.create(this);
    processes = new SimProcesses(this);
    processes.startFirst();
    backup = server.backup();
    processes.createStandby();
  }

  Random random() {
    return random;
  }

  /** Returns a random element. */
  <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  FaultMode mode() {
    return mode;
  }

  Compat compat() {
    return mode.compat();
  }

  /** Returns whether the objects of every kind fill more than one page of a list. */
  boolean hasSeveralPages() {
    return severalPages;
  }

  /** Returns the {@code --deletion-delay} of all processes. */
  Duration deletionDelay() {
    return deletionDelay;
  }

  SimScheduler scheduler() {
    return scheduler;
  }

  SimClock clock() {
    return clock;
  }

  SimServer server() {
    return server;
  }

  Workload workload() {
    return workload;
  }

  /** Returns whether the faults have ended. */
  boolean areFaultsOver() {
    return faultsOver;
  }

  /**
   * Returns whether the process may have left a volume in the storage that no object records. It
   * crashed, perhaps between the call and the write that records it.
   *
   * @param unacknowledged whether the process got no response to the call that created the volume
   */
  boolean mayLeaveVolume(Object process, boolean unacknowledged) {
    return processes.mayLeaveVolume(process, unacknowledged);
  }

  private List<SimWatch<?>> watches() {
    return processes.watches();
  }

  /** Returns whether the caches of all active processes have the object, in any version. */
  <T extends Resource> boolean isInEveryCache(Kind<T> kind, T object) {
    return watches().stream()
        .filter(watch -> watch.kind().equals(kind))
        .map(watch -> watch.informer().get(object.key()))
        .allMatch(
            cached -> cached.isPresent() && cached.get().meta().uid().equals(object.meta().uid()));
  }

  /** Returns the number of write requests. */
  long writeCount() {
    return writes;
  }

  /** Returns the last request, for messages. */
  String lastRequest() {
    return lastRequest;
  }

  /** Lets other threads run. */
  void yieldThread() {
    scheduler.yieldThread();
  }

  /**
   * Lets other threads run while the condition is true, for at most that time or until an
   * interrupt.
   */
  void yieldWhile(BooleanSupplier waits, long nanos) {
    scheduler.yieldUnlessInterrupted(waits, clock.now() + nanos, clock::now);
  }

  /**
   * Returns the fault of the next call.
   *
   * @param request the write to the API server; "" for reads and calls to the storage
   */
  CallFault nextFault(String request) {
    return workload.chooseFault(request, CallFault.ofChance(faultsOver ? 99 : random.nextInt(100)));
  }

  /** Returns whether the API server answers no call. Watches still deliver events. */
  boolean isServerDown() {
    return serverDown;
  }

  /** Counts a request before it is sent. At rest, controllers send none. */
  void countRequest(String request) {
    requests++;
    if (request.startsWith("write")) {
      writes++;
    }
    lastRequest = request;
  }

  /**
   * Called with a write whose process is killed while it sends it. The write may reach the API
   * server after another process has taken over.
   */
  void keepKilledWrite(Runnable write) {
    lateWrites.addKilled(write);
  }

  /** Called with a write without a response. It may reach the API server later. */
  void keepTimedOutWrite(Runnable write) {
    lateWrites.addTimedOut(write);
  }

  /** Checks the invariants of a write that the API server accepted. */
  <T extends Resource> void checkWrite(T previous, WriteResult<T> result) {
    if (result instanceof WriteResult.Written<T>(T now)) {
      addToHistory("write: " + ScheduleHistory.describe(now));
    } else if (previous != null && result instanceof WriteResult.Gone<T>) {
      addToHistory("write: " + previous.key() + " is deleted");
    }
    workload.onWrite(previous, result);
  }

  /** Checks a Kubernetes event of the controllers. */
  void onEvent(ClusterEvent event) {
    addToHistory("event: " + event.subject().name() + " " + event.reason() + " " + event.note());
    eventNames.check(event);
    workload.onEvent(event);
  }

  /** Returns the last steps, for the report of a failure. */
  String history() {
    return history.toString();
  }

  void addToHistory(String entry) {
    history.add(clock.now() / MILLI_NANOS + " " + entry);
  }

  /** Runs the whole schedule. */
  void run() {
    for (int i = 0; i < workload.pace().steps(); i++) {
      step();
      eventNames.observe();
      lateWrites.deliverSometimes();
      workload.check();
    }
    workload.finish();
    processes.killAll();
  }

  private void step() {
    if (mode == FaultMode.FAULTY) {
      injectFault();
    }
    processes.completeStop();
    Workload.Pace pace = workload.pace();
    int crashes = pace.crashes() * (lateWrites.isEnabled() ? 3 : 1);
    int draw = random.nextInt(STEP_CHANCES);
    if (draw < pace.acts()) {
      workload.act();
    } else if (draw < pace.acts() + crashes) {
      if (!processes.isStopping() && random.nextInt(3) == 0) {
        processes.stop();
      } else {
        processes.crash();
      }
    } else {
      advance();
    }
  }

  /**
   * Resumes a thread, delivers a watch event, advances the clock, breaks a watch, or starts or
   * kills a second process.
   */
  private void advance() {
    int draw = random.nextInt(1000);
    if (draw < 660) {
      if (!resumeOne()) {
        clock.advance(Math.clamp(nextWake() - clock.now(), 1, WAIT_NANOS));
      }
    } else if (draw < 950) {
      processes.deliverOne();
    } else if (draw < 985) {
      clock.advance(random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000) * MILLI_NANOS);
    } else if (draw < 992) {
      pick(processes.pick().watches()).expire();
    } else if (workload.mayRunTwice()) {
      processes.startOrKillSecond();
    }
  }

  /**
   * Resumes one thread.
   *
   * @return false if no thread can continue
   */
  boolean resumeOne() {
    return scheduler.resumeRandom(random);
  }

  private long nextWake() {
    return Math.min(clock.nextDue(), scheduler.nextWake(clock.now()));
  }

  private void injectFault() {
    int draw = random.nextInt(400);
    if (draw < 12) {
      watchFaults.breakWatches();
    } else if (workload.mayBeRestored() && draw == 12) {
      addToHistory("backup");
      backup = server.backup();
    } else if (workload.mayBeRestored() && draw == 13) {
      restore();
    }
    watchFaults.endSilentWatches();
  }

  /**
   * Fault: restores the API server from a backup. Calls in flight finish first. Volumes that were
   * created since stay in the storage.
   */
  private void restore() {
    while (resumeOne()) {
      // until no call is in flight
    }
    addToHistory("the API server is restored to version " + backup.version());
    server.restore(backup);
    workload.onRestore();
    watchFaults.onRestore();
  }

  /** Ends all faults. In {@link FaultMode#OUTAGES} an outage of the API server follows. */
  void endFaults() {
    faultsOver = true;
    addToHistory("the faults end");
    processes.killAllButNewest();
    workload.onFaultsEnd();
    watchFaults.endAllSilentWatches();
    if (processes.isStopping()) {
      settle(QUIET_NANOS);
      processes.completeStop();
      verify(
          !processes.isStopping(),
          "the process does not stop, unfinished threads: " + processes.unfinishedThreads());
    }
    if (lateWrites.isEnabled()) {
      settle(QUIET_NANOS);
      lateWrites.deliverAll();
    }
    if (mode == FaultMode.OUTAGES) {
      playOutage();
    }
  }

  /**
   * Fault: the API server answers no call for a while.
   *
   * <p>Invariant: the work that the outage delayed is done soon after it.
   */
  private void playOutage() {
    addToHistory("outage");
    serverDown = true;
    workload.actInOutage();
    settle(SchedulePlayer.OUTAGE_NANOS);
    serverDown = false;
    addToHistory("the API server is back");
    settle(workload.pace().chain() * SchedulePlayer.RECOVERY_NANOS);
    List<String> recovered = recoverable();
    awaitRest();
    verify(recoverable().equals(recovered), "work that the outage held up was done too late");
  }

  /**
   * Returns the versions of all watched objects, except for attachments of deleted volumes, which
   * the nodes retry one after the other.
   */
  private List<String> recoverable() {
    List<String> versions = new ArrayList<>();
    for (SimWatch<?> watch : watches()) {
      for (Resource object : server.list(watch.kind())) {
        if (!(object instanceof Attachment attachment) || !isOfDeletedVolume(attachment)) {
          versions.add(watch.kind() + " " + object.key() + " " + object.meta().resourceVersion());
        }
      }
    }
    return versions;
  }

  private boolean isOfDeletedVolume(Attachment attachment) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(attachment.volumeName()));
    return volume == null || volume.meta().isBeingDeleted();
  }

  /**
   * Lets time pass until three periods bring neither a write nor a request.
   *
   * <p>Invariant: this takes fewer than 100 periods.
   */
  void awaitRest() {
    int quiet = 0;
    for (int round = 0; quiet < 3; round++) {
      verify(round < 100, "does not come to rest: " + lastRequest);
      long versionBefore = version();
      long requestsBefore = requests;
      settle(QUIET_NANOS);
      quiet = version() == versionBefore && requests == requestsBefore ? quiet + 1 : 0;
    }
  }

  private long version() {
    return server.store(Kind.NODE).version();
  }

  /** Lets all actors and controllers finish their work, and at least that much time pass. */
  void settle(long nanos) {
    long endNanos = clock.now() + nanos;
    for (int i = 0; true; i++) {
      verify(i < 200_000, "endless work of " + processes.busyControllers() + ": " + lastRequest);
      boolean progressed = resumeOne();
      for (SimWatch<?> watch : watches()) {
        while (watch.deliver()) {
          progressed = true;
        }
      }
      if (faultsOver && processes.resumeDeletions()) {
        addToHistory("deletions are resumed");
        progressed = true;
      }
      if (!progressed || random.nextInt(4) == 0) {
        progressed |= workload.finishOtherWork();
        workload.check();
      }
      if (!progressed) {
        long nextNanos = nextWake();
        if (nextNanos > endNanos) {
          clock.advance(endNanos - clock.now());
          return;
        }
        clock.advance(Math.max(1, nextNanos - clock.now()));
      }
    }
  }
}
