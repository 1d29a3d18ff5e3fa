package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.binder.BinderModule;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Codes.Call;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.spi.csi.Reply;
import dev.mooring.storage.Plugins;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Workload: the CSI controllers with an unreliable driver. Users create, use, expand, modify and
 * delete claims, and in some schedules snapshots.
 *
 * <p>At the end only the driver fails, in two phases: it rejects every creation, then it is
 * unavailable. In these phases nothing else can excuse a claim that stays or a superfluous call.
 * Then all faults end for the longest back-off.
 *
 * <p>Invariants: {@link CsiChecks}, {@link DeletionChecks} and {@link CsiCalls} at every call,
 * {@link CsiGoals} at the end.
 */
final class CsiWorkload implements Workload {
  private static final Pace PACE = new Pace(2_000, 1_350, 20, 1);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /**
   * Time until all work is done after the faults: the longest back-off, plus a minute for work in
   * several steps.
   */
  private static final long RECOVERY_NANOS = LONGEST.plusSeconds(60).toNanos();

  private static final int LABELS = 20;

  /** An administrator rescues the volume before one in this many writes. */
  private static final int RESCUE = 16;

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  /** Time after which all controllers have received the watch events of a change. */
  private static final long TOLD_NANOS = 20 * SECOND_NANOS;

  /**
   * Time after which the back-off of a waiting claim is at least four minutes. Only the appearance
   * of its source can requeue it sooner.
   */
  private static final long LATE_NANOS = 5 * MINUTE_NANOS;

  /** Time within which a deleted claim must be gone despite conflicts and unanswered reads. */
  private static final long GONE_NANOS = 40 * SECOND_NANOS;

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final CsiStorage storage = new CsiStorage();
  private final CsiChecks checks;
  private final DeletionChecks deletions;
  private final VolumeAdmins admins;
  private final boolean late; // a claim's finalizer may arrive long after it was sent
  private final boolean cutting;
  private final CsiCuts cuts;
  private final CsiDriverSide driver;
  private final CsiOthers others;
  private final CsiGroupOthers groups;
  private final CsiGoals goals;
  private final CsiCalls calls;
  private final List<CsiWire> wires = new ArrayList<>();
  private final Set<String> open = new HashSet<>(); // names of volumes that may exist
  private CsiMood mood = new CsiMood.Good();
  private boolean conflicts; // half of the writes to claims get a conflict
  private boolean leaving; // users are deleting everything
  private long slowSecrets;
  private boolean another; // the driver went away or was replaced since it was last ready

  CsiWorkload(Simulation simulation) {
    this.simulation = simulation;
    random = simulation.random();
    server = simulation.server();
    deletions = new DeletionChecks(simulation);
    checks = new CsiChecks(server, deletions);
    admins =
        new VolumeAdmins(
            simulation,
            CsiDriverSide.NAME,
            handle ->
                "'csi':{'driver':'" + CsiDriverSide.NAME + "','volumeHandle':'" + handle + "'}");
    late = simulation.mode().hasLateWrites();
    // a content that a late write creates for a deleted snapshot stays: docs/dev/invariants.md
    cutting = isWide() || simulation.mode() != Mode.NORMAL && !late && random.nextBoolean();
    calls = new CsiCalls(simulation.mode() == Mode.NORMAL || isWide());
    cuts = new CsiCuts(simulation, storage, CsiCuts.uploads(random::nextLong));
    driver = new CsiDriverSide(this, storage, cuts, cutting);
    others = new CsiOthers(simulation, storage, this::touched);
    others.begin();
    groups = new CsiGroupOthers(simulation, cuts);
    goals = new CsiGoals(server, storage, others, admins, cutting ? groups : null);
    if (cutting) {
      server.installSnapshots();
      groups.begin();
    }
  }

  private boolean isWide() {
    return simulation.mode() == Mode.WIDE;
  }

  Simulation simulation() {
    return simulation;
  }

  @Override
  public Pace pace() {
    return PACE;
  }

  @Override
  public SimProcess.Program program(Object process) {
    CsiWire wire = new CsiWire(this, driver);
    wires.add(wire);
    return new SimProcess.Program(
        List.of(new BinderModule()),
        Plugins.NONE,
        Optional.of(
            new SimBridge.Driver(
                CsiDriverSide.NAME,
                DriverNames.OF_VOLUMES,
                LONGEST,
                true,
                cutting,
                others.hasForeignCopy(),
                wire,
                this::isReady)));
  }

