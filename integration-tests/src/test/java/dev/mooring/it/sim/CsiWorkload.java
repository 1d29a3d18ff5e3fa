package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.binder.BinderModule;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.StatusCodeMeanings.Call;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.storage.LoadedPlugins;
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
 * <p>Invariants: {@link CsiCallChecks}, {@link DeletionChecks} and {@link CsiCallCounts} at every
 * call, {@link CsiFinalState} at the end.
 */
final class CsiWorkload implements Workload {
  private static final Pace PACE = new Pace(2_000, 1_350, 20, 1);
  private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);

  /**
   * Time until all work is done after the faults: the longest back-off, plus a minute for work in
   * several steps.
   */
  private static final long RECOVERY_NANOS = MAX_BACKOFF.plusSeconds(60).toNanos();

  private static final int LABELS = 20;

  /** An administrator rescues the volume before one in this many writes. */
  private static final int WRITES_PER_RESCUE = 16;

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  /** Time after which all controllers have received the watch events of a change. */
  private static final long DELIVERY_NANOS = 20 * SECOND_NANOS;

  /**
   * Time after which the back-off of a waiting claim is at least four minutes. Only the appearance
   * of its source can requeue it sooner.
   */
  private static final long LONG_WAIT_NANOS = 5 * MINUTE_NANOS;

  /** Time within which a deleted claim must be gone despite conflicts and unanswered reads. */
  private static final long DELETION_NANOS = 40 * SECOND_NANOS;

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final CsiDriverStorage storage = new CsiDriverStorage();
  private final CsiCallChecks checks;
  private final DeletionChecks deletions;
  private final VolumeAdmins admins;
  private final boolean hasLateWrites; // a claim's finalizer may arrive long after it was sent
  private final boolean withSnapshots;
  private final DriverSnapshots driverSnapshots;
  private final CsiDriverProcess driver;
  private final CsiActors actors;
  private final SnapshotUsers snapshotUsers;
  private final SimVolumeHealth health;
  private final CsiFinalState finalState;
  private final CsiCallCounts calls;
  private final List<CsiDriverConnection> connections = new ArrayList<>();
  private final Set<String> open = new HashSet<>(); // names of volumes that may exist
  private DriverBehaviour behaviour = new DriverBehaviour.Normal();
  private boolean conflicts; // half of the writes to claims get a conflict
  private boolean deletingAll; // users are deleting everything
  private long slowSecrets;
  private boolean driverChanged; // the driver went away or was replaced since it was last ready

  CsiWorkload(Simulation simulation) {
    this.simulation = simulation;
    random = simulation.random();
    server = simulation.server();
    deletions = new DeletionChecks(simulation);
    checks = new CsiCallChecks(server, deletions);
    admins =
        new VolumeAdmins(
            simulation,
            CsiDriverProcess.NAME,
            handle ->
                "'csi':{'driver':'" + CsiDriverProcess.NAME + "','volumeHandle':'" + handle + "'}");
    hasLateWrites = simulation.mode().hasLateWrites();
    // a content that a late write creates for a deleted snapshot stays: docs/dev/invariants.md
    withSnapshots =
        isWide() || simulation.mode() != FaultMode.NORMAL && !hasLateWrites && random.nextBoolean();
    calls = new CsiCallCounts(simulation.mode() == FaultMode.NORMAL || isWide());
    driverSnapshots =
        new DriverSnapshots(simulation, storage, DriverSnapshots.uploads(random::nextLong));
    driver = new CsiDriverProcess(this, storage, driverSnapshots, withSnapshots);
    actors = new CsiActors(simulation, storage, this::onChange);
    actors.createInitialObjects();
    snapshotUsers = new SnapshotUsers(simulation, driverSnapshots);
    health = new SimVolumeHealth(simulation, storage);
    finalState =
        new CsiFinalState(
            server, storage, actors, admins, health, withSnapshots ? snapshotUsers : null);
    if (withSnapshots) {
      server.installSnapshots();
      snapshotUsers.createInitialObjects();
    }
  }

  private boolean isWide() {
    return simulation.mode() == FaultMode.WIDE;
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
    CsiDriverConnection connection = new CsiDriverConnection(this, driver);
    connections.add(connection);
    return new SimProcess.Program(
        List.of(new BinderModule()),
        LoadedPlugins.NONE,
        Optional.of(
            new SimDriverModule.Driver(
                CsiDriverProcess.NAME,
                DriverNames.OF_VOLUMES,
                MAX_BACKOFF,
                true,
                withSnapshots,
                actors.hasForeignCopy(),
                connection,
                this::onDriverReady)));
  }

  @Override
  public Map<String, Long> occurrences() {
    return Map.ofEntries(
        Map.entry("objects created", actors.createdCount() + snapshotUsers.createdCount()),
        Map.entry("volumes created", storage.createdCount()),
        Map.entry("volumes replaced", actors.replacedCount()),
        Map.entry("volumes rescued", admins.rescueCount()),
        Map.entry("contents rescued", snapshotUsers.rescueCount()),
        Map.entry("contents reused", snapshotUsers.reuseCount()),
        Map.entry("slow Secrets", slowSecrets),
        Map.entry("names taken", actors.takenNameCount()),
        Map.entry("nodes removed", actors.nodes().removalCount()),
        Map.entry("classes changed", actors.classes().changes()),
        Map.entry("reports of problems", health.reportCount()),
        Map.entry("withdrawn reports", health.withdrawalCount()),
        Map.entry("misleading rejections", driver.misleadingRejectionCount()),
        Map.entry("snapshots created", driverSnapshots.createdCount()),
        Map.entry("snapshots destroyed", driverSnapshots.destroyedCount()));
  }

  @Override
  public Map<String, Double> minimumOccurrences() {
    return isWide()
        ? Map.of("objects created", 26.0, "snapshots created", 3.0)
        : Map.of("objects created", 15.0, "volumes created", 4.2, "nodes removed", 0.5);
  }

  @Override
  public CallFault chooseFault(String request, CallFault drawn) {
    if (conflicts && request.startsWith("write " + Kind.CLAIM) && random.nextBoolean()) {
      return CallFault.CONFLICT;
    }
    if (drawn != CallFault.NONE) {
      calls.onServerFault();
    }
    return drawn;
  }

  /** Returns the outcome of the driver's next changing call. */
  CsiCallOutcome outcome(Call call) {
    return behaviour.outcome(call).orElseGet(this::outcome);
  }

  /** Returns a random outcome for the driver's next call. */
  CsiCallOutcome outcome() {
    return simulation.areFaultsOver()
        ? new CsiCallOutcome.Success()
        : CsiCallOutcome.ofRandom(random);
  }

  CsiNodes nodes() {
    return actors.nodes();
  }

  CsiCallChecks checks() {
    return checks;
  }

  SimVolumeHealth health() {
    return health;
  }

  boolean isVolumeAbnormal() {
    return !simulation.areFaultsOver() && random.nextInt(10) == 0;
  }

  long randomCapacity() {
    return simulation.areFaultsOver()
        ? CsiDriverStorage.GIB
        : random.nextInt(5) * CsiDriverStorage.GIB;
  }

  /**
   * Called when a process may use the driver. The controllers requeue waiting objects then, which
   * may repeat calls.
   */
  private void onDriverReady() {
    simulation.addToHistory("the driver is ready");
    if (driverChanged) {
      driverChanged = false;
      calls.reset();
    }
  }

  private void onChange(Claim claim) {
    calls.onChange("pvc-" + claim.meta().uid());
    calls.onChange(claim.volumeName());
  }

  /** Called with the reply of every changing call. */
  void onCall(Call call, String key, DriverReply<?> reply) {
    boolean succeeded = reply instanceof DriverReply.Ok<?>;
    String owner = driver.requestName(key);
    simulation.addToHistory(
        "call: "
            + call
            + " "
            + owner
            + (reply instanceof DriverReply.Refused<?> refused ? ": " + refused.text() : ""));
    calls.onCall(call, owner, succeeded, simulation.clock().now());
    if (call == Call.CREATE_VOLUME && DriverBehaviour.mayHaveCreated(reply)) {
      open.add(key);
    }
  }

  @Override
  public <T extends Resource> void onWrite(T previous, WriteResult<T> result) {
    deletions.onWrite(previous, result);
    if (result instanceof WriteResult.Written<T>(T now)) {
      calls.onWrite(previous, now);
      driverSnapshots.onWrite(previous, now);
      snapshotUsers.onWrite(now);
      if (now instanceof Claim claim) {
        health.onWrite((Claim) previous, claim);
      }
    }
  }

  /**
   * Fault: an administrator rescues an object after a controller has decided to destroy it, but
   * before it has written that.
   */
  @Override
  public void beforeWrite(Kind<?> kind, ObjectKey key) {
    if (simulation.areFaultsOver() && !deletingAll) {
      return;
    }
    if (kind.equals(Kind.VOLUME) && random.nextInt(WRITES_PER_RESCUE) == 0) {
      admins.rescue(key);
    } else if (kind.equals(Kind.SNAPSHOT_CONTENT) && random.nextInt(3) == 0) {
      snapshotUsers.rescue(key);
    }
  }

  /**
   * Fault: reading a Secret takes up to a minute, and an administrator rescues a volume meanwhile.
   */
  @Override
  public void readSlowly(Kind<?> kind, LongConsumer nanos) {
    if (simulation.areFaultsOver() || !kind.equals(Kind.SECRET) || random.nextInt(3) > 0) {
      return;
    }
    slowSecrets++;
    nanos.accept(random.nextLong(MINUTE_NANOS / 2));
    if (!simulation.areFaultsOver() && random.nextInt(4) == 0) {
      admins.rescueAny();
    }
    nanos.accept(random.nextLong(MINUTE_NANOS / 2));
  }

  @Override
  public void act() {
    int draw = random.nextInt(138);
    if (draw >= 135) {
      actAsAdministrator();
    } else if (draw < 40) {
      actors.act();
    } else if (draw < 100) {
      actors.finishWork();
    } else if (draw < 105) {
      disturbDriver();
    } else if (withSnapshots) {
      snapshotUsers.act();
    }
  }

  private void actAsAdministrator() {
    switch (random.nextInt(4)) {
      case 0 -> admins.createOrDeleteTwin();
      case 1 -> admins.retainAny();
      case 2 -> admins.rescueAny();
      default -> admins.restore(handle -> storage.addForeign(handle, CsiDriverStorage.GIB));
    }
  }

  @Override
  public boolean finishOtherWork() {
    boolean worked = actors.finishWork();
    if (withSnapshots) {
      snapshotUsers.collectGarbage();
    }
    return worked;
  }

  private void disturbDriver() {
    if (random.nextInt(3) > 0) {
      health.disturb();
    }
    if (!behaviour.isNormal() || random.nextInt(3) == 0) {
      behaviour =
          behaviour.isNormal() ? DriverBehaviour.random(random) : new DriverBehaviour.Normal();
      simulation.addToHistory("the driver behaves as " + behaviour);
      return;
    }
    driverChanged = true;
    if (driver.isDown()) {
      simulation.addToHistory("the driver starts");
      driver.start();
    } else if (random.nextInt(3) == 0) {
      simulation.addToHistory("another driver version answers");
      driver.replaceVersion();
    } else {
      simulation.addToHistory("the driver stops");
      stopDriver();
    }
  }

  private void stopDriver() {
    driver.stop();
    connections.forEach(CsiDriverConnection::loseConnection);
  }

  @Override
  public void onProcessEnd() {
    connections.clear();
    calls.reset();
    driverChanged = true;
    actors.claimsWithPossibleVolume().forEach(claim -> open.add("pvc-" + claim.meta().uid()));
  }

  @Override
  public void onFaultsEnd() {
    actors.undoBlockers();
  }

  /**
   * Invariant: after the faults everything reaches its desired state within the longest back-off.
   * After all deletions nothing is left over.
   */
  @Override
  public void finish() {
    simulation.endFaults();
    driverChanged = true;
    behaviour = new DriverBehaviour.Normal();
    stopDriver();
    driver.restoreCapabilities();
    playRejectedCreations();
    playUnavailability();
    simulation.settle(RECOVERY_NANOS);
    if (actors.nodes().isAnyGone()) {
      // the answer to the first call after the faults may still be about the zone that is gone
      simulation.settle(RECOVERY_NANOS);
    }
    List<String> unmetGoals = finalState.findUnmet();
    verify(unmetGoals.isEmpty(), "not in the desired state: " + unmetGoals);
    playLateSource();
    // a deleted claim stays while its zone has no storage: the driver rejects the repeated call
    actors.registerNode();
    simulation.addToHistory("users delete everything");
    if (withSnapshots) {
      snapshotUsers.reuseContents();
      simulation.settle(DELIVERY_NANOS);
      snapshotUsers.deleteUsed();
      simulation.settle(DELIVERY_NANOS);
    }
    deletions.onPoliciesChange();
    admins.undo();
    deletingAll = true;
    actors.deleteAll();
    if (withSnapshots) {
      snapshotUsers.deleteAll();
      simulation.settle(RECOVERY_NANOS);
      snapshotUsers.deleteRetained();
    }
    simulation.settle(RECOVERY_NANOS);
    List<String> protectedClaims = actors.deleteForeignCopy();
    verify(protectedClaims.isEmpty(), "a copy without a grant keeps " + protectedClaims);
    simulation.settle(DELIVERY_NANOS);
    List<String> leftovers = finalState.findLeftovers(hasLateWrites);
    verify(leftovers.isEmpty(), "left over: " + leftovers);
    long writesBefore = simulation.writeCount();
    simulation.settle(RECOVERY_NANOS);
    verify(
        simulation.writeCount() == writesBefore,
        "does not come to rest: " + simulation.lastRequest());
  }

  /**
   * Invariant: a deleted claim goes away within {@link #DELETION_NANOS} if no volume was created
   * for it, although the driver rejects every creation and other writers cause conflicts.
   */
  private void playRejectedCreations() {
    behaviour = DriverBehaviour.rejectingCreations(random);
    simulation.addToHistory("the driver behaves as " + behaviour);
    actors.createMore();
    simulation.settle(DELIVERY_NANOS);
    if (random.nextBoolean()) {
      actors.removeNodeOfMovedClaim();
    }
    conflicts = true;
    actors.classes().delete(ClassAdministrator.BRIEF);
    actors.deletePending();
    simulation.settle(DELETION_NANOS);
    actors.classes().restore(ClassAdministrator.BRIEF);
    conflicts = false;
    // if a finalizer arrived late, the controller cannot know whether a call followed it
    List<String> stuckDeletions = hasLateWrites ? List.of() : finalState.findStuckDeletions(open);
    verify(stuckDeletions.isEmpty(), "deleted claims without a volume stay: " + stuckDeletions);
  }

  /**
   * Invariant: claims are provisioned soon after their source appears, however long they have
   * waited.
   */
  private void playLateSource() {
    actors.createCopiesWithoutSource(withSnapshots);
    simulation.settle(LONG_WAIT_NANOS);
    actors.createSource();
    simulation.settle(DELIVERY_NANOS);
    if (withSnapshots) {
      snapshotUsers.createSource();
      simulation.settle(DELIVERY_NANOS);
    }
    List<String> unboundCopies = actors.findUnboundCopies();
    verify(
        unboundCopies.isEmpty(), "their source exists, but they are not bound: " + unboundCopies);
  }

  /**
   * Fault: the driver is unavailable for some minutes. Nothing else happens, so that only back-offs
   * repeat calls.
   *
   * <p>Invariant: {@link CsiCallCounts}, although users label claims.
   */
  private void playUnavailability() {
    behaviour = new DriverBehaviour.Unavailable();
    simulation.addToHistory("the driver behaves as " + behaviour);
    actors.createMore();
    simulation.settle(DELIVERY_NANOS);
    actors.offerAndUse();
    if (random.nextBoolean()) {
      actors.removeNodeOfMovedClaim();
    }
    simulation.settle(DELIVERY_NANOS);
    calls.onAllEventsDelivered();
    for (int i = 0; i < LABELS; i++) {
      actors.labelBoundElsewhere();
      simulation.settle(SECOND_NANOS);
    }
    simulation.settle((1 + random.nextInt(4)) * MINUTE_NANOS);
    behaviour = new DriverBehaviour.Normal();
    simulation.addToHistory("the driver behaves as " + behaviour);
  }
}
