package dev.mooring.binder.execute;

import dev.mooring.binder.decide.LeftPodVerdict;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimVerdict;
import dev.mooring.binder.decide.RecycleDecider;
import dev.mooring.binder.decide.RecycleDecision;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.ReclaimViews;
import dev.mooring.binder.state.RecycleMemory;
import dev.mooring.binder.state.RecycleMemory.KnownPod;
import dev.mooring.binder.state.RecycleMemory.PodStage;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Scrubs released volumes with pods, step by step. No thread waits for a pod: the pod's watch
 * events requeue the volume. Thread-safe.
 */
public final class VolumeRecycler {
  private final ClusterPorts ports;
  private final ReclaimViews views;
  private final RecyclerPodTemplates templates;
  private final BinderReporter reporter;
  private final DeletionBreaker breaker;
  private final RecycleMemory memory;
  private final RecyclerPodEvents podEvents;
  private final RecyclerPodReader reads;
  private final RecycleFailures failures;
  private final BindingWriter binding;

  public VolumeRecycler(
      ClusterPorts ports,
      ReclaimViews views,
      RecyclerPodTemplates templates,
      BinderReporter reporter,
      BinderState state) {
    this.ports = ports;
    this.views = views;
    this.templates = templates;
    this.reporter = reporter;
    this.breaker = state.breaker();
    this.memory = state.recycling();
    this.podEvents = new RecyclerPodEvents(ports.pastEvents(), reporter, memory);
    this.reads = new RecyclerPodReader(ports.reader(), templates);
    this.binding = new BindingWriter(ports.writer(), reporter, state.saved());
    this.failures = new RecycleFailures(binding, reporter, memory, templates.style());
  }

  /**
   * Stops the scrubbing of a volume that must not be recycled: its owner or next claim would lose
   * data.
   *
   * @return the outcome to wait with; empty if no known pod scrubs the volume
   */
  Optional<Outcome> stop(ObjectKey volume) throws InterruptedException {
    KnownPod known = memory.podOf(volume);
    if (known == null) {
      return Optional.empty();
    }
    if (known.stage() != PodStage.ENDED) {
      WriteResult<Pod> deleted = ports.writer().delete(Kind.POD, known.key(), known.pod());
      if (!(deleted instanceof WriteResult.Gone<Pod>)) {
        return Optional.of(WriteOutcomes.outcome("stopping pod " + known.key(), deleted));
      }
    }
    memory.removePod(volume);
    breaker.spared(known.volume());
    memory.watchNoMore(known.key());
    return Optional.empty();
  }

  /**
   * Does {@link #stop(ObjectKey)}, including cached pods of an earlier process.
   *
   * @return the outcome to wait with; empty if no cached pod scrubs the volume
   */
  Optional<Outcome> stop(Volume volume) throws InterruptedException {
    if (memory.podOf(volume.key()) == null) {
      for (ObjectKey key : templates.keys(volume)) {
        adopt(volume, views.recycling(volume, key).recycler());
      }
    }
    return stop(volume.key());
  }

  /**
   * Does {@link #stop(Volume)} with live reads: another claim is about to get the volume.
   *
   * @return the outcome to wait with; empty if certainly no pod scrubs the volume
   */
  Optional<Outcome> stopLive(Volume volume) throws InterruptedException {
    Optional<Outcome> known = stop(volume.key());
    if (known.isPresent()) {
      return known;
    }
    List<ObjectKey> pods = templates.keys(volume);
    LeftPodVerdict verdict =
        LiveDecisions.decide(
            ports.reader(), LiveFacts.NONE, facts -> RecycleDecider.findLeftPod(pods, facts));
    return switch (verdict) {
      case LeftPodVerdict.None() -> Optional.empty();
      case LeftPodVerdict.Scrubs(Pod pod) -> {
        adopt(volume, pod);
        yield stop(volume.key()).or(() -> Optional.of(new Outcome.CheckAgain(Duration.ZERO)));
      }
      case LeftPodVerdict.CannotTell(String why) -> Optional.of(new Outcome.Unanswered(why));
    };
  }

  private void adopt(Volume volume, @Nullable Pod pod) {
    if (pod != null && !pod.isTerminated()) {
      memory.watch(pod.key(), volume.key());
      memory.put(volume, pod, PodStage.RUNNING);
    }
  }

  Outcome step(Volume volume) throws InterruptedException {
    Optional<Outcome> left = failures.reportRemembered(volume);
    return left.isPresent() ? left.get() : next(volume);
  }

