package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.operation.VolumeService;
import dev.mooring.operation.VolumeService.Making;
import dev.mooring.operation.VolumeService.Order;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the volume of a claim and saves it (spec/provisioner-lib.md 4.2 to 4.4).
 *
 * <p>Before the storage is asked, the claim says so by a finalizer, which goes when the volume is
 * saved, or certainly not there. So a claim that is deleted meanwhile stays until that is known,
 * through any crash: the storage is asked once more, and what was made is saved, released and
 * destroyed like any other volume, instead of being left behind. While the end of an earlier call
 * is not known, a later call's failure proves nothing, unless it says that the volume could never
 * be made. A claim that goes nevertheless, because somebody took the finalizer away, is remembered
 * while this process lives. Thread-safe.
 */
public final class ClaimWork {
  private static final Duration FIRST_SAVE = Duration.ofSeconds(1);
  private static final Duration LAST_SAVE = Duration.ofMinutes(1);
  private static final int TAKE_BACKS = 5;
  private static final Duration BETWEEN_TAKE_BACKS = Duration.ofSeconds(10);

  /** A request that the storage called infeasible, and how long it is not asked again. */
  private record Slow(Uid storageClass, long until) {}

  private final VolumeService service;
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final Narrator narrator;
  private final Figures figures;
  private final Time time;
  private final Duration slowness;
  private final Map<Uid, Claim> unfinished = new ConcurrentHashMap<>();
  // what this process has noted; a note of an earlier one stands for a call that nobody heard end
  private final Set<Uid> noted = ConcurrentHashMap.newKeySet();
  private final Map<Uid, Slow> slow = new ConcurrentHashMap<>();

  /**
   * Makes nothing yet.
   *
   * @param figures counts volumes by class, made or not
   * @param slowness how long a request is not repeated that the storage called infeasible
   */
  public ClaimWork(
      VolumeService service,
      ClusterWriter writer,
      LiveReader reader,
      Narrator narrator,
      Figures figures,
      Time time,
      Duration slowness) {
    this.figures = figures;
    this.service = service;
    this.writer = writer;
    this.reader = reader;
    this.narrator = narrator;
    this.time = time;
    this.slowness = slowness;
  }

  /** The name of the volume that is made for a claim: for ever the same. */
  public static String nameFor(Claim claim) {
    return "pvc-" + claim.meta().uid();
  }

  /** The claim of that uid, if its volume may be being made. */
  public Optional<Claim> unfinished(Uid claim) {
    return Optional.ofNullable(unfinished.get(claim));
  }

  /** Every claim whose volume may be being made. */
  public List<Claim> unfinished() {
    return List.copyOf(unfinished.values());
  }

  /** Nothing is to be done for the claim: nothing about it is remembered. */
  public void forget(Uid claim) {
    unfinished.remove(claim);
    noted.remove(claim);
    slow.remove(claim);
  }

  /** Makes the claim's volume and saves it. */
  public Outcome provision(Claim claim, StorageClass storageClass) throws InterruptedException {
    Optional<Duration> pause = pause(claim, storageClass);
    if (pause.isPresent()) {
      return claim.meta().isBeingDeleted() ? release(claim) : rest(claim, pause.get());
    }
    if (claim.volumeMode() == VolumeMode.BLOCK && !service.makesBlockVolumes()) {
      narrator.failed(
          claim, storageClass.provisioner() + " does not support block volume provisioning");
      return release(claim);
    }
    Uid uid = claim.meta().uid();
    if (ClaimRules.isBeingMade(claim) || unfinished.containsKey(uid)) {
      if (!noted.contains(uid)) {
        unfinished.putIfAbsent(uid, claim);
      }
      return make(claim, storageClass);
    }
    if (claim.meta().isBeingDeleted()) {
      return Outcome.SETTLED; // nothing was begun, and nobody will need it
    }
    WriteResult<Claim> note = finalizers(claim, claim.meta().finalizersWith(ClaimRules.BEING_MADE));
    if (note instanceof WriteResult.Written<Claim>(Claim now)) {
      noted.add(uid);
      return make(now, storageClass);
    }
    return Outcome.after("noting that the volume of claim " + claim.key() + " is made", note);
  }

