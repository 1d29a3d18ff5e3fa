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
 * One seeded schedule of a cluster with a {@link Workload}: caches that lag, a server that errs and
 * whose errors may have done their work, processes that crash between any two steps. What must
 * never happen is checked at every write and call; what must be in the end, when all is quiet.
 */
final class Simulation {
  /** Longer than any back-off. */
  static final long LONGEST_NANOS = 130_000_000_000L;

  private static final int OF = 10_000;
  private static final int REMEMBERED = 400;
  private static final long MILLI_NANOS = 1_000_000;

  /** Nobody who could go on is waited for any longer in one step. */
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

  /** One of them. */
  <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  Mode mode() {
    return mode;
  }

  Compat compat() {
    return mode.compat();
  }

  /** Whether there is more of every kind than a page has. */
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

  /** Whether all is well. */
  boolean isCalm() {
    return calm;
  }

  /**
   * Whether nobody may know of what a process had made: it is gone, perhaps between that and saying
   * so.
   *
   * @param untold whether it was not told that it was made
   */
  boolean isExcused(Object process, boolean untold) {
    return processes.isExcused(process, untold);
  }

  private List<SimWatch<?>> watches() {
    return processes.watches();
  }

  /** How many writes were asked for. */
  long writes() {
    return writes;
  }

  /** What was asked for last. */
  String lastAsked() {
    return lastAsked;
  }

  /** The outside world may come between. */
  void point() {
    scheduler.point();
  }

  /** The outside world comes between as long as that, until the time is over or an interrupt. */
  void pointWhile(BooleanSupplier waits, long nanos) {
    scheduler.pointUnlessInterrupted(waits, clock.now() + nanos, clock::now);
  }

  /** What goes wrong with the next call; what is "" but for requests to the server. */
  Fault fault(String what) {
    return workload.fault(what, Fault.of(calm ? 99 : random.nextInt(100)));
  }

  /** Whether the server answers nobody's calls, while watches go on. */
  boolean isOut() {
    return out;
  }

  /** Called with every request, before it is sent: at rest there are none. */
  void asked(String what) {
    asked++;
    if (what.startsWith("write")) {
      writes++;
    }
    lastAsked = what;
  }

  /**
   * Called with a write whose process is killed while it is under way: it may reach the server all
   * the same, when others have taken over.
   */
  void underWay(Runnable write) {
    late.underWay(write);
  }

  /** Called with a write that was not answered: it may reach the server later. */
  void givenUp(Runnable write) {
    late.givenUp(write);
  }

  /** Called with every write that the server took. */
  <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    if (result instanceof WriteResult.Written<T>(T now)) {
      note("write: " + History.told(now));
    } else if (before != null && result instanceof WriteResult.Gone<T>) {
      note("write: " + before.key() + " goes");
    }
    workload.written(before, result);
  }

  /** What the controllers tell. */
  void event(ClusterEvent event) {
    note("event: " + event.about().name() + " " + event.reason() + " " + event.note());
    names.check(event);
    workload.event(event);
  }

  /** What happened last, for the report of a failure. */
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

  /** Somebody goes on, hears something, or time passes. */
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

  /** Somebody goes on; whether anybody could. */
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

  /** What was made in the storage since is left behind; calls that are under way end before. */
  private void restore() {
    while (resumeOne()) {
      // until nobody is in the middle of something
    }
    note("the server is restored to version " + backup.version());
    server.restore(backup);
    workload.restored();
    trouble.restored();
  }

  /** From now on all is well, but for an outage in which nobody fails but the server. */
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

  /** The server is out for long, and back: soon after that nothing is left to be done. */
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
   * Versions of all watched objects but attachments of deleted volumes, which nodes try in turn.
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

  /** Until nothing happens any more. */
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

  /** Everybody does what there is to do, and at least so much time goes by. */
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