  @Override
  public Map<String, Long> counts() {
    return Map.ofEntries(
        Map.entry("objects created", others.lives() + groups.lives()),
        Map.entry("volumes created", storage.made()),
        Map.entry("volumes replaced", others.replaced()),
        Map.entry("volumes rescued", admins.rescued()),
        Map.entry("contents rescued", groups.rescued()),
        Map.entry("contents reused", groups.adopted()),
        Map.entry("slow Secrets", slowSecrets),
        Map.entry("names taken", others.taken()),
        Map.entry("classes changed", others.classes().changes()),
        Map.entry("misleading rejections", driver.refusals()),
        Map.entry("snapshots created", cuts.made()),
        Map.entry("snapshots destroyed", cuts.destroyed()));
  }

  @Override
  public Map<String, Double> least() {
    return isWide()
        ? Map.of("objects created", 26.0, "snapshots created", 3.0)
        : Map.of("objects created", 15.0, "volumes created", 4.2);
  }

  @Override
  public Fault fault(String what, Fault drawn) {
    if (conflicts && what.startsWith("write " + Kind.CLAIM) && random.nextBoolean()) {
      return Fault.CONFLICT;
    }
    if (drawn != Fault.NONE) {
      calls.fault();
    }
    return drawn;
  }

  /** Returns the outcome of the driver's next changing call. */
  CsiFate fate(Call call) {
    return mood.of(call).orElseGet(this::fate);
  }

  /** Returns a random outcome for the driver's next call. */
  CsiFate fate() {
    return simulation.isCalm() ? new CsiFate.Well() : CsiFate.of(random);
  }

  CsiChecks checks() {
    return checks;
  }

  boolean isAiling() {
    return !simulation.isCalm() && random.nextInt(10) == 0;
  }

  long room() {
    return simulation.isCalm() ? CsiStorage.GIB : random.nextInt(5) * CsiStorage.GIB;
  }

  /**
   * Called when a process may use the driver. The controllers requeue waiting objects then, which
   * may repeat calls.
   */
  private void isReady() {
    simulation.note("the driver is ready");
    if (another) {
      another = false;
      calls.reset();
    }
  }

  private void touched(Claim claim) {
    calls.touched("pvc-" + claim.meta().uid());
    calls.touched(claim.volumeName());
  }

  /** Called with the reply of every changing call. */
  void called(Call call, String key, Reply<?> reply) {
    boolean well = reply instanceof Reply.Ok<?>;
    String owner = driver.owner(key);
    simulation.note(
        "call: "
            + call
            + " "
            + owner
            + (reply instanceof Reply.Refused<?> refused ? ": " + refused.text() : ""));
    calls.called(call, owner, well, simulation.clock().now());
    if (call == Call.CREATE_VOLUME && CsiMood.isOpen(reply)) {
      open.add(key);
    }
  }

  @Override
  public <T extends Resource> void written(T before, WriteResult<T> result) {
    deletions.written(before, result);
    if (result instanceof WriteResult.Written<T>(T now)) {
      calls.written(before, now);
      cuts.written(before, now);
      groups.written(now);
    }
  }

  /**
   * Fault: an administrator rescues an object after a controller has decided to destroy it, but
   * before it has written that.
   */
  @Override
  public void overtake(Kind<?> kind, ObjectKey key) {
    if (simulation.isCalm() && !leaving) {
      return;
    }
    if (kind.equals(Kind.VOLUME) && random.nextInt(RESCUE) == 0) {
      admins.rescue(key);
    } else if (kind.equals(Kind.SNAPSHOT_CONTENT) && random.nextInt(3) == 0) {
      groups.rescue(key);
    }
  }

  /**
   * Fault: reading a Secret takes up to a minute, and an administrator rescues a volume meanwhile.
   */
  @Override
  public void readSlowly(Kind<?> kind, LongConsumer nanos) {
    if (simulation.isCalm() || !kind.equals(Kind.SECRET) || random.nextInt(3) > 0) {
      return;
    }
    slowSecrets++;
    nanos.accept(random.nextLong(MINUTE_NANOS / 2));
    if (!simulation.isCalm() && random.nextInt(4) == 0) {
      admins.rescueAny();
    }
    nanos.accept(random.nextLong(MINUTE_NANOS / 2));
  }

  @Override
  public void act() {
    int what = random.nextInt(138);
    if (what >= 135) {
      administer();
    } else if (what < 40) {
      others.act();
    } else if (what < 100) {
      others.play();
    } else if (what < 105) {
      disturb();
    } else if (cutting) {
      groups.act();
    }
  }

  private void administer() {
    switch (random.nextInt(4)) {
      case 0 -> admins.twin();
      case 1 -> admins.keep();
      case 2 -> admins.rescueAny();
      default -> admins.restore(handle -> storage.putForeign(handle, CsiStorage.GIB));
    }
  }

