package dev.mooring.manager.console;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.explain.MovingIndex;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.console.view.ClusterSnapshot;
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.informer.FilteredListWatch;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.audit.AuditLine;
import dev.mooring.manager.endpoint.AnswerCache;
import dev.mooring.manager.explain.ClusterExplainers;
import dev.mooring.manager.explain.EventEvidence;
import dev.mooring.manager.explain.ExplanationTree;
import dev.mooring.manager.explain.FixedClusterView;
import dev.mooring.manager.explain.ListedClusterView;
import dev.mooring.manager.explain.TimelineText;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.Time;
import java.time.Duration;
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
 * Cluster that is watched by the process's existing reflectors, and by own reflectors for further
 * kinds. Read-only. Thread-safe.
 */
public final class WatchedCluster implements FollowedCluster {
  // Excludes node heartbeats, which are frequent and unused here.
  private static final String NO_HEARTBEATS = "metadata.namespace!=kube-node-lease";

  // Events are read at most once per object and interval, for any number of users.
  private static final Duration EVENTS_LIFE = Duration.ofSeconds(5);

  private static final int MOST_EVENTS = 200;

  public record Source(
      KubeConnection connection,
      LiveReader reader,
      EventReader events,
      LoadedPlugins plugins,
      Time time) {}

  public record Process(
      Compat compat,
      Supplier<List<NamedFact>> facts,
      Supplier<List<StorageExtension>> extensions,
      Supplier<String> alarm,
      BiFunction<Kind<?>, ObjectKey, List<AuditLine>> done) {
    public Process(Compat compat, Supplier<List<NamedFact>> facts, Supplier<String> alarm) {
      this(compat, facts, List::of, alarm, (kind, key) -> List.of());
    }
  }

  public record Watched<T extends Resource>(Informer<T> informer, Reflector<T> reflector) {}

  private final Source source;
  private final Process process;
  private final EventReader events;
  private final MovingIndex index;
  private final Map<Kind<?>, Watched<?>> watched = new HashMap<>();
  private final List<Reflector<?>> own = new ArrayList<>();
  private final ClusterView clusterView = new LiveView();
  private final OutageWatch outages;

  public WatchedCluster(Source source, Process process, List<Watched<?>> running) {
    this.source = source;
    this.process = process;
    AnswerCache<Uid, ReadResult<List<EventReader.PastEvent>>> known =
        new AnswerCache<>(source.time(), EVENTS_LIFE, MOST_EVENTS);
    this.events =
        (key, uid) -> known.<InterruptedException>get(uid, () -> source.events().about(key, uid));
    this.index = new MovingIndex(new BinderPolicy(process.compat(), true));
    running.forEach(one -> watched.putIfAbsent(one.informer().kind(), one));
    for (Kind<?> kind : ClusterExplainers.READ) {
      watched.computeIfAbsent(kind, this::follow);
    }
    this.outages = new OutageWatch(this::failures, source.connection()::outage, source.time());
  }

  private long failures() {
    return watched.values().stream().mapToLong(one -> one.reflector().failures()).sum();
  }

  @Override
  public void onOutage(Consumer<Optional<ApiServerOutage>> listener) {
    outages.onChange(listener);
  }

  private <T extends Resource> Watched<T> follow(Kind<T> kind) {
    Informer<T> informer = new Informer<>(kind, ListedClusterView.indexes(kind));
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

  private static <T extends Resource> ListWatch<T> selected(ListWatch<T> all) {
    return new FilteredListWatch<>(
        all, object -> !(object instanceof Pod pod) || pod.usesVolumes());
  }

  public void start() {
    own.forEach(Reflector::start);
    outages.start();
  }

  public void stop() throws InterruptedException {
    outages.stop();
    for (Reflector<?> reflector : own) {
      reflector.stop();
    }
  }

  @Override
  public ClusterView clusterView() {
    return clusterView;
  }

  @Override
  public Set<Kind<?>> kinds() {
    return ClusterExplainers.READ;
  }

  @Override
  public boolean isListed() {
    return ClusterExplainers.READ.stream()
        .map(this::watched)
        .allMatch(one -> one.informer().isSynced() || one.reflector().failures() > 0);
  }

  private String watchProblem() {
    return ClusterExplainers.READ.stream()
        .map(this::watched)
        .filter(one -> one.informer().isSynced() && !one.reflector().lastFailure().isEmpty())
        .findFirst()
        .map(one ->
            one.informer().kind().plural()
                + " cannot be watched, and the shown objects may be stale: "
                + one.reflector().lastFailure())
        .orElse("");
  }

  @Override
  public ClusterSnapshot takeSnapshot() {
    ClusterView frozen = FixedClusterView.frozen(clusterView, ClusterExplainers.READ);
    return new ExplainedSnapshot(
        frozen, new ClusterExplainers(frozen, process.compat(), source.time(), index));
  }

  @Override
  public ProcessStatus processStatus() {
    String alarm = process.alarm().get();
    return new ProcessStatus(
        source.connection().address(),
        process.facts().get(),
        process.extensions().get(),
        alarm.isEmpty() ? watchProblem() : alarm);
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
        : TimelineText.addActions(
            EventEvidence.addEvents(explanations, object, events),
            object.key(),
            process.done().apply(explanations.getFirst().subject().kind(), object.key()));
  }

  private Watched<?> watched(Kind<?> kind) {
    Watched<?> found = watched.get(kind);
    if (found == null) {
      throw new IllegalArgumentException(kind + " is not watched");
    }
    return found;
  }

  private final class LiveView implements ClusterView {
    @Override
    @SuppressWarnings("unchecked") // the map's key is the kind of the value
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
      return Optional.of(failure.isEmpty() ? "the first list is not complete" : failure);
    }

    @Override
    public LiveReader reader() {
      return source.reader();
    }

    @Override
    public EventReader events() {
      return events;
    }

    @Override
    public LoadedPlugins plugins() {
      return source.plugins();
    }
  }
}
