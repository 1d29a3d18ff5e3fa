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
import dev.mooring.storage.ProvisionConfig;
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
 * Creates the volume of a claim and saves it.
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
  private final SavedVolumes savedVolumes;
  private final DriverNames volumeNames;
  private final VolumeSaver saver;
  private final ClaimReleaser releaser;
  private final ClaimMemory memory;
  private final UnfinishedCalls unfinishedCalls;

  public ClaimWork(
      VolumeService service,
      ClusterPorts ports,
      ProvisionListeners listeners,
      ClaimMemory memory,
      DriverNames volumeNames) {
    this.service = service;
    this.notes =
        new ClaimNotes(
            ports.writer(), service.provisionerNames(), memory.noteOwners(), ports.time());
    this.memory = memory;
    this.unfinishedCalls = memory.unfinishedCalls();
    this.reporter = listeners.reporter();
    this.stats = listeners.stats();
    this.savedVolumes = listeners.saved();
    this.volumeNames = volumeNames;
    this.releaser = new ClaimReleaser(service, notes, memory, reporter);
    this.saver = new VolumeSaver(ports, SavePolicy.UNTIL_REFUSED);
  }

  public void forget(Uid claim) {
    releaser.forget(claim);
  }

  public Outcome provision(Claim claim, StorageClass storageClass) throws InterruptedException {
    Optional<Duration> pause = memory.infeasibleRequests().remainingPause(claim, storageClass);
    if (pause.isPresent()) {
      return handlePause(claim, pause.get());
    }
    if (claim.volumeMode() == VolumeMode.BLOCK && !service.supportsBlockVolumes()) {
      reporter.reportFailure(
          claim, storageClass.provisioner() + " does not support block volume provisioning");
      return releaser.release(claim);
    }
    Uid uid = claim.meta().uid();
    boolean hasNote = notes.hasNote(claim);
    if (hasNote && !memory.noteOwners().isOwn(uid)) {
      unfinishedCalls.addIfAbsent(claim);
    } else if (memory.noteOwners().isInherited(uid)) {
      unfinishedCalls.remove(uid); // the earlier process removed its note: there is no volume
    }
    if (ClaimRules.isUnwanted(claim) && !unfinishedCalls.contains(uid)) {
      return hasNote ? releaser.release(claim) : Outcome.SETTLED; // there is certainly no volume
    }
    savedVolumes.remove(uid);
    return planAndCall(order(claim, storageClass));
  }

  private Outcome handlePause(Claim claim, Duration pause) throws InterruptedException {
    if (!unfinishedCalls.contains(claim.meta().uid())) {
      return ClaimRules.isUnwanted(claim)
          ? releaser.release(claim)
          : releaser.releaseForPause(claim, pause);
    }
    if (ClaimRules.isUnwanted(claim)) {
      reporter.reportProblem(
          claim,
          "the storage rejects the request, and an earlier call may have created the volume");
    }
    return new Outcome.CheckAgain(pause);
  }

  private Order order(Claim claim, StorageClass storageClass) {
    String node = claim.meta().annotation(ClaimRules.SELECTED_NODE);
    return new Order(
        volumeNames.of(claim.meta().uid()), claim, storageClass, node.isEmpty() ? null : node);
  }

  /**
   * Handles a claim whose volume is saved or not ours to create. The binder writes to a claim with
   * a saved volume until it is Bound, so the note stays until then.
   */
  public Outcome settle(Claim claim) throws InterruptedException {
    if (claim.phase() == ClaimPhase.BOUND
        || ClaimRules.isUnwanted(claim)
        || hasNeedlessNote(claim)) {
      return releaser.release(claim);
    }
    releaser.forgetUnlessDoubtful(claim.meta().uid());
    return Outcome.SETTLED;
  }

  /**
   * Returns whether this process wrote the note and its calls certainly left no volume, for example
   * if the scheduler must select another node. Once forgotten, the note would mean a call in doubt.
   */
  private boolean hasNeedlessNote(Claim claim) {
    Uid uid = claim.meta().uid();
    return notes.hasNote(claim)
        && memory.noteOwners().isOwn(uid)
        && !unfinishedCalls.contains(uid)
        && !savedVolumes.contains(uid);
  }

  public Outcome handOver(Claim claim) throws InterruptedException {
    Uid uid = claim.meta().uid();
    if (notes.hasNote(claim) && (memory.noteOwners().isOwn(uid) || unfinishedCalls.contains(uid))) {
      return handleUnknownRequest(claim, "the claim now names another provisioner");
    }
    forget(uid);
    return Outcome.SETTLED;
  }

  /**
   * Handles a claim with a note if the request for its volume can no longer be built from its
   * class. Without a call in doubt, it removes the note. Otherwise it repeats the last request for
   * a deleted claim; if that is unknown, the claim stays and an event reports the reason.
   */
  public Outcome handleUnknownRequest(Claim claim, String reason) throws InterruptedException {
    Uid uid = claim.meta().uid();
    if (!unfinishedCalls.contains(uid) && memory.noteOwners().isOwn(uid)) {
      return releaser.release(claim);
    }
    Optional<StorageClass> lastClass = unfinishedCalls.lastClass(uid);
    if (ClaimRules.isUnwanted(claim) && lastClass.isPresent()) {
      return provision(claim, lastClass.get());
    }
    unfinishedCalls.addIfAbsent(claim);
    reporter.reportProblem(
        claim, reason + ", and an earlier call may have created a volume for the claim");
    return new Outcome.Retry(new Failure.Rejected("claim " + claim.key() + ": " + reason));
  }

  /** Forgets a deleted claim, unless a call of this process is in doubt. */
  public void forgetDeleted(Uid claim) {
    if (memory.noteOwners().isInherited(claim) || !unfinishedCalls.contains(claim)) {
      forget(claim);
    } else {
      memory.noteOwners().markProtected(claim);
    }
  }

  private Outcome planAndCall(Order order) throws InterruptedException {
    Plan plan = service.plan(order);
    if (!(plan instanceof Plan.Unknown || plan instanceof Plan.Conflicted)) {
      memory.failures().forget(order.claim().meta().uid());
    }
    return switch (plan) {
      case Plan.Ready(VolumeService.Call call) -> callWithNote(order, call);
      case Plan.NotResponsible(String reason) -> releaser.leaveToOthers(order.claim(), reason);
      case Plan.Impossible(String message) -> giveUp(order, message);
      case Plan.Blocked(ProvisionResult.Failed failure) -> {
        reporter.reportStart(order.claim());
        stats.recordProvisioning(startAttempt(order), false);
        yield handleFailure(order, failure);
      }
      case Plan.Unknown(String message) -> reportUnanswered(order, message);
      case Plan.Conflicted(String message) ->
          isCertainlyWithoutVolume(order.claim())
              ? releaser.release(order.claim())
              : new Outcome.Conflicted("claim " + order.claim().key() + ": " + message);
    };
  }

  private boolean isCertainlyWithoutVolume(Claim claim) {
    return ClaimRules.isUnwanted(claim) && !unfinishedCalls.contains(claim.meta().uid());
  }

  private ProvisionAttempt startAttempt(Order order) {
    return new ProvisionAttempt(
        order.storageClass().meta().name(),
        service.sourceKind(order.claim().meta().uid()),
        stats.currentNanos());
  }

  private Outcome reportUnanswered(Order order, String message) throws InterruptedException {
    Claim claim = order.claim();
    if (isCertainlyWithoutVolume(claim)) {
      return releaser.release(claim);
    }
    if (memory.failures().isNew(claim.meta().uid(), message)) {
      reporter.reportProblem(claim, message);
    }
    return new Outcome.Unanswered("claim " + claim.key() + ": " + message);
  }

  // Waits for a change of claim, class or storage. A call in doubt keeps the note.
  private Outcome giveUp(Order order, String message) throws InterruptedException {
    Claim claim = order.claim();
    stats.recordProvisioning(startAttempt(order), false);
    Outcome givenUp =
        new Outcome.GiveUp(new Failure.Rejected("claim " + claim.key() + ": " + message));
    if (unfinishedCalls.contains(claim.meta().uid())) {
      reporter.reportProblem(claim, message);
      return givenUp;
    }
    reporter.reportFailure(claim, message);
    Outcome released = releaser.release(claim);
    return released.equals(Outcome.SETTLED) && !ClaimRules.isUnwanted(claim) ? givenUp : released;
  }

  private Outcome callWithNote(Order order, VolumeService.Call call) throws InterruptedException {
    Claim claim = order.claim();
    boolean hasCall = unfinishedCalls.contains(claim.meta().uid());
    if (hasCall && !notes.hasInheritedNote(claim)) {
      return callUnlessSaved(order, call);
    }
    WriteResult<Claim> noteResult = notes.ensureNote(claim);
    if (noteResult instanceof WriteResult.Written<Claim>(Claim current)) {
      if (!hasCall || notes.hasNote(current)) {
        return callUnlessSaved(order(current, order.storageClass()), call);
      }
      unfinishedCalls.remove(
          claim.meta().uid()); // the earlier process removed it: there is no volume
      return provision(current, order.storageClass());
    }
    if (noteResult instanceof WriteResult.Gone<Claim>) {
      unfinishedCalls.remove(
          claim.meta().uid()); // the same: the claim could not be deleted while it had the note
    }
    return Outcome.ofWrite("writing the note to claim " + claim.key(), noteResult);
  }

  /**
   * Does not call the storage for a saved volume that is unwanted: while that volume is being
   * deleted, the call would create another one.
   */
  private Outcome callUnlessSaved(Order order, VolumeService.Call call)
      throws InterruptedException {
    if (!ClaimRules.isUnwanted(order.claim())) {
      return callStorage(order, call);
    }
    return switch (saver.checkSaved(ObjectKey.cluster(order.volumeName()), order.claim())) {
      case SavedVerdict.Saved() -> settle(order.claim());
      case SavedVerdict.Unknown(String message) -> reportUnanswered(order, message);
      case SavedVerdict.NotThere(), SavedVerdict.NameTaken _ -> callStorage(order, call);
    };
  }

  private Outcome callStorage(Order order, VolumeService.Call call) throws InterruptedException {
    reporter.reportStart(order.claim());
    unfinishedCalls.recordCall(order.claim(), order.storageClass());
    ProvisionAttempt attempt = startAttempt(order);
    return switch (call.run()) {
      case ProvisionResult.Created created -> {
        unfinishedCalls.add(order.claim()); // until it is saved
        yield save(order, created, attempt);
      }
      case ProvisionResult.Unusable unusable -> {
        unfinishedCalls.add(order.claim());
        stats.recordProvisioning(attempt, false);
        ProvisionResult.Failed failed = saver.rollBackUnusable(order, unusable);
        if (failed.state() == VolumeService.State.FINISHED) {
          unfinishedCalls.remove(order.claim().meta().uid()); // the volume was found and deleted
        }
        yield handleFailure(order, failed);
      }
      case ProvisionResult.Failed failed -> {
        stats.recordProvisioning(attempt, false);
        yield handleFailure(order, failed);
      }
    };
  }

  private Outcome handleFailure(Order order, ProvisionResult.Failed failed)
      throws InterruptedException {
    Claim claim = order.claim();
    Uid uid = claim.meta().uid();
    if (failed.state() == VolumeService.State.BACKGROUND) {
      unfinishedCalls.add(claim);
    }
    boolean isInDoubt = unfinishedCalls.contains(uid);
    if (ClaimRules.isUnwanted(claim) && !failed.isInfeasible()) {
      return handleUnwantedFailure(claim, failed.message());
    }
    boolean isSelectedAgain =
        !failed.isInfeasible() && order.selectedNode() != null && needsOtherNode(failed, isInDoubt);
    boolean mayGiveUp = !isSelectedAgain && !isInDoubt && !ClaimRules.isUnwanted(claim);
    if (mayGiveUp && !memory.failedAttempts().recordFailure(uid)) {
      reporter.reportFailure(claim, failed.message() + ProvisionConfig.GIVEN_UP);
      return new Outcome.GiveUp(new Failure.Rejected(failed.message()));
    }
    if (failed.isInfeasible()) {
      reporter.reportInfeasible(claim, failed.message());
      memory.infeasibleRequests().add(claim, order.storageClass());
      return handlePause(claim, memory.infeasibleRequests().pause());
    }
    reporter.reportFailure(claim, failed.message());
    return isSelectedAgain && notes.deselectNode(claim, !isInDoubt)
        ? Outcome.SETTLED
        : new Outcome.Retry(new Failure.Unreachable(failed.message()));
  }

  private Outcome handleUnwantedFailure(Claim claim, String message) throws InterruptedException {
    if (!unfinishedCalls.contains(claim.meta().uid())) {
      reporter.reportFailure(claim, message);
      return releaser.release(claim);
    }
    reporter.reportProblem(claim, message);
    return new Outcome.Retry(new Failure.Unreachable(message));
  }

  private static boolean needsOtherNode(ProvisionResult.Failed failed, boolean isInDoubt) {
    return switch (failed.state()) {
      case RESCHEDULE, NOT_HERE -> true;
      case NODE_FULL -> !isInDoubt;
      case FINISHED, ENDED, BACKGROUND, UNCHANGED -> false;
    };
  }

  private Outcome save(Order order, ProvisionResult.Created created, ProvisionAttempt attempt)
      throws InterruptedException {
    ProvisionDocuments.complete(order, created.object());
    Claim claim = order.claim();
    SaveReporter listener = new SaveReporter(reporter, stats, order, attempt);
    return switch (saver.save(order, created, listener)) {
      case SaveResult.Saved() -> {
        listener.recordEnd(true);
        yield finishSaved(claim, order);
      }
      case SaveResult.Found _ -> {
        listener.recordEnd(false);
        yield finishSaved(claim, order);
      }
      case SaveResult.NameTaken(SavedVerdict.NameTaken nameTaken) -> {
        listener.recordEnd(false);
        String message = nameTaken.describe(claim.key().namespace());
        reporter.reportTakenName(claim, message);
        yield new Outcome.Retry(new Failure.Unreachable(message)); // the claim keeps its note
      }
      case SaveResult.Unknown(WriteResult<Volume> _, String message) -> {
        listener.recordEnd(false);
        yield new Outcome.Unanswered(
            "whether volume " + order.volumeName() + " is saved is unknown: " + message);
      }
      case SaveResult.Unsaved(WriteResult<Volume> last) -> {
        forget(claim.meta().uid()); // there is no volume
        yield new Outcome.Retry(
            new Failure.Rejected(
                "saving volume " + order.volumeName() + ": " + SaveReporter.describe(last)));
      }
    };
  }

  private Outcome finishSaved(Claim claim, Order order) throws InterruptedException {
    reporter.reportSuccess(claim, order.volumeName());
    savedVolumes.add(claim.meta().uid());
    return settle(claim);
  }
}
