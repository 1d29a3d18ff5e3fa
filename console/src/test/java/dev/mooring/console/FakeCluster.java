package dev.mooring.console;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.console.view.ClusterSnapshot;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.DataDanger;
import dev.mooring.console.view.DecisionComparison;
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.ProcessStatus;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.storage.LoadedPlugins;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Cluster whose objects and explanations a test supplies. Thread-safe. */
public final class FakeCluster implements FollowedCluster {
  private volatile List<StorageExtension> extensions = List.of();
  private volatile Optional<DecisionComparison> comparison = Optional.empty();
  private volatile boolean listed = true;
  private final Map<Kind<?>, Informer<?>> informers = new ConcurrentHashMap<>();
  private final Map<SubjectRef, List<Explanation>> explanations = new ConcurrentHashMap<>();
  private final Map<ObjectKey, DataDanger> dangers = new ConcurrentHashMap<>();
  private final Set<SubjectRef> failingSubjects = ConcurrentHashMap.newKeySet();
  private final List<Consumer<Optional<ApiServerOutage>>> listeners = new CopyOnWriteArrayList<>();
  private volatile Optional<ApiServerOutage> outage = Optional.empty();
  private volatile Consumer<ObjectKey> onExplain = key -> {};
  private final AtomicInteger snapshotCount = new AtomicInteger();
  private final AtomicInteger explanationCount = new AtomicInteger();

  public FakeCluster() {
    for (ConsoleSection section : ConsoleSection.values()) {
      addInformer(section.kind());
    }
    addInformer(Kind.LEASE);
  }

  private <T extends Resource> void addInformer(Kind<T> kind) {
    informers.put(kind, new Informer<>(kind, List.of()));
  }

  public <T extends Resource> void put(Kind<T> kind, T object) {
    informer(kind).applyOwnWrite(object);
  }

  public void remove(Kind<?> kind, Resource object) {
    informer(kind).applyOwnDeletion(object.key(), object.meta().uid());
  }

  public void explain(SubjectRef subject, Explanation... subjectExplanations) {
    explanations.put(subject, Arrays.asList(subjectExplanations));
  }

  public void setDanger(ObjectKey claim, DataDanger danger) {
    dangers.put(claim, danger);
  }

  @Override
  public Map<ObjectKey, DataDanger> dangers(List<ObjectKey> claims) {
    return claims.stream()
        .filter(dangers::containsKey)
        .collect(Collectors.toMap(key -> key, dangers::get));
  }

  public void setComparison(DecisionComparison newComparison) {
    comparison = Optional.of(newComparison);
  }

  @Override
  public Optional<DecisionComparison> comparison() {
    return comparison;
  }

  public void setListed(boolean isListed) {
    listed = isListed;
  }

  public void setExtensions(StorageExtension... newExtensions) {
    extensions = List.of(newExtensions);
  }

  /** Makes explanations of this object throw. */
  public void failFor(SubjectRef subject) {
    failingSubjects.add(subject);
  }

  /** Registers a callback for every short explanation. */
  public void onExplain(Consumer<ObjectKey> callback) {
    this.onExplain = callback;
  }

  /** Returns the number of short explanations so far. */
  public int explanationCount() {
    return explanationCount.get();
  }

  public int snapshotCount() {
    return snapshotCount.get();
  }

  @SuppressWarnings("unchecked") // the map's key is the kind of the values
  private <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return (Informer<T>) informers.get(kind);
  }

  @Override
  public ClusterView clusterView() {
    return new ClusterView() {
      @Override
      public <T extends Resource> Informer<T> informer(Kind<T> kind) {
        return FakeCluster.this.informer(kind);
      }

      @Override
      public Optional<String> readError(Kind<?> kind) {
        return Optional.empty();
      }

      @Override
      public LiveReader reader() {
        throw new UnsupportedOperationException("this cluster has no API server");
      }

      @Override
      public EventReader events() {
        return (key, uid) -> new ReadResult.Found<>(List.of());
      }

      @Override
      public LoadedPlugins plugins() {
        return LoadedPlugins.NONE;
      }
    };
  }

  @Override
  public Set<Kind<?>> kinds() {
    return informers.keySet().stream().collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public boolean isListed() {
    return listed;
  }

  @Override
  public ClusterSnapshot takeSnapshot() {
    snapshotCount.incrementAndGet();
    return new ClusterSnapshot() {
      @Override
      public ClusterView clusterView() {
        return FakeCluster.this.clusterView();
      }

      @Override
      public List<Explanation> explain(Kind<?> kind, ObjectKey key) {
        return explanations.getOrDefault(new SubjectRef(kind, key), List.of());
      }

      @Override
      public List<Explanation> explainWaiting(Kind<?> kind, ObjectKey key) {
        explanationCount.incrementAndGet();
        onExplain.accept(key);
        if (failingSubjects.contains(new SubjectRef(kind, key))) {
          throw new IllegalStateException("cannot explain " + kind + " " + key);
        }
        return informer(kind).snapshot().get(key).isEmpty()
            ? List.of()
            : explain(kind, key).stream().filter(Explanation::isWaiting).toList();
      }

      @Override
      public List<UnreadableKind> unseen() {
        return List.of();
      }
    };
  }

  public void setOutage(Optional<ApiServerOutage> newOutage) {
    outage = newOutage;
    listeners.forEach(listener -> listener.accept(newOutage));
  }

  @Override
  public void onOutage(Consumer<Optional<ApiServerOutage>> listener) {
    listeners.add(listener);
    outage.ifPresent(now -> listener.accept(Optional.of(now)));
  }

  @Override
  public ProcessStatus processStatus() {
    return new ProcessStatus("https://cluster", List.of(), extensions, "");
  }

  @Override
  public Map<String, Object> tree(Explanation explanation) {
    return Map.of("note", explanation.message());
  }

  @Override
  public List<String> commands(Explanation explanation) {
    return List.of("mooring explain " + explanation.subject().key().name());
  }

  @Override
  public List<Explanation> withEvents(List<Explanation> explanations, Resource object) {
    return explanations;
  }
}
