package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Codes.Call;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * One seeded schedule of claims that come, are used, grow, change and go, of a process that binds
 * them and drives a CSI driver and crashes between any two steps, and of a driver that is as bad as
 * real ones. What must never happen is checked at every call and write; what must be in the end,
 * when all is well for as long as the longest back-off. Before that come two bad days on which
 * nothing but the driver is amiss, so that nothing excuses a claim that stays or a call too many.
 */
final class CsiWorld implements Outside, Schedules.Schedule {
  private static final int STEPS = 2000;

  /** As soon after that everything is done: the longest pause, and what is done in many steps. */
  private static final long RECOVERY_NANOS = CsiProcess.LONGEST.plusSeconds(60).toNanos();

  private static final int LABELS = 20;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  /** So long it takes until what was done is known to everybody. */
  private static final long TOLD_NANOS = 20_000_000_000L;

  /** So long a claim takes to go: nothing but conflicts, and reads that were not answered. */
  private static final long GONE_NANOS = 40_000_000_000L;

  private final Random random;
  private final SimScheduler scheduler = new SimScheduler();
  private final SimClock clock = new SimClock(scheduler, true);
  private final SimServer server;
  private final CsiStorage storage = new CsiStorage();
  private final CsiChecks checks;
  private final boolean cutting;
  private final CsiCuts cuts;
  private final CsiDriverSide driver;
  private final CsiOthers others;
  private final CsiGroupOthers groups;
  private final CsiGoals goals;
  private final CsiCalls calls = new CsiCalls();
  private final History history = new History(400);
  private final Set<String> open = new HashSet<>(); // names of volumes that may be there
  private CsiProcess process;
  private long writes;
  private String lastWrite = "";
  private boolean calm;
  private CsiMood mood = new CsiMood.Good();
  private boolean conflicts; // half of the writes of claims meet one
  private boolean another; // since the driver was ready it went, or was replaced

  CsiWorld(long seed) {
    random = new Random(seed);
    server = new SimServer(random, clock);
    checks = new CsiChecks(server);
    cutting = seed >= Schedules.WIDE;
    cuts = new CsiCuts(this, server, storage, CsiCuts.uploads(random::nextLong));
    driver = new CsiDriverSide(random, this, storage, cuts, cutting);
    others = new CsiOthers(random, server, storage, this::note, this::touched);
    others.begin();
    groups = new CsiGroupOthers(random, server, cuts, this::note);
    goals = new CsiGoals(server, storage, others, cutting ? groups : null);
    if (cutting) {
      server.installSnapshots();
      groups.begin();
    }
    process = new CsiProcess(this, server, driver, cutting).begin();
  }

  SimScheduler scheduler() {
    return scheduler;
  }

  SimClock clock() {
    return clock;
  }

  int lives() {
    return others.lives() + groups.lives();
  }

  int made() {
    return storage.made();
  }

  int cut() {
    return cuts.made();
  }

  int calls() {
    return calls.count();
  }

  @Override
  public void point() {
    scheduler.point();
  }

  void pointWhile(BooleanSupplier waits, long nanos) {
    scheduler.pointWhile(waits, clock.now() + nanos, clock::now);
  }

  @Override
  public Fault fault() {
    int chance = calm ? 99 : random.nextInt(100);
    Fault fault =
        chance < 3
            ? Fault.LOST
            : chance < 6 ? Fault.ANSWER_LOST : chance < 8 ? Fault.CONFLICT : Fault.NONE;
    if (fault != Fault.NONE) {
      calls.fault();
    }
    return fault;
  }

  @Override
  public Fault fault(String what) {
    boolean first = conflicts && what.startsWith("write " + Kind.CLAIM) && random.nextBoolean();
    return first ? Fault.CONFLICT : fault();
  }

  @Override
  public boolean isOut() {
    return false;
  }

  /** How the driver's next call goes that changes something. */
  CsiFate fate(Call call) {
    return mood.of(call).orElseGet(this::fate);
  }

  /** How the driver's next call goes. */
  CsiFate fate() {
    return calm ? new CsiFate.Well() : CsiFate.of(random);
  }

  /** What must never be done. */
  CsiChecks checks() {
    return checks;
  }

  /** Whether all is well, and quick. */
  boolean isCalm() {
    return calm;
  }

  boolean isAiling() {
    return !calm && random.nextInt(10) == 0;
  }

  long room() {
    return calm ? CsiStorage.GIB : random.nextInt(5) * CsiStorage.GIB;
  }

  @Override
  public String history() {
    return history.toString();
  }

  void note(String what) {
    history.note(clock.now() / 1_000_000 + " " + what);
  }

  @Override
  public void asked(String what) {
    if (what.startsWith("write")) {
      writes++;
      lastWrite = what;
    }
  }

  @Override
  public void underWay(Runnable write) {
    // lost
  }

  @Override
  public void givenUp(Runnable write) {
    // lost
  }

  /** The process may use the driver from now on: whoever waited for that is looked at. */
  void isReady() {
    note("the driver is ready");
    if (another) {
      another = false;
      calls.reset();
    }
  }

  private void touched(Claim claim) {
    calls.touched("pvc-" + claim.meta().uid());
    calls.touched(claim.volumeName());
  }

