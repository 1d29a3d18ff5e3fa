package dev.mooring.it.sim;

import dev.mooring.binder.BinderConfig;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One seeded schedule of a small cluster: users, caches that lag, a server that errs and whose
 * errors may have done their work, processes that crash between any two writes, two of them at
 * once. What must never happen is checked at every write; what must be in the end, when all is
 * quiet.
 */
final class World implements Outside, Schedules.Schedule {
  private static final int STEPS = 400;

  private long asked; // requests so far
  private String lastAsked = "";
  private final Random random;
  private final SimScheduler scheduler = new SimScheduler();
  private final SimClock clock = new SimClock(scheduler);
  private final SimServer server;
  private final SimStorage storage = new SimStorage(this);
  private final Others others;
  private final List<Process> processes = new ArrayList<>();
  private final Set<Process> crashed = new HashSet<>();
  private final History history = new History(120);
  private final boolean wide;
  private final boolean faulty;
  private final Trouble trouble;
  private SimServer.Backup backup;
  private final boolean takeovers;
  private final int silent; // which watch of a standby never tells anything
  private Process standby; // null where there is none
  private final boolean outages;
  private final Late late;
  private boolean calm;
  private boolean out;

  World(long seed) {
    wide = seed >= Schedules.WIDE && (seed < Schedules.TAKEOVERS || seed >= Schedules.OUTAGES);
    random = new Random(seed);
    server = new SimServer(random, clock);
    others = new Others(random, server, storage, wide, this::note);
    others.begin();
    for (int i = 0; i < 3; i++) {
      others.act();
    }
    takeovers = seed >= Schedules.TAKEOVERS && seed < Schedules.OUTAGES;
    outages = seed >= Schedules.OUTAGES && seed < Schedules.LATE;
    late = new Late(random, seed, this::note);
    silent = (int) (seed % 2); // claims or volumes
    processes.add(new Process(this, server, storage).begin());
    faulty = seed >= Schedules.FAULTY && seed < Schedules.TAKEOVERS;
    trouble = new Trouble(random, clock, this::watches, this::note);
    backup = server.backup();
    standBy();
  }

  private List<SimWatch<?>> watches() {
    return processes.stream().flatMap(process -> process.watches().stream()).toList();
  }

  private void standBy() {
    standby = takeovers ? new Process(this, server, storage) : null;
  }

  /** Whether there are nodes, which come and go. */
  boolean hasNodes() {
    return wide;
  }

  SimScheduler scheduler() {
    return scheduler;
  }

  SimClock clock() {
    return clock;
  }

  @Override
  public void point() {
    scheduler.point();
  }

  @Override
  public Fault fault() {
    return Fault.of(calm ? 99 : random.nextInt(100), faulty);
  }

  @Override
  public boolean isOut() {
    return out;
  }

  @Override
  public String history() {
    return history.toString();
  }

  private void note(String what) {
    history.note(what);
  }

  @Override
  public void underWay(Runnable write) {
    late.underWay(write);
  }

  @Override
  public void givenUp(Runnable write) {
    late.givenUp(write);
  }

