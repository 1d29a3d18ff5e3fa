package dev.mooring.manager.console;

import dev.mooring.binder.MovingIndex;
import dev.mooring.binder.decide.Policy;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.console.view.Extension;
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.Moment;
import dev.mooring.console.view.Outage;
import dev.mooring.console.view.Standing;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Measure;
import dev.mooring.explain.Sight;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.informer.Selecting;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.audit.AuditLine;
import dev.mooring.manager.explain.ClusterSight;
import dev.mooring.manager.explain.Explainers;
import dev.mooring.manager.explain.ExplanationTree;
import dev.mooring.manager.explain.FrozenSight;
import dev.mooring.manager.explain.TimelineText;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.Plugins;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A cluster that is followed by watches: those that run already, and its own for the kinds that
 * nobody else here reads. It writes nothing. Thread-safe.
 */
public final class WatchedCluster implements FollowedCluster {
  /** Nodes' heartbeats are of no use to anybody here, and there are many. */
  private static final String NO_HEARTBEATS = "metadata.namespace!=kube-node-lease";

  /**
   * Where it is read.
   *
   * @param connection lists and watches
   * @param reader asks for single objects
   * @param events asks what was said of an object
   * @param plugins the plugins that the cluster's controllers are taken to have
   * @param time the clock
   */
  public record Source(
      KubeConnection connection,
      LiveReader reader,
      EventReader events,
      Plugins plugins,
      Time time) {}

  /**
   * What there is besides objects.
   *
   * @param compat as whose the cluster's controllers decide
   * @param facts what is known of the process, now
   * @param extensions the plugins and drivers that it has, now
   * @param alarm what somebody has to look at; "" for nothing
   * @param done what the process did to an object last, the oldest first
   */
  public record Process(
      Compat compat,
      Supplier<List<Measure>> facts,
      Supplier<List<Extension>> extensions,
      Supplier<String> alarm,
      BiFunction<Kind<?>, ObjectKey, List<AuditLine>> done) {
    /** Of a process that does nothing. */
    public Process(Compat compat, Supplier<List<Measure>> facts, Supplier<String> alarm) {
      this(compat, facts, List::of, alarm, (kind, key) -> List.of());
    }
  }

  /**
   * A kind that is followed.
   *
   * @param informer what is known of it
   * @param reflector who keeps that up to date
   */
  public record Watched<T extends Resource>(Informer<T> informer, Reflector<T> reflector) {}

  private final Source source;
  private final Process process;
  private final LastEvents events;
  private final MovingIndex index;
  private final Map<Kind<?>, Watched<?>> watched = new HashMap<>();
  private final List<Reflector<?>> own = new ArrayList<>();
  private final Sight sight = new Live();
  private final OutageWatch outages;

  /**
   * One that follows nothing by itself yet.
   *
   * @param running what is followed already
   */
  public WatchedCluster(Source source, Process process, List<Watched<?>> running) {
    this.source = source;
    this.process = process;
    this.events = new LastEvents(source.events(), source.time());
    this.index = new MovingIndex(new Policy(process.compat(), true));
    running.forEach(one -> watched.putIfAbsent(one.informer().kind(), one));
    for (Kind<?> kind : Explainers.READ) {
      watched.computeIfAbsent(kind, this::follow);
    }
    this.outages = new OutageWatch(this::failures, source.connection()::outage, source.time());
  }

  private long failures() {
    return watched.values().stream().mapToLong(one -> one.reflector().failures()).sum();
  }

  @Override
  public void onOutage(Consumer<Optional<Outage>> listener) {
    outages.onChange(listener);
  }

  private <T extends Resource> Watched<T> follow(Kind<T> kind) {
    Informer<T> informer = new Informer<>(kind, ClusterSight.indexes(kind));
    Reflector<T> reflector =
        new Reflector<>(
            informer,
            selected(
                new KubeListWatch<>(
                    source.connection(), kind, kind.equals(Kind.LEASE) ? NO_HEARTBEATS : "")),
            source.time(),
            () -> ThreadLocalRandom.current().nextDouble());
    own.add(reflector);
    return new Watched<>(informer, reflector);
  }

  /** Of pods only those that use volumes are kept. */
  private static <T extends Resource> ListWatch<T> selected(ListWatch<T> all) {
    return new Selecting<>(all, object -> !(object instanceof Pod pod) || pod.usesVolumes());
  }

  /** Begins to follow what nobody else here does. */
  public void start() {
    own.forEach(Reflector::start);
    outages.start();
  }

  /** Ends that. */
  public void stop() throws InterruptedException {
    outages.stop();
    for (Reflector<?> reflector : own) {
      reflector.stop();
    }
  }

  @Override
  public Sight sight() {
    return sight;
  }

  @Override
  public Set<Kind<?>> kinds() {
    return Explainers.READ;
  }

  @Override
  public boolean isListed() {
    return Explainers.READ.stream()
        .map(this::watched)
        .allMatch(one -> one.informer().isSynced() || one.reflector().failures() > 0);
  }

  /** What is the matter with the watches, if what is known may be old. */
  private String trouble() {
    return Explainers.READ.stream()
        .map(this::watched)
        .filter(one -> one.informer().isSynced() && !one.reflector().lastFailure().isEmpty())
        .findFirst()
        .map(one ->
            one.informer().kind().plural()
                + " cannot be followed, what is here may be old: "
                + one.reflector().lastFailure())
        .orElse("");
  }

  @Override
  public Moment moment() {
    Sight frozen = new FrozenSight(sight, Explainers.READ);
    return new ExplainedMoment(
        frozen, new Explainers(frozen, process.compat(), source.time(), index));
  }

  @Override
  public Standing standing() {
    String alarm = process.alarm().get();
    return new Standing(
        source.connection().address(),
        process.facts().get(),
        process.extensions().get(),
        alarm.isEmpty() ? trouble() : alarm);
  }

  @Override
  public Map<String, Object> tree(Explanation explanation) {
    return ExplanationTree.tree(explanation);
  }

  @Override
  public List<Explanation> withEvents(List<Explanation> explanations, Resource object)
      throws InterruptedException {
    return explanations.isEmpty()
        ? explanations
        : TimelineText.added(
            events.added(explanations, object),
            object.key(),
            process.done().apply(explanations.getFirst().subject().kind(), object.key()));
  }

  private Watched<?> watched(Kind<?> kind) {
    Watched<?> found = watched.get(kind);
    if (found == null) {
      throw new IllegalArgumentException(kind + " is not followed");
    }
    return found;
  }

  /** What is known now. */
  private final class Live implements Sight {
    @Override
    @SuppressWarnings("unchecked") // each was filed under its own kind
    public <T extends Resource> Informer<T> informer(Kind<T> kind) {
      return (Informer<T>) watched(kind).informer();
    }

    @Override
    public Optional<String> unseen(Kind<?> kind) {
      Watched<?> of = watched(kind);
      if (of.informer().isSynced()) {
        return Optional.empty();
      }
      String failure = of.reflector().lastFailure();
      return Optional.of(failure.isEmpty() ? "it is still being listed" : failure);
    }

    @Override
    public LiveReader reader() {
      return source.reader();
    }

    @Override
    public EventReader events() {
      return events::about;
    }

    @Override
    public Plugins plugins() {
      return source.plugins();
    }
  }
}