  /** A call has come back. */
  void called(Call call, String key, Reply<?> reply) {
    boolean well = reply instanceof Reply.Ok<?>;
    String owner = driver.owner(key);
    note(
        "call: "
            + call
            + " "
            + owner
            + (reply instanceof Reply.Refused<?> refused ? ": " + refused.text() : ""));
    calls.called(call, owner, well, clock.now());
    if (call == Call.CREATE_VOLUME && CsiMood.isOpen(reply)) {
      open.add(key);
    }
  }

  @Override
  public <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    if (!(result instanceof WriteResult.Written<T>(T now))) {
      return;
    }
    calls.written(before, now);
    if (now instanceof Volume volume) {
      note("write: " + volume.meta().name() + " " + volume.phase() + " " + volume.claimRef());
      checks.written(volume);
    } else if (now instanceof Claim claim) {
      note(
          "write: %s %s %s %s %s"
              .formatted(
                  claim.key(),
                  claim.meta().uid(),
                  claim.phase(),
                  claim.volumeName(),
                  claim.meta().finalizers()));
    } else {
      note("write: " + now.key());
    }
  }

  @Override
  public void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
    }
    settle();
    process.end();
  }

  private void step() {
    int what = random.nextInt(1000);
    if (what < 640) {
      if (!scheduler.resumeAny(random, clock.now())) {
        clock.advance(Math.clamp(next() - clock.now(), 1, 2_000_000_000L));
      }
    } else if (what < 820) {
      process.watches().get(random.nextInt(process.watches().size())).deliver();
    } else if (what < 860) {
      others.act();
    } else if (what < 920) {
      others.play();
    } else if (what < 960) {
      clock.advance(random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000) * 1_000_000L);
    } else if (what < 963) {
      process.watches().get(random.nextInt(process.watches().size())).gap();
    } else if (what < 968) {
      disturb();
    } else if (what < 970) {
      crash();
    } else if (cutting) {
      groups.act();
    }
  }

  private void disturb() {
    if (!mood.isGood() || random.nextInt(3) == 0) {
      mood = mood.isGood() ? CsiMood.bad(random) : new CsiMood.Good();
      note("the driver's mood: " + mood);
      return;
    }
    another = true;
    if (driver.isAway()) {
      note("the driver comes");
      driver.comes();
    } else if (random.nextInt(3) == 0) {
      note("another driver answers");
      driver.replaced();
    } else {
      note("the driver goes");
      driver.goes();
      process.loseDriver();
    }
  }

  private void crash() {
    note("crash");
    process.end();
    checks.allReserved();
    calls.reset();
    another = true;
    others.beingMade().forEach(claim -> open.add("pvc-" + claim.meta().uid()));
    process = new CsiProcess(this, server, driver, cutting).begin();
  }

  private long next() {
    return Math.min(clock.nextDue(), scheduler.nextWake(clock.now()));
  }

  /** All is well: within the longest back-off everything is as it is wanted. */
  private void settle() {
    calm = true;
    note("all is well");
    another = true;
    mood = new CsiMood.Good();
    driver.goes();
    process.loseDriver();
    driver.recovers();
    refusesToMake();
    isUnavailable();
    drain(RECOVERY_NANOS);
    List<String> left = goals.missed();
    verify(left.isEmpty(), "still waits: " + left);
    note("nobody wants anything any more");
    others.leave();
    if (cutting) {
      groups.leave();
      drain(RECOVERY_NANOS);
      groups.deleteRetained();
    }
    drain(RECOVERY_NANOS);
    List<String> behind = goals.leftBehind();
    verify(behind.isEmpty(), "left behind: " + behind);
    long before = writes;
    drain(RECOVERY_NANOS);
    verify(writes == before, "does not come to rest: " + lastWrite);
  }

  /** A claim that nothing is made for goes, whoever else writes to it. */
  private void refusesToMake() {
    mood = CsiMood.refusing(random);
    note("the driver's mood: " + mood);
    others.makeMore();
    drain(TOLD_NANOS);
    conflicts = true;
    others.deleteWaiting();
    drain(GONE_NANOS);
    conflicts = false;
    List<String> left = goals.undead(open);
    verify(left.isEmpty(), "nothing is made for them, and they do not go: " + left);
  }

  /** Nothing else happens meanwhile, so that nothing but back-offs brings anybody back. */
  private void isUnavailable() {
    mood = new CsiMood.Unavailable();
    note("the driver's mood: " + mood);
    others.makeMore();
    drain(TOLD_NANOS);
    others.offerAndUse();
    drain(TOLD_NANOS);
    calls.allIsTold();
    for (int i = 0; i < LABELS; i++) {
      others.labelThoseWithAnother();
      drain(SECOND_NANOS);
    }
    drain((1 + random.nextInt(4)) * MINUTE_NANOS);
    mood = new CsiMood.Good();
    note("the driver's mood: " + mood);
  }

  private void drain(long nanos) {
    long end = clock.now() + nanos;
    for (int i = 0; true; i++) {
      verify(i < 200_000, "work without end");
      boolean some = scheduler.resumeAny(random, clock.now());
      for (SimWatch<?> watch : process.watches()) {
        while (watch.deliver()) {
          some = true;
        }
      }
      if (cutting) {
        groups.play();
      }
      if (!some && !others.play()) {
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