  @Override
  public boolean play() {
    boolean some = others.play();
    if (cutting) {
      groups.play();
    }
    return some;
  }

  private void disturb() {
    if (!mood.isGood() || random.nextInt(3) == 0) {
      mood = mood.isGood() ? CsiMood.bad(random) : new CsiMood.Good();
      simulation.note("the driver behaves as " + mood);
      return;
    }
    another = true;
    if (driver.isAway()) {
      simulation.note("the driver starts");
      driver.comes();
    } else if (random.nextInt(3) == 0) {
      simulation.note("another driver version answers");
      driver.replaced();
    } else {
      simulation.note("the driver stops");
      goes();
    }
  }

  private void goes() {
    driver.goes();
    wires.forEach(CsiWire::lose);
  }

  @Override
  public void crashed() {
    wires.clear();
    calls.reset();
    another = true;
    others.beingMade().forEach(claim -> open.add("pvc-" + claim.meta().uid()));
  }

  @Override
  public void calm() {
    others.calm();
  }

  /**
   * Invariant: after the faults everything reaches its desired state within the longest back-off.
   * After all deletions nothing is left over.
   */
  @Override
  public void end() {
    simulation.calm();
    another = true;
    mood = new CsiMood.Good();
    goes();
    driver.recovers();
    refusesToMake();
    isUnavailable();
    simulation.drain(RECOVERY_NANOS);
    List<String> left = goals.missed();
    verify(left.isEmpty(), "not in the desired state: " + left);
    fillsLate();
    simulation.note("users delete everything");
    if (cutting) {
      groups.adopt();
      simulation.drain(TOLD_NANOS);
      groups.deleteUsed();
      simulation.drain(TOLD_NANOS);
    }
    deletions.policiesChange();
    admins.leave();
    leaving = true;
    others.leave();
    if (cutting) {
      groups.leave();
      simulation.drain(RECOVERY_NANOS);
      groups.deleteRetained();
    }
    simulation.drain(RECOVERY_NANOS);
    List<String> kept = others.leaveForeignCopy();
    verify(kept.isEmpty(), "a copy without a grant keeps " + kept);
    simulation.drain(TOLD_NANOS);
    List<String> behind = goals.leftBehind(late);
    verify(behind.isEmpty(), "left over: " + behind);
    long before = simulation.writes();
    simulation.drain(RECOVERY_NANOS);
    verify(simulation.writes() == before, "does not come to rest: " + simulation.lastAsked());
  }

  /**
   * Invariant: a deleted claim goes away within {@link #GONE_NANOS} if no volume was created for
   * it, although the driver rejects every creation and other writers cause conflicts.
   */
  private void refusesToMake() {
    mood = CsiMood.refusing(random);
    simulation.note("the driver behaves as " + mood);
    others.makeMore();
    simulation.drain(TOLD_NANOS);
    conflicts = true;
    others.classes().delete(CsiClasses.BRIEF);
    others.deleteWaiting();
    simulation.drain(GONE_NANOS);
    others.classes().restore(CsiClasses.BRIEF);
    conflicts = false;
    // if a finalizer arrived late, the controller cannot know whether a call followed it
    List<String> left = late ? List.of() : goals.undead(open);
    verify(left.isEmpty(), "deleted claims without a volume stay: " + left);
  }

  /**
   * Invariant: claims are provisioned soon after their source appears, however long they have
   * waited.
   */
  private void fillsLate() {
    others.fillLate(cutting);
    simulation.drain(LATE_NANOS);
    others.makeLate();
    simulation.drain(TOLD_NANOS);
    if (cutting) {
      groups.makeLate();
      simulation.drain(TOLD_NANOS);
    }
    List<String> left = others.waitForLate();
    verify(left.isEmpty(), "their source exists, but they are not bound: " + left);
  }

  /**
   * Fault: the driver is unavailable for some minutes. Nothing else happens, so that only back-offs
   * repeat calls.
   *
   * <p>Invariant: {@link CsiCalls}, although users label claims.
   */
  private void isUnavailable() {
    mood = new CsiMood.Unavailable();
    simulation.note("the driver behaves as " + mood);
    others.makeMore();
    simulation.drain(TOLD_NANOS);
    others.offerAndUse();
    simulation.drain(TOLD_NANOS);
    calls.allIsTold();
    for (int i = 0; i < LABELS; i++) {
      others.labelThoseWithAnother();
      simulation.drain(SECOND_NANOS);
    }
    simulation.drain((1 + random.nextInt(4)) * MINUTE_NANOS);
    mood = new CsiMood.Good();
    simulation.note("the driver behaves as " + mood);
  }
}
