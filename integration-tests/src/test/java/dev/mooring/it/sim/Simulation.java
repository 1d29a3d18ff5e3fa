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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * One seeded schedule of a cluster with a {@link Workload}: caches lag, the server fails calls that
 * may have had their effect, and processes crash between any two steps. Safety is checked at every
 * write and call, and the final state when the cluster is at rest.
 */
final class Simulation {
  /** Longer than any back-off. */
  static final long LONGEST_NANOS = 130_000_000_000L;

  private static final int OF = 10_000;
  private static final int REMEMBERED = 400;
  private static final long MILLI_NANOS = 1_000_000;

  /** Longest time that passes in one step. */
  private static final long WAIT_NANOS = 2_000 * MILLI_NANOS;

  private final Random random;
  private final Mode mode;
  private final boolean large;
  private final SimScheduler scheduler = new SimScheduler();
  private final SimClock clock = new SimClock(scheduler);
  private final SimServer server;
  private final History history = new History(REMEMBERED);
  private final Trouble trouble;
  private final Late late;
  private final Workload workload;
  private final SimProcesses processes;
  private final EventNames names;
  private SimServer.Backup backup;
  private long asked; // requests so far
  private long writes;
  private String lastAsked = "";
  private boolean calm;
  private boolean out;

  Simulation(Workloads workloads, long seed) {
    random = new Random(seed);
    mode = Mode.of(seed);
    large = seed % 2 == 0;
    server = new SimServer(random, clock);
    names = new EventNames(server);
    late = new Late(random, mode, this::note);
    trouble = new Trouble(random, clock, this::watches, this::note);
    workload = workloads.begin(this);
    processes = new SimProcesses(this);
    processes.begin();
    backup = server.backup();
    processes.standBy();
  }

  Random random() {
    return random;
  }

  /** Returns a random element. */
  <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  Mode mode() {
    return mode;
  }

  Compat compat() {
    return mode.compat();
  }

  /** Returns whether lists need several pages. */
  boolean isLarge() {
    return large;
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

  /** Returns whether faults have ended. */
  boolean isCalm() {
    return calm;
  }

  /**
   * Returns whether a volume of the process may be unknown: the process ended, perhaps between
   * creating the volume and saving it.
   *
   * @param untold whether the process got no answer to the creation
   */
  boolean isExcused(Object process, boolean untold) {
    return processes.isExcused(process, untold);
  }

  private List<SimWatch<?>> watches() {
    return processes.watches();
  }

  /** Returns the number of requested writes. */
  long writes() {
    return writes;
  }

  /** Returns the last request. */
  String lastAsked() {
    return lastAsked;
  }

  /** Lets other actors act. */
  void point() {
    scheduler.point();
  }

  /**
   * Lets other actors act until the condition ends, the time is over or the thread is interrupted.
   */
  void pointWhile(BooleanSupplier waits, long nanos) {
    scheduler.pointUnlessInterrupted(waits, clock.now() + nanos, clock::now);
  }

  /**
   * Draws the fault of the next call.
   *
   * @param what the request; "" for a call that is no write to the server
   */
  Fault fault(String what) {
    return workload.fault(what, Fault.of(calm ? 99 : random.nextInt(100)));
  }

  /** Returns whether the server answers no calls; watches continue. */
  boolean isOut() {
    return out;
  }

  /** Counts a request before it is sent. At rest there are none. */
  void asked(String what) {
    asked++;
    if (what.startsWith("write")) {
      writes++;
    }
    lastAsked = what;
  }

  /** Keeps a write of a killed process: it may reach the server after others have taken over. */
  void underWay(Runnable write) {
    late.underWay(write);
  }

  /** Keeps a write without an answer: it may reach the server later. */
  void givenUp(Runnable write) {
    late.givenUp(write);
  }

  /** Checks a write that the server accepted. */
  <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    if (result instanceof WriteResult.Written<T>(T now)) {
      note("write: " + History.told(now));
    } else if (before != null && result instanceof WriteResult.Gone<T>) {
      note("write: " + before.key() + " goes");
    }
    workload.written(before, result);
  }

  /** Checks an event that a controller emitted. */
  void event(ClusterEvent event) {
    note("event: " + event.about().name() + " " + event.reason() + " " + event.note());
    names.check(event);
    workload.event(event);
  }

  /** Returns the last steps, for the report of a failure. */
  String history() {
    return history.toString();
  }

  void note(String what) {
    history.note(clock.now() / MILLI_NANOS + " " + what);
  }

