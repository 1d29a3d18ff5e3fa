package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.SavePolicy;
import dev.mooring.storage.SaveResult;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeSaver;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.storage.decide.SavedVerdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates the volume of a claim and saves it (spec/provisioner-lib.md 4.2 to 4.4).
 *
 * <p>The note, a finalizer on the claim, means that the storage may have been called. It is removed
 * when the volume is saved or certainly absent. Until then a deleted claim stays, across crashes,
 * and the call is repeated. A volume that results is saved, released and deleted as usual. While an
 * earlier call is in doubt, the failure of a later one proves nothing. The process remembers a
 * deleted claim only if it wrote or kept the note. Thread-safe.
 */
public final class ClaimWork {
  private final VolumeService service;
  private final ClaimNotes notes;
  private final ProvisionReporter reporter;
  private final ProvisionStats stats;
  private final SavedVolumes saved;
  private final DriverNames names;
  private final VolumeSaver saver;
  private final Map<Uid, Claim> unfinished = new ConcurrentHashMap<>();
  private final InfeasibleRequests infeasible;
  // last failure of an API request per claim, to emit one event for it
  private final Map<Uid, String> said = new ConcurrentHashMap<>();
  // class of the last call, because the class may be deleted before the outcome is known
  private final Map<Uid, StorageClass> lastClass = new ConcurrentHashMap<>();

  /** Repeats an infeasible request after {@code slowness}. */
  public ClaimWork(
      VolumeService service,
      ClusterPorts ports,
      ProvisionListeners listeners,
      Duration slowness,
      DriverNames names) {
    this.service = service;
    this.notes = new ClaimNotes(ports.writer(), service.names(), ports.time());
    this.reporter = listeners.reporter();
    this.stats = listeners.stats();
    this.saved = listeners.saved();
    this.infeasible = new InfeasibleRequests(slowness, ports.time());
    this.names = names;
    this.saver = new VolumeSaver(ports, SavePolicy.UNTIL_REFUSED);
  }

  public Optional<Claim> unfinished(Uid claim) {
    return Optional.ofNullable(unfinished.get(claim));
  }

  public List<Claim> unfinished() {
    return List.copyOf(unfinished.values());
  }

  public void forget(Uid claim) {
    unfinished.remove(claim);
    notes.forget(claim);
    infeasible.forget(claim);
    said.remove(claim);
    lastClass.remove(claim);
    service.forget(claim);
  }

  public Outcome provision(Claim claim, StorageClass storageClass) throws InterruptedException {
    Optional<Duration> pause = infeasible.left(claim, storageClass);
    if (pause.isPresent()) {
      return paused(claim, pause.get());
    }
    if (claim.volumeMode() == VolumeMode.BLOCK && !service.makesBlockVolumes()) {
      reporter.failed(
          claim, storageClass.provisioner() + " does not support block volume provisioning");
      return release(claim);
    }
    Uid uid = claim.meta().uid();
    boolean noted = notes.isOn(claim);
    if (noted && !notes.isOwn(uid)) {
      unfinished.putIfAbsent(uid, claim);
    } else if (notes.isInherited(uid)) {
      unfinished.remove(uid); // the earlier process removed its note: there is no volume
    }
    if (ClaimRules.isUnwanted(claim) && !unfinished.containsKey(uid)) {
      return noted ? release(claim) : Outcome.SETTLED; // there is certainly no volume
    }
    saved.remove(uid);
    return make(order(claim, storageClass));
  }

  private Outcome paused(Claim claim, Duration pause) throws InterruptedException {
    if (!unfinished.containsKey(claim.meta().uid())) {
      return ClaimRules.isUnwanted(claim) ? release(claim) : rest(claim, pause);
    }
    if (ClaimRules.isUnwanted(claim)) {
      reporter.problem(
          claim,
          "the storage rejects the request, and an earlier call may have created the volume");
    }
    return new Outcome.CheckAgain(pause);
  }

  private Order order(Claim claim, StorageClass storageClass) {
    String node = claim.meta().annotation(ClaimRules.SELECTED_NODE);
    return new Order(
        names.of(claim.meta().uid()), claim, storageClass, node.isEmpty() ? null : node);
  }

  /** Forgets a claim that exists, unless a note without a call may still be written to it. */
  private void quit(Uid claim) {
    if (unfinished.containsKey(claim) || !notes.isDoubtful(claim)) {
      forget(claim);
    }
  }

  /**
   * Handles a claim whose volume is saved or not ours to create. The binder writes to the claim
   * until it is Bound, so the note stays until then.
   */
  public Outcome settle(Claim claim) throws InterruptedException {
    if (claim.phase() == ClaimPhase.BOUND || ClaimRules.isUnwanted(claim)) {
      return release(claim);
    }
    quit(claim.meta().uid());
    return Outcome.SETTLED;
  }

