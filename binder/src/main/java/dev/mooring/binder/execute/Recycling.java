package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.RecycleDecider;
import dev.mooring.binder.decide.RecycleDecision;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.operation.Brake;
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
 * Empties released volumes by pods, step by step: nothing waits for a pod, its events bring the
 * volume back. Thread-safe.
 */
public final class Recycling {
  private static final long BETWEEN_FAILURES = Duration.ofSeconds(10).toNanos();

  /** Looks at a volume with its users and the scrubber of that key. */
  @FunctionalInterface
  public interface Sight {
    /** The view; whether the scrubber is ours is yet to be filled in. */
    RecycleView of(Volume volume, ObjectKey scrubber);
  }

  /**
   * How it is done.
   *
   * @param recipes by type of source
   * @param likeKubernetes whether names and the treatment of left-over pods are Kubernetes'
   */
  public record Method(Map<String, Scrubber.Recipe> recipes, boolean likeKubernetes) {}

  /**
   * What it acts through.
   *
   * @param writer writes
   * @param reader live reads
   * @param told reads the events of scrubbers
   * @param time the clock
   * @param brake asked before a pod is started
   */
  public record Ports(
      ClusterWriter writer, LiveReader reader, EventReader told, Time time, Brake brake) {}

  private final Ports ports;
  private final Sight sight;
  private final Narrator narrator;
  private final Method method;
  private final ScrubberNews news;
  private final StillReleased stillReleased;
  private final Binding binding;
  private final Set<Uid> ours = ConcurrentHashMap.newKeySet();
  private final Map<ObjectKey, ObjectKey> volumesByScrubber = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Long> failedAt = new ConcurrentHashMap<>();

  /** Recycles so. */
  public Recycling(Ports ports, Sight sight, Narrator narrator, Method method) {
    this.ports = ports;
    this.sight = sight;
    this.narrator = narrator;
    this.method = method;
    this.news = new ScrubberNews(ports.told(), narrator);
    this.stillReleased = new StillReleased(ports.reader());
    this.binding = new Binding(ports.writer(), narrator);
  }

  /** The volume that this pod scrubs, if it is a scrubber that we know of. */
  public Optional<ObjectKey> volumeOf(ObjectKey pod) {
    return Optional.ofNullable(volumesByScrubber.get(pod));
  }

  void forget(ObjectKey volume) {
    failedAt.remove(volume);
    volumesByScrubber.values().remove(volume);
    news.forget(volume);
  }

  Outcome step(Volume volume) throws InterruptedException {
    Scrubber.Recipe recipe = method.recipes().get(volume.source().type());
    ObjectKey key =
        recipe == null
            ? ObjectKey.of("default", Scrubber.PREFIX + volume.meta().name())
            : Scrubber.key(volume, recipe, method.likeKubernetes());
    RecycleView seen = sight.of(volume, key);
    Pod pod = seen.scrubber();
    RecycleView view =
        new RecycleView(volume, seen.users(), pod, pod != null && ours.contains(pod.meta().uid()));
    volumesByScrubber.put(key, volume.key());
    if (pod != null && view.ours()) {
      news.passOn(volume, pod);
    }
    return switch (RecycleDecider.decide(view)) {
      case RecycleDecision.NoRecycler() ->
          failed(volume, Reason.NO_RECYCLER, "No recycler plugin found for the volume!");
      case RecycleDecision.InUse(List<ObjectKey> pods) -> {
        narrator.notRecycledYet(volume, pods);
        yield Outcome.SETTLED;
      }
      case RecycleDecision.Start() -> start(volume, recipe, key);
      case RecycleDecision.Wait() -> Outcome.SETTLED;
      case RecycleDecision.Leftover(Pod left) -> leftover(volume, recipe, left);
      case RecycleDecision.Succeeded(Pod done) -> succeeded(volume, done);
      case RecycleDecision.Failed(Pod done) -> scrubberFailed(volume, done);
    };
  }