  /** Runs the whole schedule. */
  void run() {
    for (int i = 0; i < workload.pace().steps(); i++) {
      step();
      names.observe();
      late.perhaps();
      workload.check();
    }
    workload.end();
    processes.endAll();
  }

  private void step() {
    if (mode == Mode.FAULTY) {
      disturb();
    }
    processes.ended();
    Workload.Pace pace = workload.pace();
    int crashes = pace.crashes() * (late.any() ? 3 : 1);
    int what = random.nextInt(OF);
    if (what < pace.acts()) {
      workload.act();
    } else if (what < pace.acts() + crashes) {
      if (!processes.isStopping() && random.nextInt(3) == 0) {
        processes.stop();
      } else {
        processes.crash();
      }
    } else {
      turn();
    }
  }

  /** Resumes a thread, delivers an event or lets time pass. */
  private void turn() {
    int what = random.nextInt(1000);
    if (what < 660) {
      if (!resumeOne()) {
        clock.advance(Math.clamp(next() - clock.now(), 1, WAIT_NANOS));
      }
    } else if (what < 950) {
      processes.deliverOne();
    } else if (what < 985) {
      clock.advance(random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000) * MILLI_NANOS);
    } else if (what < 992) {
      any(processes.any().watches()).gap();
    } else if (workload.mayRunTwice()) {
      processes.another();
    }
  }

  /** Resumes one thread; returns whether there was one. */
  boolean resumeOne() {
    return scheduler.resumeAny(random);
  }

  private long next() {
    return Math.min(clock.nextDue(), scheduler.nextWake(clock.now()));
  }

  private void disturb() {
    int what = random.nextInt(400);
    if (what < 12) {
      trouble.happen();
    } else if (workload.mayBeRestored() && what == 12) {
      note("a backup");
      backup = server.backup();
    } else if (workload.mayBeRestored() && what == 13) {
      restore();
    }
    trouble.notice();
  }

  /** Restores the backup after all running calls have ended. The storage keeps what it has. */
  private void restore() {
    while (resumeOne()) {
      // until no call is running
    }
    note("the server is restored to version " + backup.version());
    server.restore(backup);
    workload.restored();
    trouble.restored();
  }

  /** Ends all faults but the outage of the mode. */
  void calm() {
    calm = true;
    note("all is well");
    processes.leaveOne();
    workload.calm();
    trouble.end();
    if (processes.isStopping()) {
      drain(LONGEST_NANOS);
      processes.ended();
      verify(!processes.isStopping(), "does not stop: there still run " + processes.running());
    }
    if (late.any()) {
      drain(LONGEST_NANOS);
      late.all();
    }
    if (mode == Mode.OUTAGES) {
      outage();
    }
  }

  /** Plays an outage, after which all work must be done soon. */
  private void outage() {
    note("outage");
    out = true;
    workload.actInOutage();
    drain(Schedules.OUTAGE_NANOS);
    out = false;
    note("the server is back");
    drain(workload.pace().chain() * Schedules.RECOVERY_NANOS);
    List<String> recovered = recoverable();
    rest();
    verify(recoverable().equals(recovered), "what the outage held up was done long after it");
  }

  /**
   * Returns versions of all watched objects but attachments of deleted volumes, which nodes try in
   * turn.
   */
  private List<String> recoverable() {
    List<String> versions = new ArrayList<>();
    for (SimWatch<?> watch : watches()) {
      for (Resource object : server.all(watch.kind())) {
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

  /** Plays until nothing happens. */
  void rest() {
    int quiet = 0;
    for (int round = 0; quiet < 3; round++) {
      verify(round < 100, "does not come to rest: " + lastAsked);
      long before = version();
      long askedBefore = asked;
      drain(LONGEST_NANOS);
      quiet = version() == before && asked == askedBefore ? quiet + 1 : 0;
    }
  }

  private long version() {
    return server.store(Kind.NODE).version();
  }

  /** Lets all actors do what they can, for at least that time. */
  void drain(long nanos) {
    long end = clock.now() + nanos;
    for (int i = 0; true; i++) {
      verify(i < 200_000, "work without end of " + processes.busy() + ": " + lastAsked);
      boolean some = resumeOne();
      for (SimWatch<?> watch : watches()) {
        while (watch.deliver()) {
          some = true;
        }
      }
      if (calm && processes.resumeDeletions()) {
        note("deletions are resumed");
        some = true;
      }
      if (!some || random.nextInt(4) == 0) {
        some |= workload.play();
        workload.check();
      }
      if (!some) {
        long next = next();
        if (next > end) {
          clock.advance(end - clock.now());
          return;
        }
        clock.advance(Math.max(1, next - clock.now()));
      }
    }
  }
}
