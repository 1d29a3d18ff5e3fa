package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.attachdetach.execute.VolumeAttachments;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.it.sim.SimNodes.At;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.csi.CsiConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * One seeded schedule of a manager with all its controllers: claims come, are bound, used by pods
 * on nodes that die, grow and go, while caches lag, the server and the storage err, and the manager
 * crashes between any two steps. What must never happen is checked at every write and every call;
 * what must be in the end, when all is quiet, and again when nobody wants anything any more.
 */
final class WholeWorld implements Outside, Schedules.Schedule {
  private static final int STEPS = 2_000;

  /** So much time goes by where nothing happens. */
  private static final long IDLE_NANOS = 50_000_000;

  private static final String CLAIM_FINALIZER = "kubernetes.io/pvc-protection";
  private static final String VOLUME_FINALIZER = "kubernetes.io/pv-protection";

  private final Random random;
  private final SimScheduler scheduler = new SimScheduler();
  private final SimClock clock;
  private final SimServer server;
  private final WholeStorage storage = new WholeStorage(this, this::checkDestroying, this::note);
  private final SimNodes nodes;
  private final WholeKubelets kubelets;
  private final WholeUsers users;
  private final Trouble trouble;
  private final Late late;
  private final boolean driven; // there is a CSI driver
  private final boolean telling; // it says where its volumes are
  private final boolean faulty;
  private final boolean takeovers;
  private final Compat compat;
  private final History history = new History(200);
  private final Set<WholeProcess> crashed = new HashSet<>();
  private WholeProcess process;
  private WholeProcess standby; // null where there is none; nothing tells it anything
  private long asked; // requests so far
  private String lastAsked = "";
  private boolean calm;

  WholeWorld(long seed) {
    random = new Random(seed);
    driven = seed >= Schedules.DRIVEN;
    clock = new SimClock(scheduler, driven);
    server = new SimServer(random, clock);
    long mode = Schedules.mode(seed);
    boolean removed = driven && mode >= Schedules.WIDE && mode < Schedules.FAULTY;
    nodes = new SimNodes(random, server, removed, WholeStorage::unique, this::note);
    storage.usedBy(nodes);
    kubelets = new WholeKubelets(random, server, storage, nodes);
    telling = driven && random.nextBoolean();
    if (driven) {
      WholeDriver.install(server, nodes);
    }
    // what a plugin had attached to a node that is removed nothing tells of: docs/promises.md
    users =
        new WholeUsers(random, server, nodes, this::note, WholeUsers.Makers.of(driven, removed));
    faulty = mode >= Schedules.FAULTY && mode < Schedules.TAKEOVERS;
    takeovers = mode >= Schedules.TAKEOVERS && mode < Schedules.OUTAGES;
    late = new Late(random, mode, this::note);
    compat = Compat.of(mode >= Schedules.KUBERNETES);
    trouble = new Trouble(random, clock, () -> process.watches(), this::note);
    process = new WholeProcess(this, server, storage).begin();
    standBy();
  }

  /** The CSI driver as a process reaches it; empty if there is none. */
  Optional<CsiConnection> driver(Object of) {
    return driven ? Optional.of(new WholeDriver(this, server, storage, of)) : Optional.empty();
  }

  private void standBy() {
    standby = takeovers ? new WholeProcess(this, server, storage) : null;
  }

  SimScheduler scheduler() {
    return scheduler;
  }

  /** Whether the CSI driver says where its volumes are. */
  boolean tellsWhere() {
    return telling;
  }

  /** How long the driver takes for what it is asked next, in nanoseconds; mostly no time. */
  long slowness() {
    return calm || random.nextInt(4) > 0 ? 0 : (1 + random.nextInt(40)) * 1_000_000_000L;
  }

  /** As whose the controllers decide. */
  Compat compat() {
    return compat;
  }

  SimClock clock() {
    return clock;
  }

  int mounts() {
    return kubelets.mounts();
  }

  WholeStorage storage() {
    return storage;
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
    return false;
  }

  @Override
  public void asked(String what) {
    asked++;
    lastAsked = what;
  }

  @Override
  public void underWay(Runnable write) {
    late.underWay(write);
  }

  @Override
  public void givenUp(Runnable write) {
    late.givenUp(write);
  }

  /** What the controllers tell. */
  void event(ClusterEvent event) {
    note("event: " + event.about().name() + " " + event.reason() + " " + event.note());
    if (!event.reason().equals("VolumeForceDetached")) {
      return;
    }
    for (At at : Set.copyOf(nodes.mounted())) {
      if (at.node().equals(event.about().name())
          && event.note().contains(WholeStorage.unique(at.handle()) + " ")) {
        nodes.takenByForce(at);
      }
    }
  }

  @Override
  public String history() {
    return history.toString();
  }

  void note(String what) {
    history.note(clock.now() / 1_000_000 + " " + what);
  }

  @Override
  public <T extends Resource> void checkWrite(T before, WriteResult<T> result) {
    T now = result instanceof WriteResult.Written<T>(T written) ? written : null;
    if (now == null && (before == null || !(result instanceof WriteResult.Gone<T>))) {
      return;
    }
    note("write: " + (now == null ? before.key() + " goes" : told(now)));
    if (isLetGo(before, now, CLAIM_FINALIZER)) {
      checkNobodyUses(before.key());
    }
    if (before instanceof Volume volume && isLetGo(before, now, VOLUME_FINALIZER)) {
      checkNobodyHas(volume);
    }
  }

