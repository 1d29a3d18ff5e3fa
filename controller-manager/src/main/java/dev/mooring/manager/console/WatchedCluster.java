package dev.mooring.manager.console;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.explain.SnapshotIndex;
import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.console.view.ClusterSnapshot;
import dev.mooring.console.view.DataDanger;
import dev.mooring.console.view.DecisionComparison;
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.informer.FilteredListWatch;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListRefusal;
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
import dev.mooring.manager.explain.RemedyCommands;
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
  private static final Duration EVENTS_LIFETIME = Duration.ofSeconds(5);

  private static final int MAX_CACHED_EVENTS = 200;

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
      BiFunction<Kind<?>, ObjectKey, List<AuditLine>> auditLines,
      Duration deletionDelay,
      Supplier<Optional<DecisionComparison>> comparison) {
    public Process(Compat compat, Supplier<List<NamedFact>> facts, Supplier<String> alarm) {
      this(
          compat, facts, List::of, alarm, (kind, key) -> List.of(), Duration.ZERO, Optional::empty);
    }
  }

  public record WatchedKind<T extends Resource>(Informer<T> informer, Reflector<T> reflector) {}

  private final Source source;
  private final Process process;
  private final EventReader events;
  private final SnapshotIndex index;
  private final Map<Kind<?>, WatchedKind<?>> kinds = new HashMap<>();
  private final List<Reflector<?>> ownReflectors = new ArrayList<>();
  private final ClusterView clusterView = new LiveView();
  private final OutageWatch outages;
  private final ClaimDangers dangers;

  public WatchedCluster(Source source, Process process, List<WatchedKind<?>> sharedKinds) {
    this.source = source;
    this.process = process;
    AnswerCache<Uid, ReadResult<List<EventReader.PastEvent>>> cachedEvents =
        new AnswerCache<>(source.time(), EVENTS_LIFETIME, MAX_CACHED_EVENTS);
    this.events =
        (key, uid) ->
            cachedEvents.<InterruptedException>get(uid, () -> source.events().readEvents(key, uid));
    this.index = new SnapshotIndex(new BinderPolicy(process.compat(), true));
    sharedKinds.forEach(kind -> kinds.putIfAbsent(kind.informer().kind(), kind));
    for (Kind<?> kind : ClusterExplainers.ALL_READ_KINDS) {
      kinds.computeIfAbsent(kind, this::newWatchedKind);
    }
    this.dangers =
        new ClaimDangers(clusterView, process.compat(), process.deletionDelay(), source.time());
    this.outages = new OutageWatch(this::failures, source.connection()::outage, source.time());
  }

  private long failures() {
    return kinds.values().stream().mapToLong(kind -> kind.reflector().failures()).sum();
  }

  @Override
  public void onOutage(Consumer<Optional<ApiServerOutage>> listener) {
    outages.onChange(listener);
  }

  private <T extends Resource> WatchedKind<T> newWatchedKind(Kind<T> kind) {
    Informer<T> informer = new Informer<>(kind, ListedClusterView.indexes(kind));
    Reflector<T> reflector =
        new Reflector<>(
            informer,
            filterPods(
                new KubeListWatch<>(
                    source.connection(), kind, kind.equals(Kind.LEASE) ? NO_HEARTBEATS : "")),
            source.time(),
            () -> ThreadLocalRandom.current().nextDouble());
    ownReflectors.add(reflector);
    return new WatchedKind<>(informer, reflector);
  }

  // A cluster may lack the kinds of snapshots; it then has no snapshots.
  private static boolean isAbsent(Informer<?> informer) {
    return Kind.SNAPSHOT_KINDS.contains(informer.kind())
        && informer
            .refusal()
            .filter(refusal -> refusal.cause() == ListRefusal.Cause.NOT_SERVED)
            .isPresent();
  }

  private static <T extends Resource> ListWatch<T> filterPods(ListWatch<T> listWatch) {
    return new FilteredListWatch<>(
        listWatch, object -> !(object instanceof Pod pod) || pod.usesVolumes());
  }

  public void start() {
    ownReflectors.forEach(Reflector::start);
    outages.start();
  }

  public void stop() throws InterruptedException {
    outages.stop();
    for (Reflector<?> reflector : ownReflectors) {
      reflector.stop();
    }
  }

  @Override
  public ClusterView clusterView() {
    return clusterView;
  }

  @Override
  public Set<Kind<?>> kinds() {
    return ClusterExplainers.ALL_READ_KINDS;
  }

  @Override
  public boolean isListed() {
    return ClusterExplainers.ALL_READ_KINDS.stream()
        .map(this::watchedKind)
        .allMatch(kind ->
            kind.informer().isSynced()
                || kind.informer().refusal().isPresent()
                || kind.reflector().failures() > 0);
  }

  private String watchProblem() {
    return ClusterExplainers.ALL_READ_KINDS.stream()
        .map(this::watchedKind)
        .filter(kind -> kind.informer().isSynced() && !kind.reflector().lastFailure().isEmpty())
        .findFirst()
        .map(kind ->
            kind.informer().kind().plural()
                + " cannot be watched, and the shown objects may be stale: "
                + kind.reflector().lastFailure())
        .orElse("");
  }

  @Override
  public ClusterSnapshot takeSnapshot() {
    ClusterView frozen = FixedClusterView.frozen(clusterView, ClusterExplainers.ALL_READ_KINDS);
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
  public Optional<DecisionComparison> comparison() {
    return process.comparison().get();
  }

  @Override
  public Map<String, Object> tree(Explanation explanation) {
    return ExplanationTree.tree(explanation);
  }

  @Override
  public Map<ObjectKey, DataDanger> dangers(List<ObjectKey> claims) {
    return dangers.of(claims);
  }

  @Override
  public List<String> commands(Explanation explanation) {
    return RemedyCommands.ofObject(explanation);
  }

  @Override
  public List<Explanation> withEvents(List<Explanation> explanations, Resource object)
      throws InterruptedException {
    return explanations.isEmpty()
        ? explanations
        : TimelineText.addActions(
            EventEvidence.addEvents(explanations, object, events),
            object.key(),
            process.auditLines().apply(explanations.getFirst().subject().kind(), object.key()));
  }

  private WatchedKind<?> watchedKind(Kind<?> kind) {
    WatchedKind<?> watchedKind = kinds.get(kind);
    if (watchedKind == null) {
      throw new IllegalArgumentException(kind + " is not watched");
    }
    return watchedKind;
  }

  private final class LiveView implements ClusterView {
    @Override
    @SuppressWarnings("unchecked") // the map's key is the kind of the value
    public <T extends Resource> Informer<T> informer(Kind<T> kind) {
      return (Informer<T>) watchedKind(kind).informer();
    }

    @Override
    public Optional<String> readError(Kind<?> kind) {
      WatchedKind<?> watchedKind = watchedKind(kind);
      if (watchedKind.informer().isSynced() || isAbsent(watchedKind.informer())) {
        return Optional.empty();
      }
      String failure = watchedKind.reflector().lastFailure();
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