  private Outcome next(Volume volume) throws InterruptedException {
    ObjectKey key = templates.key(volume);
    RecycleView seen = views.recycling(volume, key);
    RecycleView view = seen.with(memory.relation(volume, seen.recycler()));
    Pod pod = view.recycler();
    memory.watch(key, volume.key());
    if (pod != null && view.part() == PodRelation.OURS) {
      memory.put(volume, pod, PodStage.RUNNING);
      podEvents.passOn(volume, pod);
    }
    return switch (RecycleDecider.decide(view)) {
      case RecycleDecision.NoRecycler() ->
          failures.report(volume, Reason.NO_RECYCLER, "No recycler plugin found for the volume!");
      case RecycleDecision.InUse(List<ObjectKey> pods) -> {
        reporter.notRecycledYet(volume, pods);
        yield Outcome.SETTLED;
      }
      case RecycleDecision.Start() -> start(volume, key);
      case RecycleDecision.Vanished() -> handleVanished(volume);
      case RecycleDecision.Wait() -> Outcome.SETTLED;
      case RecycleDecision.Leftover(Pod left) -> handleLeftover(volume, left);
      case RecycleDecision.Succeeded(Pod done) -> handleSuccess(volume, done);
      case RecycleDecision.Recycled() -> finishRecycled(volume);
      case RecycleDecision.Failed(Pod done) -> handleFailure(volume, done);
    };
  }

