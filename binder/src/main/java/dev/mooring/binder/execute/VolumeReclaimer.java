package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.ReclaimVerdict;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.BinderStats;
import dev.mooring.binder.state.BinderStats.TimedOperation;
import dev.mooring.binder.state.ReclaimViews;
import dev.mooring.binder.state.VolumeMemory;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.VolumeCondemner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executes decisions about released volumes. A deletion is one slow job per volume and begins with
 * live reads of everything that the verdict depends on.
 */
public final class VolumeReclaimer {
  // inputs of a plugin's refusal; the plugin is not called again until one of them changes
  private record DeletionInputs(Deleter.Request request, @Nullable Long generation) {}

  private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

  private final ClusterWriter writer;
  private final LiveReader reader;
  private final ReclaimViews views;
  private final BinderReporter reporter;
  private final VolumeRecycler recycler;
  private final BindingWriter binding;
  private final VolumeMemory memory;
  private final VolumeCondemner condemner;
  private final DeletionBreaker breaker;
  private final ProtectionHandover handover;
  private final KeyedOperations<ObjectKey> operations;
  private final BinderStats stats;

  public VolumeReclaimer(
      ClusterPorts ports,
      ReclaimViews views,
      BinderReporter reporter,
      VolumeRecycler recycler,
      BinderState state) {
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.views = views;
    this.reporter = reporter;
    this.recycler = recycler;
    this.binding = new BindingWriter(writer, reporter, state.savedVolumes());
    this.memory = state.volumeMemory();
    this.breaker = state.breaker();
    this.condemner = new VolumeCondemner(state.guards().delay(), reporter);
    this.handover = state.handover();
    this.operations = state.deletions();
    this.stats = state.stats();
  }

  Outcome reclaim(Volume volume, boolean isClaimGone) throws InterruptedException {
    ReclaimDecision decision = ReclaimDecider.decideReclaim(volume, memory.isDestroyed(volume));
    if (!(decision instanceof ReclaimDecision.Recycle)) {
      Optional<Outcome> stopped = recycler.stop(volume);
      if (stopped.isPresent()) {
        return stopped.get();
      }
    }
    return switch (decision) {
      case ReclaimDecision.Others _, ReclaimDecision.Retain _, ReclaimDecision.Destroyed _ ->
          Outcome.SETTLED;
      case ReclaimDecision.Delete() ->
          delete(volume, ReclaimDecider.knownFacts(volume, isClaimGone));
      case ReclaimDecision.Recycle() -> recycler.recycle(volume);
      case ReclaimDecision.UnknownPolicy() -> {
        reporter.reportUnknownPolicy(volume);
        yield writeFailedPhase(volume, "Volume has unrecognized PersistentVolumeReclaimPolicy");
      }
    };
  }

  /**
   * Stops the scrubbing of a volume that is not released or does not exist, and waits for a running
   * deletion.
   *
   * @return the outcome to wait with; empty if nothing is running
   */
  public Optional<Outcome> stopScrubbing(ObjectKey volume) throws InterruptedException {
    return operations.isRunning(volume)
        ? Optional.of(new Outcome.CheckAgain(RECHECK_DELAY))
        : recycler.stop(volume);
  }

  /** Does {@link #stopScrubbing(ObjectKey)} with a live read: the next claim must not lose data. */
  Optional<Outcome> stopScrubbing(Volume volume) throws InterruptedException {
    if (operations.isRunning(volume.key())) {
      return Optional.of(new Outcome.CheckAgain(RECHECK_DELAY));
    }
    return BinderMarks.isReleasedOrFailed(volume.phase())
        ? recycler.stopLive(volume)
        : recycler.stop(volume);
  }

  boolean isScrubbed(Volume volume) {
    return recycler.isScrubbed(volume);
  }

  private Outcome writeFailedPhase(Volume volume, String message) throws InterruptedException {
    return WriteOutcomes.outcome(
        "setting volume " + volume.meta().name() + " Failed",
        binding.writePhase(volume, VolumePhase.FAILED, message));
  }

  private Outcome delete(Volume volume, LiveFacts facts) throws InterruptedException {
    ReclaimViews.DeleterLookup lookup = views.findDeleter(volume);
    return switch (lookup.verdict()) {
      case DeleterVerdict.Others() -> {
        stats.recordStart(TimedOperation.DELETE, volume.key(), externalLabel(volume));
        yield Outcome.SETTLED;
      }
      case DeleterVerdict.NoDeleter(String message) -> {
        Outcome outcome = writeFailedPhase(volume, message);
        if (outcome instanceof Outcome.Settled) {
          reporter.reportDeletionFailure(volume, Reason.NO_DELETER, message);
        }
        yield outcome;
      }
      case DeleterVerdict.Plugin _ when breaker.isHolding() -> {
        reporter.reportHeldDeletion(volume, breaker.describeHold());
        yield Outcome.SETTLED; // resuming requeues the volume
      }
      case DeleterVerdict.Plugin(String plugin) -> startDeletion(volume, plugin, lookup, facts);
    };
  }