  /**
   * Removes the note, and remembers the claim until that is written or the claim is gone. The cache
   * may still show a note, which would mean a call in doubt.
   */
  private Outcome release(Claim claim) throws InterruptedException {
    Uid uid = claim.meta().uid();
    if (!notes.isOn(claim)) {
      quit(uid);
      return Outcome.SETTLED;
    }
    WriteResult<Claim> unmarked = notes.take(claim);
    if (unmarked instanceof WriteResult.Written<Claim> && !claim.meta().isBeingDeleted()) {
      forget(uid);
    } else {
      unfinished.remove(uid);
      notes.own(uid);
    }
    return Outcome.after("releasing claim " + claim.key(), unmarked);
  }

  public Outcome handOver(Claim claim) throws InterruptedException {
    Uid uid = claim.meta().uid();
    if (notes.isOn(claim) && (notes.isOwn(uid) || unfinished.containsKey(uid))) {
      return leave(claim, "the claim now names another provisioner");
    }
    forget(uid);
    return Outcome.SETTLED;
  }

  /**
   * Handles a claim with a note whose class no longer says how to create its volume. Without a call
   * in doubt, it removes the note. Otherwise it repeats the last request for a deleted claim; if
   * that is unknown, the claim stays and an event says why.
   */
  public Outcome leave(Claim claim, String why) throws InterruptedException {
    Uid uid = claim.meta().uid();
    if (!unfinished.containsKey(uid) && notes.isOwn(uid)) {
      return release(claim);
    }
    StorageClass before = lastClass.get(uid);
    if (ClaimRules.isUnwanted(claim) && before != null) {
      return provision(claim, before);
    }
    unfinished.putIfAbsent(uid, claim);
    reporter.problem(claim, why + ", and an earlier call may have made a volume for the claim");
    return new Outcome.Retry(new Failure.Rejected("claim " + claim.key() + ": " + why));
  }

  /** Forgets a deleted claim, unless a call of this process is in doubt. */
  public void gone(Uid claim) {
    if (notes.isInherited(claim) || !unfinished.containsKey(claim)) {
      forget(claim);
    } else {
      notes.gone(claim);
    }
  }

  /** Releases the claim: no volume exists and none is requested for a while. */
  private Outcome rest(Claim claim, Duration pause) throws InterruptedException {
    Outcome unmarked =
        notes.isOn(claim)
            ? Outcome.after("releasing claim " + claim.key(), notes.take(claim))
            : Outcome.SETTLED;
    if (unmarked.equals(Outcome.SETTLED)) {
      notes.disown(claim.meta().uid());
      return new Outcome.CheckAgain(pause);
    }
    notes.own(claim.meta().uid());
    return unmarked;
  }

  private Outcome make(Order order) throws InterruptedException {
    Plan plan = service.plan(order);
    if (!(plan instanceof Plan.Unknown)) {
      said.remove(order.claim().meta().uid());
    }
    return switch (plan) {
      case Plan.Ask(VolumeService.Call call) -> noted(order, call);
      case Plan.Left(String _) -> release(order.claim());
      case Plan.Never(String why) -> never(order, why);
      case Plan.Not(ProvisionResult.Failed why) -> {
        reporter.begins(order.claim());
        stats.provisioned(order.storageClass().meta().name(), false, stats.now());
        yield failed(order, why);
      }
      case Plan.Unknown(String why) -> unanswered(order, why);
    };
  }

  private Outcome unanswered(Order order, String why) throws InterruptedException {
    Claim claim = order.claim();
    Uid uid = claim.meta().uid();
    if (ClaimRules.isUnwanted(claim) && !unfinished.containsKey(uid)) {
      return release(claim); // there is certainly no volume
    }
    if (!why.equals(said.put(uid, why))) {
      reporter.problem(claim, why);
    }
    return new Outcome.Unanswered("claim " + claim.key() + ": " + why);
  }

  /** Waits for a change of claim, class or storage. A call in doubt keeps the note. */
  private Outcome never(Order order, String why) throws InterruptedException {
    Claim claim = order.claim();
    stats.provisioned(order.storageClass().meta().name(), false, stats.now());
    Outcome givenUp = new Outcome.GiveUp(new Failure.Rejected("claim " + claim.key() + ": " + why));
    if (unfinished.containsKey(claim.meta().uid())) {
      reporter.problem(claim, why);
      return givenUp;
    }
    reporter.failed(claim, why);
    Outcome released = release(claim);
    return released.equals(Outcome.SETTLED) && !ClaimRules.isUnwanted(claim) ? givenUp : released;
  }

  private Outcome noted(Order order, VolumeService.Call call) throws InterruptedException {
    Claim claim = order.claim();
    boolean begun = unfinished.containsKey(claim.meta().uid());
    if (begun && !notes.isAtRisk(claim)) {
      return ask(order, call);
    }
    WriteResult<Claim> note = notes.ensure(claim);
    if (note instanceof WriteResult.Written<Claim>(Claim now)) {
      if (!begun || notes.isOn(now)) {
        return ask(order(now, order.storageClass()), call);
      }
      unfinished.remove(claim.meta().uid()); // the earlier process removed it: there is no volume
      return provision(now, order.storageClass());
    }
    if (note instanceof WriteResult.Gone<Claim>) {
      unfinished.remove(
          claim.meta().uid()); // the same: the claim could not be deleted while it had the note
    }
    return Outcome.after("writing the note on claim " + claim.key() + " is made", note);
  }

