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
import dev.mooring.provisioner.state.ClaimMemory;
import dev.mooring.provisioner.state.UnfinishedCalls;
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
import java.util.Optional;

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
  private final ClaimMemory memory;
  private final UnfinishedCalls calls;

  public ClaimWork(
      VolumeService service,
      ClusterPorts ports,
      ProvisionListeners listeners,
      ClaimMemory memory,
      DriverNames names) {
    this.service = service;
    this.notes = new ClaimNotes(ports.writer(), service.names(), memory.notes(), ports.time());
    this.memory = memory;
    this.calls = memory.calls();
    this.reporter = listeners.reporter();
    this.stats = listeners.stats();
    this.saved = listeners.saved();
    this.names = names;
    this.saver = new VolumeSaver(ports, SavePolicy.UNTIL_REFUSED);
  }

  public void forget(Uid claim) {
    memory.forget(claim);
    service.forget(claim);
  }

  public Outcome provision(Claim claim, StorageClass storageClass) throws InterruptedException {
    Optional<Duration> pause = memory.infeasible().left(claim, storageClass);
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
    if (noted && !memory.notes().isOwn(uid)) {
      calls.addIfAbsent(claim);
    } else if (memory.notes().isInherited(uid)) {
      calls.end(uid); // the earlier process removed its note: there is no volume
    }
    if (ClaimRules.isUnwanted(claim) && !calls.has(uid)) {
      return noted ? release(claim) : Outcome.SETTLED; // there is certainly no volume
    }
    saved.remove(uid);
    return make(order(claim, storageClass));
  }

  private Outcome paused(Claim claim, Duration pause) throws InterruptedException {
    if (!calls.has(claim.meta().uid())) {
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

  // Forgets a claim that exists, unless a note without a call may still be written to it.
  private void quit(Uid claim) {
    if (calls.has(claim) || !memory.notes().isDoubtful(claim)) {
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
      calls.end(uid);
      memory.notes().own(uid);
    }
    return Outcome.after("releasing claim " + claim.key(), unmarked);
  }

  public Outcome handOver(Claim claim) throws InterruptedException {
    Uid uid = claim.meta().uid();
    if (notes.isOn(claim) && (memory.notes().isOwn(uid) || calls.has(uid))) {
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
    if (!calls.has(uid) && memory.notes().isOwn(uid)) {
      return release(claim);
    }
    Optional<StorageClass> before = calls.lastClass(uid);
    if (ClaimRules.isUnwanted(claim) && before.isPresent()) {
      return provision(claim, before.get());
    }
    calls.addIfAbsent(claim);
    reporter.problem(claim, why + ", and an earlier call may have made a volume for the claim");
    return new Outcome.Retry(new Failure.Rejected("claim " + claim.key() + ": " + why));
  }

  /** Forgets a deleted claim, unless a call of this process is in doubt. */
  public void gone(Uid claim) {
    if (memory.notes().isInherited(claim) || !calls.has(claim)) {
      forget(claim);
    } else {
      memory.notes().keep(claim);
    }
  }

  // Releases the claim: no volume exists and none is requested for a while.
  private Outcome rest(Claim claim, Duration pause) throws InterruptedException {
    Outcome unmarked =
        notes.isOn(claim)
            ? Outcome.after("releasing claim " + claim.key(), notes.take(claim))
            : Outcome.SETTLED;
    if (unmarked.equals(Outcome.SETTLED)) {
      memory.notes().disown(claim.meta().uid());
      return new Outcome.CheckAgain(pause);
    }
    memory.notes().own(claim.meta().uid());
    return unmarked;
  }

  private Outcome make(Order order) throws InterruptedException {
    Plan plan = service.plan(order);
    if (!(plan instanceof Plan.Unknown)) {
      memory.failures().forget(order.claim().meta().uid());
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
    if (ClaimRules.isUnwanted(claim) && !calls.has(uid)) {
      return release(claim); // there is certainly no volume
    }
    if (memory.failures().isNew(uid, why)) {
      reporter.problem(claim, why);
    }
    return new Outcome.Unanswered("claim " + claim.key() + ": " + why);
  }

  // Waits for a change of claim, class or storage. A call in doubt keeps the note.
  private Outcome never(Order order, String why) throws InterruptedException {
    Claim claim = order.claim();
    stats.provisioned(order.storageClass().meta().name(), false, stats.now());
    Outcome givenUp = new Outcome.GiveUp(new Failure.Rejected("claim " + claim.key() + ": " + why));
    if (calls.has(claim.meta().uid())) {
      reporter.problem(claim, why);
      return givenUp;
    }
    reporter.failed(claim, why);
    Outcome released = release(claim);
    return released.equals(Outcome.SETTLED) && !ClaimRules.isUnwanted(claim) ? givenUp : released;
  }

  private Outcome noted(Order order, VolumeService.Call call) throws InterruptedException {
    Claim claim = order.claim();
    boolean begun = calls.has(claim.meta().uid());
    if (begun && !notes.isAtRisk(claim)) {
      return ask(order, call);
    }
    WriteResult<Claim> note = notes.ensure(claim);
    if (note instanceof WriteResult.Written<Claim>(Claim now)) {
      if (!begun || notes.isOn(now)) {
        return ask(order(now, order.storageClass()), call);
      }
      calls.end(claim.meta().uid()); // the earlier process removed it: there is no volume
      return provision(now, order.storageClass());
    }
    if (note instanceof WriteResult.Gone<Claim>) {
      calls.end(
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
    calls.called(order.claim(), order.storageClass());
    long since = stats.now();
    return switch (call.run()) {
      case ProvisionResult.Made made -> {
        calls.add(order.claim()); // until it is saved
        yield save(order, made, since);
      }
      case ProvisionResult.Unusable unusable -> {
        calls.add(order.claim());
        stats.provisioned(order.storageClass().meta().name(), false, since);
        ProvisionResult.Failed failed = saver.unusable(order, unusable);
        if (failed.state() == VolumeService.State.FINISHED) {
          calls.end(order.claim().meta().uid()); // the volume was found and deleted
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
      memory.infeasible().add(claim, order.storageClass());
      return paused(claim, memory.infeasible().pause());
    }
    if (failed.state() == VolumeService.State.BACKGROUND) {
      calls.add(claim);
    }
    Outcome again = new Outcome.Retry(new Failure.Unreachable(failed.message()));
    if (ClaimRules.isUnwanted(claim)) {
      if (!calls.has(uid)) {
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
          case NODE_FULL -> !calls.has(uid);
          case FINISHED, ENDED, BACKGROUND, UNCHANGED -> false;
        };
    boolean nothingThere = !calls.has(uid);
    return elsewhere && order.selectedNode() != null && notes.takeNodeBack(claim, nothingThere)
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
