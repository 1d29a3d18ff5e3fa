package dev.mooring.manager.uninstall;

import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.peer.LeaderProbe;
import dev.mooring.manager.uninstall.LeftoverObject.RemovalAction;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Finds Mooring's marks and objects, and removes those that are not needed. Lists are paged, and
 * objects without marks are not kept in memory. Each removal reads and evaluates the object again,
 * and writes with its resource version. So an uninstall may be interrupted and repeated at any
 * time. Never writes data, binding or policy of a volume. Not thread-safe.
 */
public final class LeftoverRemoval {
  private static final int MAX_ATTEMPTS = 5;

  private final KubeConnection connection;
  private final LiveReader reader;
  private final ClusterWriter writer;
  private final UninstallConfig config;
  private final LeaderProbe leaderProbe;

  public LeftoverRemoval(KubeConnection connection, Time time, UninstallConfig config) {
    KubeCluster cluster = KubeCluster.alone(connection, time);
    this.connection = connection;
    this.reader = cluster;
    this.writer = cluster;
    this.config = config;
    this.leaderProbe = new LeaderProbe(cluster, time, config.lease());
  }

  public Optional<String> apparentLeader() throws IOException, InterruptedException {
    return leaderProbe.leaderByTimestamps();
  }

  public Optional<String> leader() throws IOException, InterruptedException {
    return leaderProbe.leaderByRenewal();
  }

  public List<LeftoverObject> findLeftovers() throws IOException, InterruptedException {
    List<LeftoverObject> leftovers = new ArrayList<>();
    Set<String> volumes = new HashSet<>();
    leftovers.addAll(evaluateAll(Kind.CLAIM, LeftoverFinder::find));
    leftovers.addAll(
        evaluateAll(
            Kind.VOLUME,
            volume -> {
              volumes.add(volume.meta().name());
              return LeftoverFinder.find(volume, config.handedOverProvisioners());
            }));
    if (config.snapshots()) {
      leftovers.addAll(evaluateAll(Kind.SNAPSHOT_CONTENT, LeftoverFinder::find));
    }
    if (config.nodes()) {
      leftovers.addAll(evaluateAll(Kind.NODE, LeftoverFinder::find));
    }
    for (String namespace : config.recyclerNamespaces()) {
      leftovers.addAll(findRecyclerPods(namespace, volumes));
    }
    if (!config.podsNamespace().isEmpty()) {
      leftovers.addAll(findHelperPods(config.podsNamespace()));
    }
    if (leaderProbe.lease().isPresent()) {
      leftovers.add(LeftoverFinder.lease(config.lease()));
    }
    return leftovers.stream().map(this::applyForget).toList();
  }

  private LeftoverObject applyForget(LeftoverObject leftover) {
    return config.forget() && leftover.action() == RemovalAction.KEEP
        ? new LeftoverObject(
            leftover.kind(),
            leftover.key(),
            leftover.mark(),
            RemovalAction.REMOVE,
            leftover.reason())
        : leftover;
  }

  private <T extends Resource> List<LeftoverObject> evaluateAll(
      Kind<T> kind, Function<T, List<LeftoverObject>> evaluator)
      throws IOException, InterruptedException {
    KubeListWatch<T> lists = new KubeListWatch<>(connection, kind);
    try {
      return listAndEvaluate(lists, evaluator);
    } catch (ListWatchException e) {
      try {
        if (e.reason()
            == Reason.EXPIRED) { // the pages took longer than the server keeps the version
          return listAndEvaluate(lists, evaluator);
        }
        if (e.reason() == Reason.NO_SUCH_RESOURCE && Kind.SNAPSHOT_KINDS.contains(kind)) {
          return List.of(); // the cluster does not serve snapshots
        }
        throw e;
      } catch (ListWatchException retryFailure) {
        throw new IOException(
            "cannot list " + kind.plural() + ": " + retryFailure.getMessage(), retryFailure);
      }
    }
  }

  private static <T extends Resource> List<LeftoverObject> listAndEvaluate(
      KubeListWatch<T> lists, Function<T, List<LeftoverObject>> evaluator)
      throws ListWatchException, InterruptedException {
    List<LeftoverObject> leftovers = new ArrayList<>();
    Consumer<T> collector = object -> leftovers.addAll(evaluator.apply(object));
    lists.list(collector);
    return leftovers;
  }

  private List<LeftoverObject> findRecyclerPods(String namespace, Set<String> volumes)
      throws IOException, InterruptedException {
    return listPods(namespace).stream()
        .flatMap(pod ->
            BinderController.scrubbedVolume(pod, volumes).stream()
                .map(volume -> LeftoverFinder.recyclerPod(pod, volume)))
        .toList();
  }

  // Lists of pods do not contain labels, so pods with a matching name are read individually.
  private List<LeftoverObject> findHelperPods(String namespace)
      throws IOException, InterruptedException {
    List<LeftoverObject> leftovers = new ArrayList<>();
    for (ObjectKey pod : listPods(namespace)) {
      if (HelperPods.isCandidate(pod)) {
        requireAnswer(reader.readWhole(Kind.POD, pod), "cannot read pod " + pod)
            .flatMap(HelperPods::component)
            .ifPresent(component -> leftovers.add(LeftoverFinder.helperPod(pod, component)));
      }
    }
    return leftovers;
  }

  private List<ObjectKey> listPods(String namespace) throws IOException, InterruptedException {
    return requireAnswer(reader.list(Kind.POD, namespace), "cannot list pods in " + namespace)
        .orElse(List.of())
        .stream()
        .map(pod -> pod.meta().key())
        .toList();
  }