  private Outcome start(
      Volume volume, Scrubber.@org.jspecify.annotations.Nullable Recipe recipe, ObjectKey key)
      throws InterruptedException {
    Long failed = failedAt.get(volume.key());
    if (recipe == null
        || (failed != null && ports.time().nanos() - failed < BETWEEN_FAILURES)
        || stillReleased.confirm(volume.key()).isEmpty()) {
      return Outcome.SETTLED; // the next resync looks again
    }
    if (!ports.brake().admit()) {
      narrator.held(volume, ports.brake().told());
      return Outcome.SETTLED;
    }
    WriteResult<Pod> result =
        ports.writer().create(Kind.POD, key, Scrubber.pod(volume, recipe, key));
    return switch (result) {
      case WriteResult.Written<Pod>(Pod made) -> {
        ours.add(made.meta().uid());
        narrator.scrubbing(volume, key);
        yield Outcome.SETTLED;
      }
      case WriteResult.Conflict<Pod> _ -> new Outcome.CheckAgain(Duration.ofMillis(100));
      case WriteResult.Gone<Pod> _, WriteResult.Rejected<Pod> _ ->
          failedOnce(
              volume,
              "Recycle failed: unexpected error creating recycler pod:  "
                  + (result instanceof WriteResult.Rejected<Pod>(int _, String message)
                      ? message
                      : "namespace " + key.namespace() + " not found"));
      case WriteResult.Unreachable<Pod>(String message) ->
          new Outcome.Retry(new Failure.Uncertain(message));
    };
  }

  /** A pod from before a restart: Kubernetes starts over; it is enough to go on waiting for it. */
  private Outcome leftover(
      Volume volume, Scrubber.@org.jspecify.annotations.Nullable Recipe recipe, Pod pod)
      throws InterruptedException {
    if (!method.likeKubernetes()
        && recipe != null
        && ports.reader().readWhole(Kind.POD, pod.key())
            instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> whole)
        && Scrubber.isLike(whole, volume, recipe)) {
      ours.add(pod.meta().uid());
      return new Outcome.CheckAgain(Duration.ZERO);
    }
    WriteResult<Pod> gone = ports.writer().delete(Kind.POD, pod.key(), pod.meta().uid());
    if (gone instanceof WriteResult.Rejected<Pod>(int _, String message)) {
      return failed(
          volume,
          Reason.RECYCLE_FAILED,
          "Recycle failed: failed to delete old recycler pod " + pod.key() + ": " + message);
    }
    return failed(
        volume, Reason.RECYCLE_FAILED, "Recycle failed: old recycler pod found, will retry later");
  }

  private Outcome succeeded(Volume volume, Pod pod) throws InterruptedException {
    if (stillReleased.confirm(volume.key()).isEmpty()) {
      return Outcome.SETTLED;
    }
    WriteResult<Pod> deleted = ports.writer().delete(Kind.POD, pod.key(), pod.meta().uid());
    if (deleted instanceof WriteResult.Unreachable<Pod>(String message)) {
      return new Outcome.Retry(new Failure.Unreachable(message));
    }
    if (deleted instanceof WriteResult.Rejected<Pod>(int _, String message)) {
      return failedOnce(volume, "Recycle failed: failed to delete recycler pod: " + message);
    }
    ours.remove(pod.meta().uid());
    failedAt.remove(volume.key());
    news.forget(volume.key());
    narrator.recycled(volume);
    return binding.unbind(volume);
  }

  private Outcome scrubberFailed(Volume volume, Pod pod) throws InterruptedException {
    String why = "pod failed, pod.Status.Message unknown";
    if (ports.reader().readWhole(Kind.POD, pod.key())
            instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> whole)
        && whole.get("status") instanceof Map<?, ?> status
        && status.get("message") instanceof String message
        && !message.isEmpty()) {
      why = message;
    }
    ports.writer().delete(Kind.POD, pod.key(), pod.meta().uid());
    ours.remove(pod.meta().uid());
    return failedOnce(volume, "Recycle failed: failed to recycle volume: " + why);
  }

  private Outcome failedOnce(Volume volume, String message) throws InterruptedException {
    failedAt.put(volume.key(), ports.time().nanos());
    return failed(volume, Reason.RECYCLE_FAILED, message);
  }

  private Outcome failed(Volume volume, Reason why, String message) throws InterruptedException {
    Outcome written =
        Results.outcome(
            "setting volume " + volume.meta().name() + " Failed",
            binding.phase(volume, VolumePhase.FAILED, message));
    if (written instanceof Outcome.Settled) {
      narrator.recycleFailed(volume, why, message);
    }
    return written;
  }
}