  private WriteResult<Claim> finalizers(Claim claim, List<String> finalizers)
      throws InterruptedException {
    return writer.patch(
        Kind.CLAIM,
        claim.key(),
        Document.patchOf(claim.meta()).set(finalizers, "metadata", "finalizers"));
  }

  /**
   * Its volume is saved, or it is not ours any more. While it is being bound it is left alone: two
   * writers would only get into each other's way, and its next change brings it back.
   */
  public Outcome settle(Claim claim) throws InterruptedException {
    if (claim.phase() == ClaimPhase.BOUND || claim.meta().isBeingDeleted()) {
      return release(claim);
    }
    forget(claim.meta().uid());
    return Outcome.SETTLED;
  }

  /** Nothing is being made for the claim, or it is saved: the claim says so no longer. */
  private Outcome release(Claim claim) throws InterruptedException {
    forget(claim.meta().uid());
    return unmark(claim);
  }

  private Outcome unmark(Claim claim) throws InterruptedException {
    return ClaimRules.isBeingMade(claim)
        ? Outcome.after(
            "releasing claim " + claim.key(),
            finalizers(claim, claim.meta().finalizersWithout(ClaimRules.BEING_MADE)))
        : Outcome.SETTLED;
  }

  /** Nothing is there, and for a while nothing is asked for: nothing holds the claim meanwhile. */
  private Outcome rest(Claim claim, Duration pause) throws InterruptedException {
    Outcome unmarked = unmark(claim);
    return unmarked.equals(Outcome.SETTLED) ? new Outcome.CheckAgain(pause) : unmarked;
  }

  private Outcome make(Claim claim, StorageClass storageClass) throws InterruptedException {
    narrator.begins(claim);
    long since = figures.now();
    String node = claim.meta().annotation(ClaimRules.SELECTED_NODE);
    Order order = new Order(nameFor(claim), claim, storageClass, node.isEmpty() ? null : node);
    return switch (service.make(order)) {
      case Making.Made made -> {
        unfinished.put(claim.meta().uid(), claim); // until it is saved
        yield save(order, made, since);
      }
      case Making.Left(String _) -> release(claim);
      case Making.Failed failed -> {
        figures.provisioned(storageClass.meta().name(), false, since);
        yield failed(order, failed);
      }
    };
  }

  private Optional<Duration> pause(Claim claim, StorageClass storageClass) {
    Slow entry = slow.get(claim.meta().uid());
    if (entry == null) {
      return Optional.empty();
    }
    long left = entry.until() - time.nanos();
    if (left > 0 && entry.storageClass().equals(storageClass.meta().uid())) {
      return Optional.of(Duration.ofNanos(left));
    }
    slow.remove(claim.meta().uid());
    return Optional.empty();
  }

  private Outcome failed(Order order, Making.Failed failed) throws InterruptedException {
    Claim claim = order.claim();
    Uid uid = claim.meta().uid();
    if (failed.infeasible()) {
      narrator.infeasible(claim, failed.message());
      slow.put(uid, new Slow(order.storageClass().meta().uid(), time.nanos() + slowness.toNanos()));
      unfinished.remove(uid);
      noted.remove(uid);
      return claim.meta().isBeingDeleted() ? release(claim) : rest(claim, slowness);
    }
    switch (failed.state()) {
      case FINISHED -> unfinished.remove(uid);
      case BACKGROUND -> unfinished.put(uid, claim);
      case ENDED, UNCHANGED, RESCHEDULE -> {}
    }
    Outcome again = new Outcome.Retry(new Failure.Unreachable(failed.message()));
    if (claim.meta().isBeingDeleted()) {
      if (!unfinished.containsKey(uid)) {
        narrator.failed(claim, failed.message());
        return release(claim);
      }
      narrator.mayBeThere(claim, failed.message());
      return again;
    }
    narrator.failed(claim, failed.message());
    return failed.state() == VolumeService.State.RESCHEDULE && order.selectedNode() != null
        ? reschedule(claim, again)
        : again;
  }

  /** The scheduler is asked for another node. */
  private Outcome reschedule(Claim claim, Outcome again) throws InterruptedException {
    Document patch =
        Document.patchOf(claim.meta())
            .set(null, "metadata", "annotations", ClaimRules.SELECTED_NODE);
    return writer.patch(Kind.CLAIM, claim.key(), patch) instanceof WriteResult.Written<Claim>
        ? Outcome.SETTLED
        : again;
  }