  private static <T> Optional<T> requireAnswer(ReadResult<T> result, String problem)
      throws IOException {
    if (result instanceof ReadResult.Failed<T>(String message)) {
      throw new IOException(problem + ": " + message);
    }
    return result.toOptional();
  }

  public Optional<String> remove(LeftoverObject leftover) throws InterruptedException {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      WriteResult<?> result = tryRemove(leftover);
      switch (result) {
        case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> {
          return Optional.empty();
        }
        case WriteResult.Rejected<?>(int code, String message) -> {
          return Optional.of("the API server rejected the write (" + code + "): " + message);
        }
        case WriteResult.Unreachable<?>(String message) -> {
          return Optional.of(message);
        }
        case WriteResult.Conflict<?> _ -> {} // read and evaluate again
      }
    }
    return Optional.of("too many conflicting changes");
  }

  private WriteResult<?> tryRemove(LeftoverObject leftover) throws InterruptedException {
    ObjectKey key = leftover.key();
    if (leftover.kind().equals(Kind.LEASE)) {
      return writeLive(
          Kind.LEASE,
          key,
          lease ->
              leaderProbe.isFresh(lease)
                  ? new WriteResult.Unreachable<Lease>(lease.holder() + " has become its holder")
                  : writer.delete(Kind.LEASE, key, lease.meta().uid()));
    }
    if (leftover.isWhole()) {
      return writeLive(
          leftover.kind(), key, object -> writer.delete(leftover.kind(), key, object.meta().uid()));
    }
    if (leftover.kind().equals(Kind.NODE)) {
      return writeLive(Kind.NODE, key, node -> removeMark(node, leftover));
    }
    if (leftover.kind().equals(Kind.SNAPSHOT_CONTENT)) {
      return writeLive(Kind.SNAPSHOT_CONTENT, key, content -> removeMark(content, leftover));
    }
    return leftover.kind().equals(Kind.CLAIM)
        ? writeLive(Kind.CLAIM, key, claim -> removeMark(claim, leftover))
        : writeLive(Kind.VOLUME, key, volume -> removeMark(volume, leftover));
  }

  @FunctionalInterface
  private interface LiveWrite<T> {
    WriteResult<?> write(T object) throws InterruptedException;
  }

  private <T extends Resource> WriteResult<?> writeLive(
      Kind<T> kind, ObjectKey key, LiveWrite<T> liveWrite) throws InterruptedException {
    return switch (reader.read(kind, key)) {
      case ReadResult.Found<T>(T object) -> liveWrite.write(object);
      case ReadResult.Absent<T> _ -> new WriteResult.Gone<T>();
      case ReadResult.Failed<T>(String message) -> new WriteResult.Unreachable<T>(message);
    };
  }

  private WriteResult<?> removeMark(Claim claim, LeftoverObject leftover)
      throws InterruptedException {
    if (!isStillRemovable(LeftoverFinder.find(claim), leftover)) {
      return new WriteResult.Gone<Claim>();
    }
    if (!leftover.mark().isCondition()) {
      return removeMark(Kind.CLAIM, claim.meta(), leftover);
    }
    Meta meta = claim.meta();
    List<Claim.Condition> remaining =
        claim.status().conditions().stream()
            .filter(condition -> !condition.type().equals(leftover.mark().name()))
            .toList();
    return writer.patchStatus(
        Kind.CLAIM, meta.key(), ClaimConditions.set(Document.patchOf(meta), remaining));
  }

  private WriteResult<?> removeMark(Volume volume, LeftoverObject leftover)
      throws InterruptedException {
    return isStillRemovable(LeftoverFinder.find(volume, config.handedOverProvisioners()), leftover)
        ? removeMark(Kind.VOLUME, volume.meta(), leftover)
        : new WriteResult.Gone<Volume>();
  }

  private WriteResult<?> removeMark(SnapshotContent content, LeftoverObject leftover)
      throws InterruptedException {
    return isStillRemovable(LeftoverFinder.find(content), leftover)
        ? removeMark(Kind.SNAPSHOT_CONTENT, content.meta(), leftover)
        : new WriteResult.Gone<SnapshotContent>();
  }

  private WriteResult<?> removeMark(Node node, LeftoverObject leftover)
      throws InterruptedException {
    return isStillRemovable(LeftoverFinder.find(node), leftover)
        ? removeMark(Kind.NODE, node.meta(), leftover)
        : new WriteResult.Gone<Node>();
  }

  private <T extends Resource> WriteResult<T> removeMark(
      Kind<T> kind, Meta meta, LeftoverObject leftover) throws InterruptedException {
    String name = leftover.mark().name();
    Document patch = Document.patchOf(meta);
    switch (leftover.mark().place()) {
      case "finalizer" -> {
        List<String> remaining = meta.finalizersWithout(name);
        patch.set(remaining.isEmpty() ? null : remaining, "metadata", "finalizers");
      }
      case "label" -> patch.set(null, "metadata", "labels", name);
      case "annotation" ->
          OwnedMarks.removedWith(name)
              .forEach(removed -> patch.set(null, "metadata", "annotations", removed));
      default ->
          throw new IllegalStateException("no removal implemented for " + leftover.subject());
    }
    return writer.patch(kind, meta.key(), patch);
  }

  private boolean isStillRemovable(List<LeftoverObject> current, LeftoverObject leftover) {
    return current.stream()
        .map(this::applyForget)
        .anyMatch(other ->
            other.mark().equals(leftover.mark()) && other.action() == RemovalAction.REMOVE);
  }
}
