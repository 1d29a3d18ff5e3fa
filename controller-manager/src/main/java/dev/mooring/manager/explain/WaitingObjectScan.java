package dev.mooring.manager.explain;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Scan for waiting objects in one view of a cluster. Skips classes, attachments and nodes if a kind
 * that their explanations need cannot be read. Otherwise each of them would report only that.
 */
public final class WaitingObjectScan {
  private final ClusterView clusterView;
  private final List<ClusterExplainers> explainers; // of that view; one per thread
  private final String namespace;
  private final List<Explanation> explanations = new ArrayList<>();
  private final Map<Kind<?>, Optional<Kind<?>>> unreadableKinds = new HashMap<>();
  private final Map<Kind<?>, Set<Kind<?>>> skipped = new LinkedHashMap<>();
  private int objectCount;

  private record Evaluation(int objects, List<Explanation> waiting) {
    static final Evaluation NONE = new Evaluation(0, List.of());
  }

  public WaitingObjectScan(
      ClusterView clusterView, List<ClusterExplainers> explainers, String namespace) {
    this.clusterView = clusterView;
    this.explainers = explainers;
    this.namespace = namespace;
  }

  public void scan(Kind<?> kind) throws InterruptedException {
    if (isSkipped(kind)) {
      return;
    }
    List<ObjectKey> keys = new ArrayList<>();
    for (Resource object : clusterView.informer(kind).snapshot().objects()) {
      ObjectKey key = object.key();
      if (namespace.isEmpty() || !kind.namespaced() || key.namespace().equals(namespace)) {
        keys.add(key);
      }
    }
    for (Evaluation part : evaluateParts(kind, keys)) {
      objectCount += part.objects();
      explanations.addAll(part.waiting());
    }
  }

  public List<Explanation> evaluate(Kind<?> kind, ObjectKey key) throws InterruptedException {
    if (isSkipped(kind)) {
      return List.of();
    }
    Evaluation evaluation = evaluate(kind, key, explainers.getFirst());
    objectCount += evaluation.objects();
    return evaluation.waiting();
  }

  private List<Evaluation> evaluateParts(Kind<?> kind, List<ObjectKey> keys)
      throws InterruptedException {
    int parts = explainers.size();
    List<Callable<Evaluation>> tasks = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      ClusterExplainers ofPart = explainers.get(i);
      List<ObjectKey> keysOfPart =
          keys.subList(
              (int) ((long) keys.size() * i / parts), (int) ((long) keys.size() * (i + 1) / parts));
      tasks.add(() -> evaluate(kind, keysOfPart, ofPart));
    }
    List<Evaluation> evaluations = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Evaluation> part : executor.invokeAll(tasks)) {
        evaluations.add(part.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return evaluations;
  }

  private static Evaluation evaluate(
      Kind<?> kind, List<ObjectKey> keys, ClusterExplainers explainers)
      throws InterruptedException {
    int objects = 0;
    List<Explanation> waiting = new ArrayList<>();
    for (ObjectKey key : keys) {
      Evaluation evaluation = evaluate(kind, key, explainers);
      objects += evaluation.objects();
      waiting.addAll(evaluation.waiting());
    }
    return new Evaluation(objects, waiting);
  }

  private static Evaluation evaluate(Kind<?> kind, ObjectKey key, ClusterExplainers explainers)
      throws InterruptedException {
    List<Explanation> objectExplanations = explainers.explain(kind, key, Detail.SUMMARY);
    if (!ClusterExplainers.MAIN_KINDS.contains(kind)
        && objectExplanations.stream().anyMatch(e -> e.cause().rank() == CauseRank.UNKNOWN)) {
      return Evaluation.NONE;
    }
    return new Evaluation(1, objectExplanations.stream().filter(Explanation::isWaiting).toList());
  }

  public boolean isSkipped(Kind<?> kind) {
    Optional<Kind<?>> unreadable =
        unreadableKinds.computeIfAbsent(
            kind,
            k -> ClusterExplainers.MAIN_KINDS.contains(k) ? Optional.empty() : unreadableKind(k));
    unreadable.ifPresent(d -> skipped.computeIfAbsent(d, k -> new LinkedHashSet<>()).add(kind));
    return unreadable.isPresent();
  }

  // Returns an unreadable kind that the explanations need. Leases are optional.
  private Optional<Kind<?>> unreadableKind(Kind<?> kind) {
    return Stream.concat(Kind.ALL.stream(), Kind.SNAPSHOT_KINDS.stream())
        .<Kind<?>>map(k -> k)
        .filter(ClusterExplainers.readKinds(List.of(kind))::contains)
        .filter(k -> !k.equals(Kind.LEASE) && clusterView.readError(k).isPresent())
        .findFirst();
  }

  public List<Explanation> explanations() {
    return List.copyOf(explanations);
  }

  public int objectCount() {
    return objectCount;
  }

  public List<UnreadableKind> unseen() {
    return skipped.entrySet().stream()
        .map(e ->
            new UnreadableKind(
                e.getKey(),
                clusterView.readError(e.getKey()).orElse(""),
                "whether "
                    + e.getValue().stream().map(Kind::plural).collect(Collectors.joining(", "))
                    + " wait"))
        .toList();
  }
}
