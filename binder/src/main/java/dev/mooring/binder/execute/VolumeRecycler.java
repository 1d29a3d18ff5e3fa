package dev.mooring.binder.execute;

import dev.mooring.binder.decide.LeftPodVerdict;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimVerdict;
import dev.mooring.binder.decide.RecycleDecider;
import dev.mooring.binder.decide.RecycleDecision;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.binder.execute.KnownRecyclerPods.KnownPod;
import dev.mooring.binder.execute.KnownRecyclerPods.PodStage;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Scrubs released volumes with pods, step by step. No thread waits for a pod: the pod's watch
 * events requeue the volume. Thread-safe.
 */
public final class VolumeRecycler {
  public record RecyclingMethod(
      Map<String, RecyclerPod.PodSettings> settings,
      RecyclerStyle style,
      Function<Volume, List<Volume>> twins) {}

  private final ClusterPorts ports;
  private final DeletionBreaker breaker;
  private final RecycleViews sight;
  private final BinderReporter reporter;
  private final RecyclingMethod method;
  private final RecyclerPodEvents podEvents;
  private final RecyclerPodReader reads;
  private final RecycleFailures failures;
  private final BindingWriter binding;
  private final KnownRecyclerPods memory = new KnownRecyclerPods();
  private final Map<ObjectKey, ObjectKey> volumesByRecycler = new ConcurrentHashMap<>();

  public VolumeRecycler(
      ClusterPorts ports,
      DeletionBreaker breaker,
      RecycleViews sight,
      BinderReporter reporter,
      RecyclingMethod method) {
    this.ports = ports;
    this.breaker = breaker;
    this.sight = sight;
    this.reporter = reporter;
    this.method = method;
    this.podEvents = new RecyclerPodEvents(ports.pastEvents(), reporter);
    this.reads = new RecyclerPodReader(ports.reader());
    this.binding = new BindingWriter(ports.writer(), reporter);
    this.failures = new RecycleFailures(binding, reporter, ports.time(), method.style());
  }

  public Optional<ObjectKey> volumeOf(ObjectKey pod) {
    return Optional.ofNullable(volumesByRecycler.get(pod));
  }

  /** Forgets a deleted volume; returns whether a pod still scrubs it, which the next sync stops. */
  boolean forget(ObjectKey volume) {
    failures.forget(volume);
    podEvents.forget(volume);
    boolean hasPod = memory.forget(volume);
    if (!hasPod) {
      volumesByRecycler.values().remove(volume);
    }
    return hasPod;
  }

  /**
   * Stops the scrubbing of a volume that must not be recycled: its owner or next claim would lose
   * data.
   *
   * @return the outcome to wait with; empty if no known pod scrubs the volume
   */
  Optional<Outcome> stop(ObjectKey volume) throws InterruptedException {
    KnownPod known = memory.of(volume);
    if (known == null) {
      return Optional.empty();
    }
    if (known.stage() != PodStage.ENDED) {
      WriteResult<Pod> deleted = ports.writer().delete(Kind.POD, known.key(), known.pod());
      if (!(deleted instanceof WriteResult.Gone<Pod>)) {
        return Optional.of(WriteOutcomes.outcome("stopping pod " + known.key(), deleted));
      }
    }
    memory.remove(volume);
    breaker.spared(known.volume());
    volumesByRecycler.remove(known.key());
    return Optional.empty();
  }