  private static String told(Resource now) {
    return switch (now) {
      case Claim claim ->
          "%s %s %s of %s %s %s"
              .formatted(
                  claim.key(),
                  claim.phase(),
                  claim.status().storage(),
                  claim.request(),
                  claim.status().resize(),
                  claim.meta().finalizers());
      case Volume volume ->
          "%s %s %s %s"
              .formatted(volume.key(), volume.phase(), volume.storage(), volume.finalizers());
      case Attachment attachment ->
          "attachment of %s to %s: %s%s%s %s"
              .formatted(
                  attachment.volumeName(),
                  attachment.nodeName(),
                  attachment.attached() ? "attached" : "not attached",
                  attachment.meta().isBeingDeleted() ? ", goes" : "",
                  attachment.meta().has(VolumeAttachments.MARK) ? ", marked" : "",
                  attachment.attachError() + attachment.detachError());
      case Node node -> node.key() + " lists " + new TreeSet<>(node.volumesAttached().keySet());
      default -> now.key().toString();
    };
  }

  private static boolean isLetGo(Resource before, Resource now, String finalizer) {
    return before != null
        && before.meta().finalizers().contains(finalizer)
        && (now == null || !now.meta().finalizers().contains(finalizer));
  }

  /** A claim stays as long as a pod on a node may use it. */
  private void checkNobodyUses(ObjectKey claim) {
    for (Pod pod : server.all(Kind.POD)) {
      verify(
          pod.nodeName().isEmpty() || pod.isTerminated() || !pod.claims().contains(claim.name()),
          claim + " is let go under " + pod);
    }
  }

  /** A volume stays as long as a claim has it. */
  private void checkNobodyHas(Volume volume) {
    for (Claim claim : server.all(Kind.CLAIM)) {
      ClaimRef ref = volume.claimRef();
      verify(
          claim.phase() != ClaimPhase.BOUND
              || !claim.volumeName().equals(volume.meta().name())
              || ref == null
              || !ref.uid().equals(claim.meta().uid()),
          volume.key() + " is let go under " + claim);
    }
  }

  /** Data goes only when the claim that it belongs to is gone, or has another volume. */
  private void checkDestroying(String name) {
    note("storage: destroys " + name);
    WholeStorage.Item item = storage.items().get(name);
    Claim claim = item == null ? null : server.find(Kind.CLAIM, item.asset.claim());
    verify(
        claim == null
            || !claim.meta().uid().equals(item.asset.claimUid())
            || !claim.volumeName().equals(name),
        name + " is destroyed under " + claim);
  }

  @Override
  public void run() {
    for (int i = 0; i < STEPS; i++) {
      step();
      late.perhaps();
      storage.check();
    }
    settle();
    WholeGoals goals = new WholeGoals(server, storage, nodes, compat);
    goals.check(crashed);
    users.leave();
    settle();
    goals.checkNothingLeft(crashed);
    process.end();
    if (standby != null) {
      standby.end();
    }
  }

  private void step() {
    if (faulty) {
      if (random.nextInt(100) < 3) {
        trouble.happen();
      }
      trouble.notice();
    }
    // a driver is to have introduced itself before the next crash
    if (late.any() && random.nextInt(driven ? 1000 : 100) < 2) {
      crash();
    }
    int what = random.nextInt(1000);
    if (what < 480) {
      resumeOne();
    } else if (what < 700) {
      any(process.watches()).deliver();
    } else if (what < 800) {
      kubelets.step(nodes.any(), true);
    } else if (what < 860) {
      users.schedule();
    } else if (what < 880) {
      users.collect();
    } else if (what < 945) {
      users.act();
    } else if (what < 975) {
      clock.advance(random.nextInt(random.nextInt(10) == 0 ? 400_000 : 3_000) * 1_000_000L);
    } else if (what < 985) {
      nodes.happen(nodes.any());
    } else if (what < 995) {
      any(process.watches()).gap();
    } else if (!driven || random.nextInt(4) == 0) {
      crash();
    }
  }

  /** One of them. */
  <T> T any(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private boolean resumeOne() {
    return scheduler.resumeAny(random, clock.now());
  }

  private void crash() {
    note("crash");
    process.end();
    crashed.add(process);
    process =
        standby == null ? new WholeProcess(this, server, storage).begin() : standby.takeOver();
    standBy();
  }

  /** All is well, nobody does anything any more: until nothing happens. */
  private void settle() {
    calm = true;
    nodes.reviveAll();
    trouble.end();
    if (late.any()) {
      drain();
      late.all();
    }
    int quiet = 0;
    for (int round = 0; quiet < 3; round++) {
      verify(round < 100, "does not come to rest: " + lastAsked);
      long before = version();
      long askedBefore = asked;
      drain();
      clock.advance(130_000_000_000L);
      drain();
      quiet = version() == before && asked == askedBefore ? quiet + 1 : 0;
    }
  }

  private long version() {
    return server.store(Kind.NODE).version();
  }

  private void drain() {
    for (int round = 0, idle = 0; idle < 30; round++) {
      verify(round < 40_000, "work without end of " + process.busy() + ": " + lastAsked);
      boolean some = turn();
      if (!some) {
        clock.advance(IDLE_NANOS);
      }
      idle = some || !process.busy().isEmpty() ? 0 : idle + 1;
    }
  }

  /** Everybody does something; whether anything came of it. */
  private boolean turn() {
    long before = version();
    boolean some = resumeOne();
    for (SimWatch<?> watch : process.watches()) {
      while (watch.deliver()) {
        some = true;
      }
    }
    kubelets.step(nodes.any(), false);
    users.schedule();
    users.collect();
    storage.check();
    return some || version() != before;
  }
}