  @Override
  public void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
      late.perhaps();
    }
    settle();
    new FinalState(
            server.all(Kind.VOLUME),
            server.all(Kind.CLAIM),
            storage.assets,
            crashed,
            storage.forgiven())
        .check();
    processes.forEach(Process::end);
    if (standby != null) {
      standby.end();
    }
  }

  private void step() {
    if (faulty) {
      disturb();
    }
    if (late.any() && random.nextInt(100) < 2) {
      crash();
    }
    int what = random.nextInt(1000);
    if (what < 620) {
      resumeOne();
    } else if (what < 880) {
      deliverOne();
    } else if (what < 940) {
      others.act();
    } else if (what < 960) {
      others.protect();
    } else if (what < 975) {
      clock.advance(random.nextInt(3_000) * 1_000_000L);
    } else if (what < 980) {
      any(any(processes).watches()).gap();
    } else if (what < 984) {
      clock.advance(BinderConfig.DEFAULTS.resync().toNanos());
    } else if (what < 992) {
      crash();
    } else if (processes.size() < 2) {
      note("a second process");
      if (!takeovers) {
        processes.add(new Process(this, server, storage).begin());
      }
    } else {
      end(processes.getFirst());
    }
  }

  private void disturb() {
    int what = random.nextInt(400);
    if (what < 12) {
      trouble.happen();
    } else if (what == 12) {
      note("a backup");
      backup = server.backup();
    } else if (what == 13) {
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
    storage.forgiveAll();
    trouble.restored();
  }

  private <T> T any(List<T> from) {
    return Others.any(random, from);
  }

  private boolean resumeOne() {
    return scheduler.resumeAny(random, clock.now());
  }

  private boolean deliverOne() {
    if (standby != null && random.nextInt(3) > 0) {
      SimWatch<?> one = any(standby.watches());
      return one != standby.watches().get(silent) && one.deliver();
    }
    return any(any(processes).watches()).deliver();
  }

  private void crash() {
    Process process = any(processes);
    note("crash");
    crashed.add(process);
    end(process);
  }

  private void end(Process process) {
    process.end();
    crashed.add(process);
    processes.remove(process);
    if (processes.isEmpty()) {
      processes.add(
          standby == null ? new Process(this, server, storage).begin() : standby.takeOver());
      standBy();
    }
  }

  /** No more faults, no more users: until nothing happens any more. */
  private void settle() {
    calm = true;
    while (processes.size() > 1) {
      end(processes.getFirst());
    }
    trouble.end();
    Process process = processes.getFirst();
    if (late.any()) {
      drain(process);
      late.all();
    }
    long recovered = outages ? outage(process) : 0;
    int quiet = 0;
    for (int round = 0; quiet < 3; round++) {
      if (round > 200) {
        throw new AssertionError("does not come to rest: " + lastAsked);
      }
      long before = server.store(Kind.VOLUME).version();
      long askedBefore = asked;
      drain(process);
      others.protect();
      drain(process);
      boolean still = server.store(Kind.VOLUME).version() == before && asked == askedBefore;
      quiet = still ? quiet + 1 : 0;
    }
    FinalState.verify(
        !outages || server.store(Kind.VOLUME).version() == recovered,
        "what the outage held up was done long after it");
  }

  /**
   * The server is out for long, and back.
   *
   * @return the server's version soon after that: the last one
   */
  private long outage(Process process) {
    note("outage");
    out = true;
    drain(process, Schedules.OUTAGE_NANOS);
    out = false;
    note("the server is back");
    for (int i = 0; i < 3; i++) {
      drain(process, Schedules.RECOVERY_NANOS / 3);
      others.protect();
    }
    drain(process, 0);
    return server.store(Kind.VOLUME).version();
  }

  /** Longer than any back-off: until nothing is left to be done in that time. */
  private void drain(Process process) {
    drain(process, 125_000_000_000L);
  }

  private void drain(Process process, long nanos) {
    long end = clock.now() + nanos;
    for (int i = 0; true; i++) {
      if (i > 50_000) {
        throw new AssertionError(
            "work without end; there are "
                + server.all(Kind.CLAIM)
                + " and "
                + server.all(Kind.VOLUME));
      }
      boolean some = resumeOne();
      for (SimWatch<?> watch : process.watches()) {
        while (watch.deliver()) {
          some = true;
        }
      }
      if (!some) {
        long next = Math.min(clock.nextDue(), scheduler.nextWake(clock.now()));
        if (next > end) {
          clock.advance(outages ? end - clock.now() : 0);
          return;
        }
        clock.advance(Math.max(1, next - clock.now()));
      }
    }
  }

  @Override
  public void asked(String what) {
    asked++;
    lastAsked = what;
  }

  /** Nothing is ever taken from the claim that has it. */
  @Override
  public <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    if (before instanceof Volume was
        && result instanceof WriteResult.Written<T>(T after)
        && after instanceof Volume now) {
      note("write: " + now.meta().name() + " " + now.phase() + " " + now.claimRef());
      ClaimRef had = was.claimRef();
      ClaimRef has = now.claimRef();
      if (had != null && !had.uid().isNone() && has != null && !has.uid().isNone()) {
        FinalState.verify(
            had.uid().equals(has.uid()), "volume " + was.key() + " was taken from " + had);
      }
    }
    if (result instanceof WriteResult.Written<T>(T after) && after instanceof Claim claim) {
      note("write: " + claim.key() + " " + claim.phase() + " " + claim.volumeName());
      Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(claim.volumeName()));
      ClaimRef has = volume == null ? null : volume.claimRef();
      FinalState.verify(
          !takeovers
              || claim.phase() != ClaimPhase.LOST
              || has == null
              || !has.uid().equals(claim.meta().uid()),
          "claim " + claim.key() + " is Lost, but its volume is there: " + volume);
    }
  }

  /** Data goes only when the claim that it belongs to is gone, or has another volume. */
  void checkDeletion(String name) {
    note("storage: delete " + name);
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(name));
    SimStorage.Asset asset = storage.assets.get(name);
    if (asset == null) {
      return;
    }
    Claim claim = server.find(Kind.CLAIM, asset.claim());
    boolean used =
        claim != null
            && claim.meta().uid().equals(asset.claimUid())
            && claim.volumeName().equals(name)
            && !isOfAnother(volume, claim); // to whom an administrator gave it
    FinalState.verify(!used, "volume " + name + " is deleted under its claim " + volume);
    boolean usedByAnother =
        volume != null
            && server.all(Kind.CLAIM).stream()
                .anyMatch(c ->
                    c.phase() == ClaimPhase.BOUND
                        && c.volumeName().equals(name)
                        && volume.claimRef() != null
                        && volume.claimRef().uid().equals(c.meta().uid()));
    FinalState.verify(!usedByAnother, "volume " + name + " is deleted under a claim " + volume);
  }

  private static boolean isOfAnother(@Nullable Volume volume, Claim claim) {
    ClaimRef ref = volume == null ? null : volume.claimRef();
    return ref != null && !ref.isFor(claim.key(), claim.meta().uid());
  }
}