  /**
   * Does {@link #stop(ObjectKey)}, including cached pods of an earlier process.
   *
   * @return the outcome to wait with; empty if no cached pod scrubs the volume
   */
  Optional<Outcome> stop(Volume volume) throws InterruptedException {
    if (memory.of(volume.key()) == null) {
      for (ObjectKey key : podsOf(volume)) {
        adopt(volume, sight.of(volume, key).recycler());
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
    List<ObjectKey> pods = podsOf(volume);
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

  private List<ObjectKey> podsOf(Volume volume) {
    return RecyclerPod.keys(volume, method.settings().get(volume.source().type()));
  }

  private void adopt(Volume volume, @Nullable Pod pod) {
    if (pod != null && !pod.isTerminated()) {
      volumesByRecycler.put(pod.key(), volume.key());
      memory.put(volume, pod, PodStage.RUNNING);
    }
  }

  Outcome step(Volume volume) throws InterruptedException {
    Optional<Outcome> left = failures.reportRemembered(volume);
    return left.isPresent() ? left.get() : next(volume);
  }

  private Outcome next(Volume volume) throws InterruptedException {
    RecyclerPod.PodSettings podSettings = method.settings().get(volume.source().type());
    ObjectKey key =
        podSettings == null
            ? ObjectKey.of("default", RecyclerPod.PREFIX + volume.meta().name())
            : RecyclerPod.key(volume, podSettings, method.style());
    RecycleView view = withRelation(sight.of(volume, key));
    Pod pod = view.recycler();
    volumesByRecycler.put(key, volume.key());
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
      case RecycleDecision.Start() -> start(volume, podSettings, key);
      case RecycleDecision.Vanished() -> handleVanished(volume);
      case RecycleDecision.Wait() -> Outcome.SETTLED;
      case RecycleDecision.Leftover(Pod left) -> handleLeftover(volume, podSettings, left);
      case RecycleDecision.Succeeded(Pod done) -> handleSuccess(volume, done);
      case RecycleDecision.Recycled() -> finishRecycled(volume);
      case RecycleDecision.Failed(Pod done) -> handleFailure(volume, done);
    };
  }

  private RecycleView withRelation(RecycleView seen) {
    return new RecycleView(
        seen.volume(), seen.users(), seen.recycler(), memory.part(seen.volume(), seen.recycler()));
  }

  private Outcome start(Volume volume, RecyclerPod.@Nullable PodSettings podSettings, ObjectKey key)
      throws InterruptedException {
    if (podSettings == null || failures.areRecent(volume.key())) {
      return Outcome.SETTLED; // the next resync tries again
    }
    ConfirmedVolume judged = new ConfirmedVolume(volume, method.twins().apply(volume));
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
      case GRANTED -> createPod(judged, podSettings, key);
    };
  }

  private Outcome createPod(
      ConfirmedVolume judged, RecyclerPod.PodSettings podSettings, ObjectKey key)
      throws InterruptedException {
    Volume volume = judged.volume();
    Optional<Volume> newTwin = judged.newTwin(method.twins());
    if (newTwin.isPresent()) {
      breaker.spared(volume.meta().uid());
      return waitForTwin(volume, newTwin.get());
    }
    WriteResult<Pod> result =
        ports.writer().create(Kind.POD, key, RecyclerPod.pod(volume, podSettings, key));
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
        memory.noteCreation(volume); // this process may have created it, if the answer was lost
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
        memory.noteCreation(volume);
        yield new Outcome.Unanswered(message);
      }
    };
  }

  private Outcome handleLeftover(
      Volume volume, RecyclerPod.@Nullable PodSettings podSettings, Pod pod)
      throws InterruptedException {
    if ((method.style().adoptsLeftPods() || memory.mayHaveMade(volume)) && podSettings != null) {
      switch (reads.isLike(pod, volume, podSettings)) {
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
    failures.forget(volume.key());
    podEvents.forget(volume.key());
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
          memory.remove(volume.key()); // if it still exists, the next step handles it as a leftover
    }
    return failures.reportAndDelay(volume, "Recycle failed: failed to recycle volume: " + why);
  }

  private Outcome handleVanished(Volume volume) throws InterruptedException {
    memory.remove(volume.key());
    breaker.spared(volume.meta().uid());
    return method.style().failsWithPod()
        ? failures.reportAndDelay(
            volume, "Recycle failed: failed to recycle volume: recycler pod was deleted")
        : new Outcome.CheckAgain(Duration.ZERO);
  }
}