  /**
   * A volume that exists is saved whatever it takes. Only if the server refuses it for good it is
   * destroyed again.
   */
  private Outcome save(Order order, Making.Made made, long since) throws InterruptedException {
    Claim claim = order.claim();
    Document object = made.object();
    complete(order, object);
    Duration wait = FIRST_SAVE;
    while (true) {
      WriteResult<Volume> result =
          writer.create(Kind.VOLUME, ObjectKey.cluster(order.volumeName()), object);
      switch (result) {
        case WriteResult.Written<Volume> _, WriteResult.Conflict<Volume> _ -> {
          figures.provisioned(order.storageClass().meta().name(), true, since);
          narrator.succeeded(claim, order.volumeName());
          return settle(claim);
        }
        case WriteResult.Rejected<Volume>(int code, String message) -> {
          figures.provisioned(order.storageClass().meta().name(), false, since);
          return rejected(order, made, "the server refused it (" + code + "): " + message);
        }
        case WriteResult.Gone<Volume> _, WriteResult.Unreachable<Volume> _ -> {
          time.sleep(wait);
          Duration twice = wait.multipliedBy(2);
          wait = twice.compareTo(LAST_SAVE) > 0 ? LAST_SAVE : twice;
        }
      }
    }
  }

  /**
   * An earlier attempt whose answer was lost may have saved it: what is saved is not destroyed, and
   * what may be saved is asked for again.
   */
  private Outcome rejected(Order order, Making.Made made, String why) throws InterruptedException {
    return switch (reader.read(Kind.VOLUME, ObjectKey.cluster(order.volumeName()))) {
      case ReadResult.Found<Volume> _ -> {
        narrator.succeeded(order.claim(), order.volumeName());
        yield settle(order.claim());
      }
      case ReadResult.Failed<Volume>(String message) ->
          new Outcome.Retry(
              new Failure.Uncertain(
                  "whether volume " + order.volumeName() + " is saved is unknown: " + message));
      case ReadResult.Absent<Volume> _ -> {
        narrator.notSaved(order.claim(), why);
        takeBack(order.claim(), made);
        forget(order.claim().meta().uid());
        yield new Outcome.Retry(
            new Failure.Rejected("saving volume " + order.volumeName() + ": " + why));
      }
    };
  }

  private void takeBack(Claim claim, Making.Made made) throws InterruptedException {
    VolumeService.Destroying end = made.takeBack().run();
    for (int more = 1; more < TAKE_BACKS; more++) {
      if (end instanceof VolumeService.Destroying.Destroyed) {
        return;
      }
      time.sleep(BETWEEN_TAKE_BACKS);
      end = made.takeBack().run();
    }
    if (!(end instanceof VolumeService.Destroying.Destroyed)) {
      narrator.notCleaned(claim, end.toString());
    }
  }

  private static void complete(Order order, Document object) {
    Claim claim = order.claim();
    StorageClass storageClass = order.storageClass();
    object
        .set(order.volumeName(), "metadata", "name")
        .set(List.of(VolumeRules.FINALIZER), "metadata", "finalizers")
        .set(storageClass.provisioner(), "metadata", "annotations", VolumeRules.PROVISIONED_BY)
        .set("v1", "spec", "claimRef", "apiVersion")
        .set("PersistentVolumeClaim", "spec", "claimRef", "kind")
        .set(claim.key().namespace(), "spec", "claimRef", "namespace")
        .set(claim.key().name(), "spec", "claimRef", "name")
        .set(claim.meta().uid().toString(), "spec", "claimRef", "uid")
        .set(Long.toString(claim.meta().resourceVersion()), "spec", "claimRef", "resourceVersion")
        .set(storageClass.meta().name(), "spec", "storageClassName")
        .set(storageClass.reclaimPolicy().toString(), "spec", "persistentVolumeReclaimPolicy");
    if (!storageClass.mountOptions().isEmpty()) {
      object.set(storageClass.mountOptions(), "spec", "mountOptions");
    }
    object.set(claim.accessModes().written(), "spec", "accessModes");
    object.set(claim.volumeMode().toString(), "spec", "volumeMode");
  }
}