  private Outcome startDeletion(
      Volume volume, String plugin, ReclaimViews.DeleterLookup lookup, LiveFacts facts)
      throws InterruptedException {
    Optional<Outcome> wait = condemner.checkWait(volume);
    if (wait.isPresent()) {
      return wait.get();
    }
    Deleter deleter = lookup.deleter().orElseThrow();
    stats.recordStart(TimedOperation.DELETE, volume.key(), plugin);
    operations.start(
        volume.key(),
        new DeletionInputs(Deleter.Request.of(volume), lookup.generation()),
        () -> deleteIfServed(volume, plugin, deleter, facts));
    return Outcome.SETTLED;
  }

  /**
   * Returns Kubernetes' label: the provisioner of the class, because users may edit the annotations
   * of a volume.
   */
  private String externalLabel(Volume volume) {
    String provisioner = views.provisionerOf(volume.storageClass());
    String driver = CsiMigration.driverOf(provisioner);
    return provisioner.isEmpty() ? "N/A" : driver.isEmpty() ? provisioner : driver;
  }

  private JobResult deleteIfServed(Volume volume, String plugin, Deleter deleter, LiveFacts facts)
      throws InterruptedException {
    return switch (deleter.ignores(Deleter.Request.of(volume))) {
      case Attempt.Done<Optional<String>>(Optional<String> reason) ->
          reason.isPresent() ? JobResult.DONE : deleteVolume(volume, plugin, deleter, facts);
      case Attempt.Failed<Optional<String>>(Failure failure) -> {
        reporter.reportDeletionFailure(volume, Reason.DELETE_FAILED, failure.message());
        yield new JobResult.Failed(failure);
      }
    };
  }

