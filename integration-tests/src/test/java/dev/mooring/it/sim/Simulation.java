package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Compat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

  /** So many steps are taken at one moment. */
  private static final int AT_ONCE = 1_000;

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
  private final List<SimProcess> processes = new ArrayList<>();
  private final Set<Object> crashed = new HashSet<>();
  private final Set<Object> stopped = new HashSet<>(); // and had finished everything
  private SimServer.Backup backup;
  private SimProcess standby; // null where there is none
  private SimProcess stopping; // null if none is
  private SimWatch<?> deaf; // which of its watches says nothing; null if none says anything
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
    late = new Late(random, mode, this::note);
    trouble = new Trouble(random, clock, this::watches, this::note);
    workload = workloads.begin(this);
    processes.add(new SimProcess(this, workload).begin());
    backup = server.backup();
    standBy();
  }

  private void standBy() {
    standby = mode == Mode.TAKEOVERS ? new SimProcess(this, workload) : null;
    boolean hears = standby != null && random.nextInt(4) > 0;
    deaf =
        hears
            ? any(
                standby.watches().stream()
                    .filter(watch -> workload.matters(watch.kind()))
                    .<SimWatch<?>>map(watch -> watch)
                    .toList())
            : null;
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
    return crashed.contains(process) || untold && stopped.contains(process);
  }

  /** How many writes were asked for. */
  long writes() {
    return writes;
  }

  /** What was asked for last. */
  String lastAsked() {
    return lastAsked;
  }

  private List<SimWatch<?>> watches() {
    return processes.stream().flatMap(process -> process.watches().stream()).toList();
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
      late.perhaps();
      workload.check();
    }
    workload.end();
    processes.forEach(SimProcess::end);
    if (standby != null) {
      standby.end();
    }
  }

  private void step() {
    if (mode == Mode.FAULTY) {
      disturb();
    }
    if (stopping != null) {
      ended();
    }
    Workload.Pace pace = workload.pace();
    int crashes = pace.crashes() * (late.any() ? 3 : 1);
    int what = random.nextInt(OF);
    if (what < pace.acts()) {
      workload.act();
    } else if (what < pace.acts() + crashes) {
      if (stopping == null && random.nextInt(3) == 0) {
        stop();
      } else {
        crash();
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
      deliverOne();
    } else if (what < 985) {
      clock.advance(random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000) * MILLI_NANOS);
    } else if (what < 992) {
      any(any(processes).watches()).gap();
    } else if (workload.mayRunTwice()) {
      another();
    }
  }

  private boolean resumeOne() {
    return scheduler.resumeAny(random);
  }

  private long next() {
    return Math.min(clock.nextDue(), scheduler.nextWake(clock.now()));
  }

  private void deliverOne() {
    boolean toStandby = deaf != null && random.nextInt(3) > 0;
    SimWatch<?> watch = any((toStandby ? standby : any(processes)).watches());
    if (watch != deaf) {
      watch.deliver();
    }
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

  private void crash() {
    note("crash");
    workload.crashed();
    SimProcess process = any(processes);
    crashed.add(process);
    end(process);
  }

  /** One is told to end; another begins when it has. */
  private void stop() {
    note("stop");
    stopping = any(processes);
    stopping.stop();
  }

  /** Whoever was told to end has ended, or ends by now. */
  private void ended() {
    SimProcess process = stopping;
    if (!processes.contains(process)) {
      stopping = null; // it crashed
    } else if (process.stopped().isPresent()) {
      boolean clean = process.stopped().get();
      note(clean ? "stopped" : "stopped, and did not finish");
      for (int i = 0; i < AT_ONCE && !process.running().isEmpty(); i++) {
        resumeOne(); // whoever was interrupted ends without waiting for anything
      }
      verify(process.running().isEmpty(), "stopped, and there still run " + process.running());
      stopping = null;
      (clean ? stopped : crashed).add(process);
      workload.crashed();
      end(process);
    }
  }

  /** A second one, or the first of two goes. */
  private void another() {
    if (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    } else if (standby == null) {
      note("a second process");
      processes.add(new SimProcess(this, workload).begin());
    }
  }

  private void end(SimProcess process) {
    process.end();
    processes.remove(process);
    if (processes.isEmpty()) {
      processes.add(standby == null ? new SimProcess(this, workload).begin() : standby.takeOver());
      standBy();
    }
  }

  /** From now on all is well, but for an outage in which nobody fails but the server. */
  void calm() {
    calm = true;
    note("all is well");
    while (processes.size() > 1) {
      crashed.add(processes.getFirst());
      end(processes.getFirst());
    }
    workload.calm();
    trouble.end();
    if (stopping != null) {
      drain(LONGEST_NANOS);
      ended();
      verify(stopping == null, "does not stop: there still run " + processes.getFirst().running());
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
    long recovered = version();
    rest();
    verify(version() == recovered, "what the outage held up was done long after it");
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
      verify(i < 200_000, "work without end of " + busy() + ": " + lastAsked);
      boolean some = resumeOne();
      for (SimWatch<?> watch : watches()) {
        while (watch.deliver()) {
          some = true;
        }
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

  private List<String> busy() {
    return processes.stream().flatMap(process -> process.busy().stream()).toList();
  }
}