  /**
   * Does not call the storage for a saved volume that is unwanted: while that volume is being
   * deleted, the call would create another one.
   */
  private Outcome ask(Order order, VolumeService.Call call) throws InterruptedException {
    if (!ClaimRules.isUnwanted(order.claim())) {
      return call(order, call);
    }
    return switch (saver.isSaved(ObjectKey.cluster(order.volumeName()), order.claim())) {
      case SavedVerdict.Saved() -> settle(order.claim());
      case SavedVerdict.CannotTell(String why) -> unanswered(order, why);
      case SavedVerdict.NotThere(), SavedVerdict.NameTaken _ -> call(order, call);
    };
  }

  private Outcome call(Order order, VolumeService.Call call) throws InterruptedException {
    reporter.begins(order.claim());
    lastClass.put(order.claim().meta().uid(), order.storageClass());
    long since = stats.now();
    return switch (call.run()) {
      case ProvisionResult.Made made -> {
        unfinished.put(order.claim().meta().uid(), order.claim()); // until it is saved
        yield save(order, made, since);
      }
      case ProvisionResult.Unusable unusable -> {
        unfinished.put(order.claim().meta().uid(), order.claim());
        stats.provisioned(order.storageClass().meta().name(), false, since);
        ProvisionResult.Failed failed = saver.unusable(order, unusable);
        if (failed.state() == VolumeService.State.FINISHED) {
          unfinished.remove(order.claim().meta().uid()); // the volume was found and deleted
        }
        yield failed(order, failed);
      }
      case ProvisionResult.Failed failed -> {
        stats.provisioned(order.storageClass().meta().name(), false, since);
        yield failed(order, failed);
      }
    };
  }

  private Outcome failed(Order order, ProvisionResult.Failed failed) throws InterruptedException {
    Claim claim = order.claim();
    Uid uid = claim.meta().uid();
    if (failed.infeasible()) {
      reporter.infeasible(claim, failed.message());
      infeasible.add(claim, order.storageClass());
      return paused(claim, infeasible.pause());
    }
    if (failed.state() == VolumeService.State.BACKGROUND) {
      unfinished.put(uid, claim);
    }
    Outcome again = new Outcome.Retry(new Failure.Unreachable(failed.message()));
    if (ClaimRules.isUnwanted(claim)) {
      if (!unfinished.containsKey(uid)) {
        reporter.failed(claim, failed.message());
        return release(claim);
      }
      reporter.problem(claim, failed.message());
      return again;
    }
    reporter.failed(claim, failed.message());
    boolean elsewhere =
        switch (failed.state()) {
          case RESCHEDULE, NOT_HERE -> true;
          case NODE_FULL -> !unfinished.containsKey(uid);
          case FINISHED, ENDED, BACKGROUND, UNCHANGED -> false;
        };
    boolean over = failed.state() != VolumeService.State.RESCHEDULE && !unfinished.containsKey(uid);
    return elsewhere && order.selectedNode() != null && notes.takeNodeBack(claim, over)
        ? Outcome.SETTLED
        : again;
  }

  private Outcome save(Order order, ProvisionResult.Made made, long since)
      throws InterruptedException {
    ProvisionDocuments.complete(order, made.object());
    Claim claim = order.claim();
    SaveReporter listener = new SaveReporter(reporter, stats, order, since);
    return switch (saver.save(order, made, listener)) {
      case SaveResult.Saved() -> {
        listener.ended(true);
        yield saved(claim, order);
      }
      case SaveResult.Found _ -> {
        listener.ended(false);
        yield saved(claim, order);
      }
      case SaveResult.NameTaken(SavedVerdict.NameTaken taken) -> {
        listener.ended(false);
        String note = taken.note(claim.key().namespace());
        reporter.nameTaken(claim, note);
        yield new Outcome.Retry(new Failure.Unreachable(note)); // the claim keeps its note
      }
      case SaveResult.Unknown(WriteResult<Volume> _, String why) -> {
        listener.ended(false);
        yield new Outcome.Unanswered(
            "whether volume " + order.volumeName() + " is saved is unknown: " + why);
      }
      case SaveResult.Unsaved(WriteResult<Volume> last) -> {
        forget(claim.meta().uid()); // there is no volume
        yield new Outcome.Retry(
            new Failure.Rejected(
                "saving volume " + order.volumeName() + ": " + SaveReporter.problem(last)));
      }
    };
  }

  private Outcome saved(Claim claim, Order order) throws InterruptedException {
    reporter.succeeded(claim, order.volumeName());
    saved.add(claim.meta().uid());
    return settle(claim);
  }
}