  // the conditional write of commit proves that the volume is still as judged here
  private JobResult deleteVolume(Volume judged, String plugin, Deleter deleter, LiveFacts facts)
      throws InterruptedException {
    List<Volume> twins = views.twins(judged);
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            reader, facts, live -> ReclaimDecider.decideDeletion(judged, twins, live));
    return switch (verdict) {
      case ReclaimVerdict.Gone() -> forgetDestroyed(judged);
      case ReclaimVerdict.Twin(Volume twin) -> waitForTwin(judged, twin);
      case ReclaimVerdict.Confirmed(Volume current) ->
          destroyWhenDue(new ConfirmedVolume(current, twins), plugin, deleter);
      case ReclaimVerdict.Spare(String reason) -> {
        reporter.reportSpared(judged, reason);
        yield JobResult.unreachable(reason); // the cache will show what the API server returned
      }
      case ReclaimVerdict.Unknown(String message) -> {
        reporter.reportSpared(judged, message);
        yield new JobResult.Unanswered(message);
      }
    };
  }

  private JobResult waitForTwin(Volume volume, Volume twin) {
    return JobResult.unreachable(reporter.reportTwin(volume, "Deleting", twin));
  }

  private JobResult forgetDestroyed(Volume volume) {
    memory.forgetDestroyed(volume);
    return JobResult.DONE;
  }

  private JobResult destroyWhenDue(ConfirmedVolume confirmed, String plugin, Deleter deleter)
      throws InterruptedException {
    Volume volume = confirmed.volume();
    Optional<WriteResult<Volume>> postponed = condemner.postpone(volume);
    if (postponed.isEmpty()) {
      return destroy(confirmed, plugin, deleter);
    }
    return postponed.get() instanceof WriteResult.Written<Volume> _
        ? JobResult.DONE
        : JobResult.notWritten("condemning volume " + volume.key().name(), postponed.get());
  }

  private JobResult destroy(ConfirmedVolume confirmed, String plugin, Deleter deleter)
      throws InterruptedException {
    Volume volume = confirmed.volume();
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.reportHeldDeletion(volume, breaker.describeHold());
        yield JobResult.DONE; // resuming requeues the volume
      }
      case FULL -> JobResult.unreachable("the maximum number of concurrent deletions is reached");
      case GRANTED -> {
        try {
          yield destroyAdmitted(confirmed, plugin, deleter);
        } finally {
          breaker.recordNotDestroyed(
              volume.meta().uid()); // has no effect on a volume that was destroyed
        }
      }
    };
  }

  /**
   * Reads the twins again: the conditional write does not notice a twin that was created during the
   * live reads.
   */
  private JobResult destroyAdmitted(ConfirmedVolume confirmed, String plugin, Deleter deleter)
      throws InterruptedException {
    Volume volume = confirmed.volume();
    Optional<Volume> newTwin = confirmed.newTwin(views);
    if (newTwin.isPresent()) {
      return waitForTwin(volume, newTwin.get());
    }
    WriteResult<Volume> committed = commit(volume);
    if (!(committed instanceof WriteResult.Written<Volume>(Volume markedVolume))) {
      return committed instanceof WriteResult.Gone<Volume>
          ? forgetDestroyed(volume)
          : JobResult.notWritten("marking volume " + volume.key().name(), committed);
    }
    long startNanos = stats.currentNanos();
    Attempt<Deleter.Deleted> attempt = deleter.delete(Deleter.Request.of(markedVolume));
    stats.recordCall(plugin, TimedOperation.DELETE, attempt instanceof Attempt.Done<?>, startNanos);
    return switch (attempt) {
      case Attempt.Done<Deleter.Deleted> _ -> {
        breaker.recordDestroyed(markedVolume.meta().uid());
        memory.recordDestroyed(markedVolume);
        handover.begin(markedVolume);
        try {
          yield removeObject(markedVolume);
        } finally {
          handover.end(markedVolume);
        }
      }
      case Attempt.Failed<Deleter.Deleted>(Failure failure) -> {
        stats.countFailure(plugin, TimedOperation.DELETE);
        yield notDeleted(markedVolume, failure);
      }
    };
  }

  /**
   * Marks the volume in the judged version: the point of no return. The API server rejects the
   * write if the volume has changed since, and no binder binds a claim to a marked volume.
   */
  private WriteResult<Volume> commit(Volume volume) throws InterruptedException {
    return writer.patchStatus(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta()).set(BinderMarks.BEING_DESTROYED, "status", "reason"));
  }

  private JobResult notDeleted(Volume volume, Failure failure) throws InterruptedException {
    boolean inUse = failure instanceof Failure.InUse;
    withdrawMark(volume, failure);
    if (inUse) {
      reporter.reportDelayedDeletion(volume, failure.message());
    } else {
      reporter.reportDeletionFailure(volume, Reason.DELETE_FAILED, failure.message());
    }
    return new JobResult.Failed(failure);
  }

  /**
   * Removes the mark if the plugin's call has certainly ended. It ignores other clients' writes to
   * the volume: with the mark no claim could ever bind to the volume.
   */
  private void withdrawMark(Volume volume, Failure failure) throws InterruptedException {
    Document patch = Document.patchOf(volume.meta());
    boolean hasEnded =
        !(failure instanceof Failure.Uncertain) && !(failure instanceof Failure.Fault);
    if (hasEnded) {
      patch.set(null, "status", "reason");
    }
    if (!(failure instanceof Failure.InUse) && volume.phase() != VolumePhase.FAILED) {
      patch
          .set(VolumePhase.FAILED.toString(), "status", "phase")
          .set(failure.message(), "status", "message");
    }
    WriteResult<Volume> outcome = writer.patchStatus(Kind.VOLUME, volume.key(), patch);
    if (hasEnded && outcome instanceof WriteResult.Conflict<Volume>) {
      unmark(volume);
    }
  }

  private void unmark(Volume volume) throws InterruptedException {
    writer.patchStatus(
        Kind.VOLUME,
        volume.key(),
        Document.empty()
            .set(volume.meta().uid().toString(), "metadata", "uid")
            .set(null, "status", "reason"));
  }

  /**
   * Deletes the object first, then removes the finalizers of this process. In the other order,
   * another controller with a stale cache could add a finalizer again in between.
   */
  private JobResult removeObject(Volume volume) throws InterruptedException {
    WriteResult<Volume> deleted = writer.delete(Kind.VOLUME, volume.key(), volume.meta().uid());
    WriteResult<Volume> result =
        deleted instanceof WriteResult.Written<Volume>(Volume current)
                && current.finalizers().contains(BinderMarks.IN_TREE_FINALIZER)
            ? removeFinalizers(current)
            : deleted;
    if (!(result instanceof WriteResult.Gone<Volume>)
        && !(result instanceof WriteResult.Written<Volume>)) {
      return JobResult.notWritten("removing volume " + volume.key().name(), result);
    }
    if (deleted instanceof WriteResult.Gone<Volume>) {
      memory.forgetDestroyed(volume);
    }
    if (result instanceof WriteResult.Written<Volume>(Volume remaining)
        && isHeldByOthers(remaining)) {
      unmark(remaining); // the storage is destroyed, but the object may stay for long
    }
    reporter.reportDeleted(volume);
    return JobResult.DONE;
  }

  /**
   * The protection finalizer does not count: its controller removes it from a volume that is not
   * Bound.
   */
  private static boolean isHeldByOthers(Volume volume) {
    return volume.finalizers().stream().anyMatch(f -> !f.equals(BinderMarks.PROTECTION));
  }

  private WriteResult<Volume> removeFinalizers(Volume volume) throws InterruptedException {
    List<String> otherFinalizers =
        handover.finalizersWithout(BinderMarks.IN_TREE_FINALIZER, volume);
    WriteResult<Volume> result =
        writer.patch(
            Kind.VOLUME,
            volume.key(),
            Document.patchOf(volume.meta())
                .set(otherFinalizers.isEmpty() ? null : otherFinalizers, "metadata", "finalizers"));
    handover.recordRemoval(volume, result);
    return result;
  }
}