  private Outcome start(Volume volume, ObjectKey key) throws InterruptedException {
    if (!templates.supports(volume) || memory.hasFailedRecently(volume.key())) {
      return Outcome.SETTLED; // the next resync tries again
    }
    ConfirmedVolume judged = new ConfirmedVolume(volume, views.twins(volume));
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            facts -> ReclaimDecider.mayRecycle(volume, judged.judgedTwins(), facts));
    if (!(verdict instanceof ReclaimVerdict.Confirmed)) {
      return handleUnconfirmed(volume, verdict);
    }
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.held(volume, breaker.describeHold());
        yield Outcome.SETTLED; // resuming requeues the volume
      }
      case FULL -> new Outcome.CheckAgain(Duration.ofSeconds(1));
      case GRANTED -> createPod(judged, key);
    };
  }

  private Outcome createPod(ConfirmedVolume judged, ObjectKey key) throws InterruptedException {
    Volume volume = judged.volume();
    Optional<Volume> newTwin = judged.newTwin(views);
    if (newTwin.isPresent()) {
      breaker.spared(volume.meta().uid());
      return waitForTwin(volume, newTwin.get());
    }
    WriteResult<Pod> result = ports.writer().create(Kind.POD, key, templates.pod(volume, key));
    if (!(result instanceof WriteResult.Written<Pod>)) {
      breaker.spared(volume.meta().uid());
    }
    return switch (result) {
      case WriteResult.Written<Pod>(Pod made) -> {
        memory.put(volume, made, PodStage.RUNNING);
        reporter.recycling(volume, key);
        yield Outcome.SETTLED;
      }
      case WriteResult.Conflict<Pod> _ -> {
        memory.noteUnansweredCreation(
            volume); // this process may have created it, if the answer was lost
        yield new Outcome.CheckAgain(Duration.ofMillis(100));
      }
      case WriteResult.Gone<Pod> _, WriteResult.Rejected<Pod> _ ->
          failures.reportAndDelay(
              volume,
              "Recycle failed: unexpected error creating recycler pod:  "
                  + (result instanceof WriteResult.Rejected<Pod>(int _, String message)
                      ? message
                      : "namespace " + key.namespace() + " not found"));
      case WriteResult.Unreachable<Pod>(String message) -> {
        memory.noteUnansweredCreation(volume);
        yield new Outcome.Unanswered(message);
      }
    };
  }

  private Outcome handleLeftover(Volume volume, Pod pod) throws InterruptedException {
    boolean mayAdopt = templates.style().adoptsLeftPods() || memory.mayHaveCreatedPod(volume);
    if (mayAdopt && templates.supports(volume)) {
      switch (reads.isLike(pod, volume)) {
        case ReadResult.Failed<Boolean>(String why) -> {
          return new Outcome.Unanswered("whether pod " + pod.key() + " is ours: " + why);
        }
        case ReadResult.Found<Boolean>(Boolean like) when like -> {
          memory.put(volume, pod, PodStage.RUNNING);
          return new Outcome.CheckAgain(Duration.ZERO);
        }
        case ReadResult.Found<Boolean> _, ReadResult.Absent<Boolean> _ -> {}
      }
    }
    return startOver(volume, pod);
  }

  private Outcome startOver(Volume volume, Pod pod) throws InterruptedException {
    WriteResult<Pod> gone = ports.writer().delete(Kind.POD, pod.key(), pod.meta().uid());
    if (gone instanceof WriteResult.Rejected<Pod>(int _, String message)) {
      return failures.report(
          volume,
          Reason.RECYCLE_FAILED,
          "Recycle failed: failed to delete old recycler pod " + pod.key() + ": " + message);
    }
    Outcome reported =
        failures.report(
            volume,
            Reason.RECYCLE_FAILED,
            "Recycle failed: old recycler pod found, will retry later");
    return reported instanceof Outcome.Settled
            && gone instanceof WriteResult.Unreachable<Pod>(String message)
        ? new Outcome.Unanswered(message)
        : reported;
  }

  private Outcome handleUnconfirmed(Volume volume, ReclaimVerdict verdict) {
    return switch (verdict) {
      case ReclaimVerdict.CannotTell(String why) ->
          new Outcome.Unanswered("volume " + volume.meta().name() + ": " + why);
      case ReclaimVerdict.Spare(String why) -> {
        reporter.spared(volume, why);
        yield Outcome.SETTLED; // the cache will show the reason; the next resync tries again
      }
      case ReclaimVerdict.Twin(Volume twin) -> waitForTwin(volume, twin);
      case ReclaimVerdict.Gone _, ReclaimVerdict.Confirmed _ -> Outcome.SETTLED;
    };
  }

  private Outcome waitForTwin(Volume volume, Volume twin) {
    reporter.hasTwin(volume, "Recycling", twin);
    return Outcome.SETTLED;
  }

  private Outcome handleSuccess(Volume seen, Pod pod) throws InterruptedException {
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            facts -> ReclaimDecider.isRecycled(seen, pod.key(), pod.meta().uid(), facts));
    if (!(verdict instanceof ReclaimVerdict.Confirmed(Volume volume))) {
      return handleUnconfirmed(seen, verdict);
    }
    memory.put(volume, pod, PodStage.RECYCLED);
    breaker.destroyed(volume.meta().uid());
    memory.forgetEvents(volume.key());
    reporter.recycled(volume);
    return free(volume, pod.key(), pod.meta().uid());
  }

  private Outcome finishRecycled(Volume seen) throws InterruptedException {
    Optional<KnownPod> known = memory.cleanPod(seen);
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            // the pod has already scrubbed the storage, whichever volumes refer to it
            facts -> ReclaimDecider.mayRecycle(seen, List.of(), facts));
    if (known.isEmpty() || !(verdict instanceof ReclaimVerdict.Confirmed(Volume volume))) {
      return handleUnconfirmed(seen, verdict);
    }
    return free(volume, known.get().key(), known.get().pod());
  }

  private Outcome free(Volume volume, ObjectKey pod, Uid uid) throws InterruptedException {
    WriteResult<Pod> deleted = ports.writer().delete(Kind.POD, pod, uid);
    if (deleted instanceof WriteResult.Unreachable<Pod>(String message)) {
      return new Outcome.Unanswered(message);
    }
    if (deleted instanceof WriteResult.Rejected<Pod>(int _, String message)) {
      return failures.reportAndDelay(
          volume, "Recycle failed: failed to delete recycler pod: " + message);
    }
    return binding.unbind(volume);
  }

  private Outcome handleFailure(Volume volume, Pod pod) throws InterruptedException {
    ReadResult<String> read = reads.message(pod);
    if (read instanceof ReadResult.Failed<String>(String unread)) {
      return new Outcome.Unanswered("why pod " + pod.key() + " failed: " + unread);
    }
    breaker.spared(volume.meta().uid());
    String why =
        read instanceof ReadResult.Found<String>(String message) && !message.isEmpty()
            ? message
            : "pod failed, pod.Status.Message unknown";
    switch (ports.writer().delete(Kind.POD, pod.key(), pod.meta().uid())) {
      case WriteResult.Written<Pod> _, WriteResult.Gone<Pod> _ ->
          memory.put(volume, pod, PodStage.ENDED);
      case WriteResult.Conflict<Pod> _,
          WriteResult.Rejected<Pod> _,
          WriteResult.Unreachable<Pod> _ ->
          memory.removePod(
              volume.key()); // if it still exists, the next step handles it as a leftover
    }
    return failures.reportAndDelay(volume, "Recycle failed: failed to recycle volume: " + why);
  }

  private Outcome handleVanished(Volume volume) throws InterruptedException {
    memory.removePod(volume.key());
    breaker.spared(volume.meta().uid());
    return templates.style().failsWithPod()
        ? failures.reportAndDelay(
            volume, "Recycle failed: failed to recycle volume: recycler pod was deleted")
        : new Outcome.CheckAgain(Duration.ZERO);
  }
}
