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
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
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

  private static final Duration SOON = Duration.ofSeconds(1);

  private final ClusterWriter writer;
  private final LiveReader reader;
  private final ReclaimViews views;
  private final BinderReporter reporter;
  private final VolumeRecycler recycling;
  private final BindingWriter binding;
  private final VolumeMemory memory;
  private final DeletionBreaker breaker;
  private final KeyedOperations<ObjectKey> operations;
  private final BinderStats stats;

  public VolumeReclaimer(
      ClusterPorts ports,
      ReclaimViews views,
      BinderReporter reporter,
      VolumeRecycler recycling,
      BinderState state) {
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.views = views;
    this.reporter = reporter;
    this.recycling = recycling;
    this.binding = new BindingWriter(writer, reporter, state.saved());
    this.memory = state.volumes();
    this.breaker = state.breaker();
    this.operations = state.deletions();
    this.stats = state.stats();
  }

  Outcome reclaim(Volume volume) throws InterruptedException {
    ReclaimDecision decision = ReclaimDecider.next(volume, memory.isDestroyed(volume));
    if (!(decision instanceof ReclaimDecision.Recycle)) {
      Optional<Outcome> stopped = recycling.stop(volume);
      if (stopped.isPresent()) {
        return stopped.get();
      }
    }
    return switch (decision) {
      case ReclaimDecision.Others _, ReclaimDecision.Retain _, ReclaimDecision.Destroyed _ ->
          Outcome.SETTLED;
      case ReclaimDecision.Delete() -> delete(volume);
      case ReclaimDecision.Recycle() -> recycling.step(volume);
      case ReclaimDecision.UnknownPolicy() -> {
        reporter.unknownPolicy(volume);
        yield failed(volume, "Volume has unrecognized PersistentVolumeReclaimPolicy");
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
        ? Optional.of(new Outcome.CheckAgain(SOON))
        : recycling.stop(volume);
  }

  /** Does {@link #stopScrubbing(ObjectKey)} with a live read: the next claim must not lose data. */
  Optional<Outcome> stopScrubbing(Volume volume) throws InterruptedException {
    if (operations.isRunning(volume.key())) {
      return Optional.of(new Outcome.CheckAgain(SOON));
    }
    return BinderMarks.isReleasedOrFailed(volume.phase())
        ? recycling.stopLive(volume)
        : recycling.stop(volume);
  }

  private Outcome failed(Volume volume, String message) throws InterruptedException {
    return WriteOutcomes.outcome(
        "setting volume " + volume.meta().name() + " Failed",
        binding.phase(volume, VolumePhase.FAILED, message));
  }

  private Outcome delete(Volume volume) throws InterruptedException {
    ReclaimViews.FoundDeleter found = views.deleter(volume);
    return switch (found.verdict()) {
      case DeleterVerdict.Others() -> {
        stats.begins(TimedOperation.DELETE, volume.key(), labelOfOthers(volume));
        yield Outcome.SETTLED;
      }
      case DeleterVerdict.NoDeleter(String note) -> {
        Outcome written = failed(volume, note);
        if (written instanceof Outcome.Settled) {
          reporter.deleteFailed(volume, Reason.NO_DELETER, note);
        }
        yield written;
      }
      case DeleterVerdict.Plugin _ when breaker.isHolding() -> {
        reporter.held(volume, breaker.describeHold());
        yield Outcome.SETTLED; // resuming requeues the volume
      }
      case DeleterVerdict.Plugin(String plugin) -> {
        Deleter deleter = found.deleter().orElseThrow();
        stats.begins(TimedOperation.DELETE, volume.key(), plugin);
        operations.start(
            volume.key(),
            new DeletionInputs(Deleter.Request.of(volume), found.generation()),
            () -> run(volume, plugin, deleter));
        yield Outcome.SETTLED;
      }
    };
  }

  /**
   * Returns Kubernetes' label: the provisioner of the class, because users may edit the annotations
   * of a volume.
   */
  private String labelOfOthers(Volume volume) {
    String provisioner = views.provisioner(volume.storageClass());
    String driver = CsiMigration.driverOf(provisioner);
    return provisioner.isEmpty() ? "N/A" : driver.isEmpty() ? provisioner : driver;
  }

  // the conditional write of commit proves that the volume is still as judged here
  private JobResult run(Volume judged, String plugin, Deleter deleter) throws InterruptedException {
    LiveFacts known =
        LiveFacts.NONE.with(
            new Question.One<>(Kind.VOLUME, judged.key()), new Fact.Present<>(judged));
    List<Volume> twins = views.twins(judged);
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            reader, known, facts -> ReclaimDecider.mayDelete(judged, twins, facts));
    return switch (verdict) {
      case ReclaimVerdict.Gone() -> noteGone(judged);
      case ReclaimVerdict.Twin(Volume twin) -> waitForTwin(judged, twin);
      case ReclaimVerdict.Confirmed(Volume now) ->
          destroy(new ConfirmedVolume(now, twins), plugin, deleter);
      case ReclaimVerdict.Spare(String why) -> {
        reporter.spared(judged, why);
        yield JobResult.unreachable(why); // the cache will show what the API server returned
      }
      case ReclaimVerdict.CannotTell(String why) -> {
        reporter.spared(judged, why);
        yield new JobResult.Unanswered(why);
      }
    };
  }

  private JobResult waitForTwin(Volume volume, Volume twin) {
    return JobResult.unreachable(reporter.hasTwin(volume, "Deleting", twin));
  }

  private JobResult noteGone(Volume volume) {
    memory.removed(volume);
    return JobResult.DONE;
  }

  private JobResult destroy(ConfirmedVolume confirmed, String plugin, Deleter deleter)
      throws InterruptedException {
    Volume volume = confirmed.volume();
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.held(volume, breaker.describeHold());
        yield JobResult.DONE; // resuming requeues the volume
      }
      case FULL -> JobResult.unreachable("the maximum number of concurrent deletions is reached");
      case GRANTED -> {
        try {
          yield destroyAdmitted(confirmed, plugin, deleter);
        } finally {
          breaker.spared(volume.meta().uid()); // has no effect on a volume that was destroyed
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
    if (!(committed instanceof WriteResult.Written<Volume>(Volume now))) {
      return committed instanceof WriteResult.Gone<Volume>
          ? noteGone(volume)
          : JobResult.unwritten("marking volume " + volume.key().name(), committed);
    }
    long since = stats.clock();
    Attempt<Deleter.Deleted> attempt = deleter.delete(Deleter.Request.of(now));
    stats.called(plugin, TimedOperation.DELETE, attempt instanceof Attempt.Done<?>, since);
    return switch (attempt) {
      case Attempt.Done<Deleter.Deleted> _ -> {
        breaker.destroyed(now.meta().uid());
        memory.destroyed(now);
        yield remove(now);
      }
      case Attempt.Failed<Deleter.Deleted>(Failure why) -> {
        stats.failed(plugin, TimedOperation.DELETE);
        yield notDeleted(now, why);
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

  private JobResult notDeleted(Volume volume, Failure why) throws InterruptedException {
    boolean inUse = why instanceof Failure.InUse;
    withdraw(volume, why);
    if (inUse) {
      reporter.deleteDelayed(volume, why.message());
    } else {
      reporter.deleteFailed(volume, Reason.DELETE_FAILED, why.message());
    }
    return new JobResult.Failed(why);
  }

  /**
   * Removes the mark if the plugin's call has certainly ended. It ignores other clients' writes to
   * the volume: with the mark no claim could ever bind to the volume.
   */
  private void withdraw(Volume volume, Failure why) throws InterruptedException {
    Document patch = Document.patchOf(volume.meta());
    boolean ended = !(why instanceof Failure.Uncertain) && !(why instanceof Failure.Fault);
    if (ended) {
      patch.set(null, "status", "reason");
    }
    if (!(why instanceof Failure.InUse) && volume.phase() != VolumePhase.FAILED) {
      patch
          .set(VolumePhase.FAILED.toString(), "status", "phase")
          .set(why.message(), "status", "message");
    }
    WriteResult<Volume> written = writer.patchStatus(Kind.VOLUME, volume.key(), patch);
    if (ended && written instanceof WriteResult.Conflict<Volume>) {
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
   * Deletes the object first, then removes our finalizer. In the other order, another controller
   * with a stale cache could add the finalizer again in between.
   */
  private JobResult remove(Volume volume) throws InterruptedException {
    WriteResult<Volume> marked = writer.delete(Kind.VOLUME, volume.key(), volume.meta().uid());
    WriteResult<Volume> result =
        marked instanceof WriteResult.Written<Volume>(Volume now)
                && now.finalizers().contains(BinderMarks.IN_TREE_FINALIZER)
            ? withoutFinalizer(now)
            : marked;
    if (!(result instanceof WriteResult.Gone<Volume>)
        && !(result instanceof WriteResult.Written<Volume>)) {
      return JobResult.unwritten("removing volume " + volume.key().name(), result);
    }
    if (marked instanceof WriteResult.Gone<Volume>) {
      memory.removed(volume);
    }
    if (result instanceof WriteResult.Written<Volume>(Volume left) && isHeldByOthers(left)) {
      unmark(left); // the storage is destroyed, but the object may stay for long
    }
    reporter.deleted(volume);
    return JobResult.DONE;
  }

  /**
   * The protection finalizer does not count: its controller removes it from a volume that is not
   * Bound.
   */
  private static boolean isHeldByOthers(Volume volume) {
    return volume.finalizers().stream().anyMatch(f -> !f.equals(BinderMarks.PROTECTION));
  }

  private WriteResult<Volume> withoutFinalizer(Volume volume) throws InterruptedException {
    List<String> left =
        volume.finalizers().stream().filter(f -> !f.equals(BinderMarks.IN_TREE_FINALIZER)).toList();
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta())
            .set(left.isEmpty() ? null : left, "metadata", "finalizers"));
  }
}
