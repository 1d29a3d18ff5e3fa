package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimVerdict;
import dev.mooring.binder.decide.RecycleDecider;
import dev.mooring.binder.decide.RecycleDecision;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.binder.decide.RecyclerPodVerdict;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.ReclaimViews;
import dev.mooring.binder.state.RecycleMemory;
import dev.mooring.binder.state.RecycleMemory.PodStage;
import dev.mooring.binder.state.RecycleMemory.RecyclerPod;
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
import dev.mooring.storage.VolumeCondemner;
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
  private final VolumeCondemner condemner;
  private final RecycleMemory memory;
  private final RecyclerPodEvents podEvents;
  private final RecyclerPodReader podReader;
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
    this.condemner = new VolumeCondemner(state.guards().delay(), reporter);
    this.memory = state.recycleMemory();
    this.podEvents = new RecyclerPodEvents(ports.pastEvents(), reporter, memory);
    this.podReader = new RecyclerPodReader(ports.reader(), templates);
    this.binding = new BindingWriter(ports.writer(), reporter, state.savedVolumes());
    this.failures = new RecycleFailures(binding, reporter, memory, templates.style());
  }

  /**
   * Stops the scrubbing of a volume that must not be recycled: its owner or next claim would lose
   * data.
   *
   * @return the outcome to wait with; empty if no known or cached pod scrubs the volume
   */
  Optional<Outcome> stop(ObjectKey volume) throws InterruptedException {
    if (memory.podOf(volume) == null) {
      findCachedPod(volume)
          .ifPresent(pod -> {
            memory.watch(pod.key(), volume);
            memory.putForeignPod(volume, pod);
          });
    }
    RecyclerPod knownPod = memory.podOf(volume);
    if (knownPod == null) {
      return Optional.empty();
    }
    if (knownPod.stage() != PodStage.ENDED) {
      WriteResult<Pod> deleted = ports.writer().delete(Kind.POD, knownPod.key(), knownPod.podUid());
      if (!(deleted instanceof WriteResult.Gone<Pod>)) {
        return Optional.of(WriteOutcomes.outcome("stopping pod " + knownPod.key(), deleted));
      }
    }
    memory.removePod(volume);
    breaker.recordNotDestroyed(knownPod.volumeUid());
    memory.unwatch(knownPod.key());
    return Optional.empty();
  }

  private Optional<Pod> findCachedPod(ObjectKey volume) {
    return views.runningRecyclers(volume).stream()
        .filter(pod -> templates.namespaces().contains(pod.key().namespace()))
        .findFirst();
  }

  // returns whether a pod still empties the volume's storage, also for another or deleted volume
  boolean isScrubbed(Volume volume) {
    return templates.supports(volume)
        && (memory.isScrubbedForOther(volume) || views.isScrubbed(volume, templates.namespaces()));
  }

  /**
   * Does {@link #stop(ObjectKey)}, including cached pods with Kubernetes' name.
   *
   * @return the outcome to wait with; empty if no cached pod scrubs the volume
   */
  Optional<Outcome> stop(Volume volume) throws InterruptedException {
    if (memory.podOf(volume.key()) == null) {
      for (ObjectKey key : templates.possibleKeys(volume)) {
        adopt(volume, views.recycleView(volume, key).recycler());
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
    Optional<Outcome> knownPod = stop(volume.key());
    if (knownPod.isPresent()) {
      return knownPod;
    }
    List<ObjectKey> pods = templates.possibleKeys(volume);
    RecyclerPodVerdict verdict =
        LiveDecisions.decide(
            ports.reader(), LiveFacts.NONE, facts -> RecycleDecider.findRunningPod(pods, facts));
    return switch (verdict) {
      case RecyclerPodVerdict.None() -> Optional.empty();
      case RecyclerPodVerdict.Scrubs(Pod pod) -> {
        adopt(volume, pod);
        yield stop(volume.key()).or(() -> Optional.of(new Outcome.CheckAgain(Duration.ZERO)));
      }
      case RecyclerPodVerdict.Unknown(String message) ->
          Optional.of(new Outcome.Unanswered(message));
    };
  }

  private void adopt(Volume volume, @Nullable Pod pod) {
    if (pod != null && !pod.isTerminated()) {
      memory.watch(pod.key(), volume.key());
      memory.putPod(volume, pod, PodStage.RUNNING);
    }
  }

  Outcome recycle(Volume volume) throws InterruptedException {
    Optional<Outcome> unreported = failures.reportRemembered(volume);
    return unreported.isPresent() ? unreported.get() : executeNextStep(volume);
  }

  private Outcome executeNextStep(Volume volume) throws InterruptedException {
    ObjectKey key = templates.key(volume);
    RecycleView cachedView = views.recycleView(volume, key);
    RecycleView view = cachedView.with(memory.relationTo(volume, cachedView.recycler()));
    Pod pod = view.recycler();
    memory.watch(key, volume.key());
    if (pod != null && view.relation() == PodRelation.OURS) {
      memory.putPod(volume, pod, PodStage.RUNNING);
      podEvents.forwardEvents(volume, pod);
    }
    return switch (RecycleDecider.decide(view)) {
      case RecycleDecision.NoRecycler() ->
          failures.report(volume, Reason.NO_RECYCLER, "No recycler plugin found for the volume!");
      case RecycleDecision.InUse(List<ObjectKey> pods) -> {
        reporter.reportPodsInUse(volume, pods);
        yield Outcome.SETTLED;
      }
      case RecycleDecision.Start() -> start(volume, key);
      case RecycleDecision.Vanished() -> handleVanished(volume);
      case RecycleDecision.Wait() -> Outcome.SETTLED;
      case RecycleDecision.Leftover(Pod leftover) -> handleLeftover(volume, leftover);
      case RecycleDecision.Succeeded(Pod finishedPod) -> handleSuccess(volume, finishedPod);
      case RecycleDecision.Recycled() -> finishRecycled(volume);
      case RecycleDecision.Failed(Pod finishedPod) -> handleFailure(volume, finishedPod);
    };
  }

  private Outcome start(Volume volume, ObjectKey key) throws InterruptedException {
    if (!templates.supports(volume) || memory.hasFailedRecently(volume.key())) {
      return Outcome.SETTLED; // the next resync tries again
    }
    Optional<Outcome> wait = condemner.checkWait(volume);
    if (wait.isPresent()) {
      return wait.get();
    }
    ConfirmedVolume confirmedVolume = new ConfirmedVolume(volume, views.twins(volume));
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            facts -> ReclaimDecider.decideRecycling(volume, confirmedVolume.judgedTwins(), facts));
    if (!(verdict instanceof ReclaimVerdict.Confirmed)) {
      return handleUnconfirmed(volume, verdict);
    }
    Optional<WriteResult<Volume>> postponed = condemner.postpone(volume);
    if (postponed.isPresent()) {
      return WriteOutcomes.outcome("condemning volume " + volume.meta().name(), postponed.get());
    }
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.reportHeldDeletion(volume, breaker.describeHold());
        yield Outcome.SETTLED; // resuming requeues the volume
      }
      case FULL -> new Outcome.CheckAgain(Duration.ofSeconds(1));
      case GRANTED -> createPod(confirmedVolume, key);
    };
  }

  private Outcome createPod(ConfirmedVolume confirmedVolume, ObjectKey key)
      throws InterruptedException {
    Volume volume = confirmedVolume.volume();
    Optional<Volume> newTwin = confirmedVolume.newTwin(views);
    if (newTwin.isPresent()) {
      breaker.recordNotDestroyed(volume.meta().uid());
      return waitForTwin(volume, newTwin.get());
    }
    WriteResult<Pod> result =
        ports.writer().create(Kind.POD, key, templates.createPod(volume, key));
    if (!(result instanceof WriteResult.Written<Pod>)) {
      breaker.recordNotDestroyed(volume.meta().uid());
    }
    return switch (result) {
      case WriteResult.Written<Pod>(Pod createdPod) -> {
        memory.putPod(volume, createdPod, PodStage.RUNNING);
        reporter.reportScrubbing(volume, key);
        yield Outcome.SETTLED;
      }
      case WriteResult.Conflict<Pod> _ -> {
        memory.recordUnansweredCreation(
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
        memory.recordUnansweredCreation(volume);
        yield new Outcome.Unanswered(message);
      }
    };
  }

  private Outcome handleLeftover(Volume volume, Pod pod) throws InterruptedException {
    boolean mayAdopt =
        templates.style().adoptsEarlierPods() || memory.hasUnansweredCreation(volume);
    if (mayAdopt && templates.supports(volume)) {
      switch (podReader.readMatch(pod, volume)) {
        case ReadResult.Failed<Boolean>(String message) -> {
          return new Outcome.Unanswered("whether pod " + pod.key() + " is ours: " + message);
        }
        case ReadResult.Found<Boolean>(Boolean matches) when matches -> {
          memory.putPod(volume, pod, PodStage.RUNNING);
          return new Outcome.CheckAgain(Duration.ZERO);
        }
        case ReadResult.Found<Boolean> _, ReadResult.Absent<Boolean> _ -> {}
      }
    }
    return deleteLeftover(volume, pod);
  }

  private Outcome deleteLeftover(Volume volume, Pod pod) throws InterruptedException {
    WriteResult<Pod> result = ports.writer().delete(Kind.POD, pod.key(), pod.meta().uid());
    if (result instanceof WriteResult.Rejected<Pod>(int _, String message)) {
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
            && result instanceof WriteResult.Unreachable<Pod>(String message)
        ? new Outcome.Unanswered(message)
        : reported;
  }

  private Outcome handleUnconfirmed(Volume volume, ReclaimVerdict verdict) {
    return switch (verdict) {
      case ReclaimVerdict.Unknown(String message) ->
          new Outcome.Unanswered("volume " + volume.meta().name() + ": " + message);
      case ReclaimVerdict.Spare(String reason) -> {
        reporter.reportSpared(volume, reason);
        yield Outcome.SETTLED; // the cache will show the reason; the next resync tries again
      }
      case ReclaimVerdict.Twin(Volume twin) -> waitForTwin(volume, twin);
      case ReclaimVerdict.Gone _, ReclaimVerdict.Confirmed _ -> Outcome.SETTLED;
    };
  }

  private Outcome waitForTwin(Volume volume, Volume twin) {
    reporter.reportTwin(volume, "Recycling", twin);
    return Outcome.SETTLED;
  }

  private Outcome handleSuccess(Volume cachedVolume, Pod pod) throws InterruptedException {
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            facts ->
                ReclaimDecider.decideRecycled(cachedVolume, pod.key(), pod.meta().uid(), facts));
    if (!(verdict instanceof ReclaimVerdict.Confirmed(Volume volume))) {
      return handleUnconfirmed(cachedVolume, verdict);
    }
    memory.putPod(volume, pod, PodStage.RECYCLED);
    breaker.recordDestroyed(volume.meta().uid());
    memory.forgetEvents(volume.key());
    reporter.reportRecycled(volume);
    return deletePodAndUnbind(volume, pod.key(), pod.meta().uid());
  }

  private Outcome finishRecycled(Volume cachedVolume) throws InterruptedException {
    Optional<RecyclerPod> knownPod = memory.recycledPod(cachedVolume);
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            ports.reader(),
            LiveFacts.NONE,
            // the pod has already scrubbed the storage, whichever volumes refer to it
            facts -> ReclaimDecider.decideRecycling(cachedVolume, List.of(), facts));
    if (knownPod.isEmpty() || !(verdict instanceof ReclaimVerdict.Confirmed(Volume volume))) {
      return handleUnconfirmed(cachedVolume, verdict);
    }
    return deletePodAndUnbind(volume, knownPod.get().key(), knownPod.get().podUid());
  }

  private Outcome deletePodAndUnbind(Volume volume, ObjectKey pod, Uid uid)
      throws InterruptedException {
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
    ReadResult<String> messageRead = podReader.readMessage(pod);
    if (messageRead instanceof ReadResult.Failed<String>(String readError)) {
      return new Outcome.Unanswered("why pod " + pod.key() + " failed: " + readError);
    }
    breaker.recordNotDestroyed(volume.meta().uid());
    String failure =
        messageRead instanceof ReadResult.Found<String>(String message) && !message.isEmpty()
            ? message
            : "pod failed, pod.Status.Message unknown";
    switch (ports.writer().delete(Kind.POD, pod.key(), pod.meta().uid())) {
      case WriteResult.Written<Pod> _, WriteResult.Gone<Pod> _ ->
          memory.putPod(volume, pod, PodStage.ENDED);
      case WriteResult.Conflict<Pod> _,
          WriteResult.Rejected<Pod> _,
          WriteResult.Unreachable<Pod> _ ->
          memory.removePod(
              volume.key()); // if it still exists, the next step handles it as a leftover
    }
    return failures.reportAndDelay(volume, "Recycle failed: failed to recycle volume: " + failure);
  }

  private Outcome handleVanished(Volume volume) throws InterruptedException {
    memory.removePod(volume.key());
    breaker.recordNotDestroyed(volume.meta().uid());
    return templates.style().failsWhenPodVanishes()
        ? failures.reportAndDelay(
            volume, "Recycle failed: failed to recycle volume: recycler pod was deleted")
        : new Outcome.CheckAgain(Duration.ZERO);
  }
}
