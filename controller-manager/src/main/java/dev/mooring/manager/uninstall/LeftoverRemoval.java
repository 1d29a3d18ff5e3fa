package dev.mooring.manager.uninstall;

import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.peer.LeaderProbe;
import dev.mooring.manager.uninstall.LeftoverObject.Fate;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
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
 * Finds Mooring's marks and objects, and removes what need not stay. Lists are paged, and objects
 * without marks are not kept in memory. Each removal reads and evaluates the object again, and
 * writes with its resource version. So an uninstall may be interrupted and repeated at any time.
 * Never writes data, binding or policy of a volume. Not thread-safe.
 */
public final class LeftoverRemoval {
  private static final int TRIES = 5;

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
    List<LeftoverObject> found = new ArrayList<>();
    Set<String> volumes = new HashSet<>();
    found.addAll(each(Kind.CLAIM, LeftoverFinder::on));
    found.addAll(
        each(
            Kind.VOLUME,
            volume -> {
              volumes.add(volume.meta().name());
              return LeftoverFinder.on(volume, config.givenBack());
            }));
    for (String namespace : config.recyclerNamespaces()) {
      found.addAll(pods(namespace, volumes));
    }
    if (!config.podsNamespace().isEmpty()) {
      found.addAll(helpers(config.podsNamespace()));
    }
    if (leaderProbe.lease().isPresent()) {
      found.add(LeftoverFinder.lease(config.lease()));
    }
    return found.stream().map(this::applyForget).toList();
  }

  private LeftoverObject applyForget(LeftoverObject leftover) {
    return config.forget() && leftover.fate() == Fate.KEEP
        ? new LeftoverObject(
            leftover.kind(), leftover.key(), leftover.what(), Fate.REMOVE, leftover.why())
        : leftover;
  }

  private <T extends Resource> List<LeftoverObject> each(
      Kind<T> kind, Function<T, List<LeftoverObject>> evaluation)
      throws IOException, InterruptedException {
    KubeListWatch<T> lists = new KubeListWatch<>(connection, kind);
    try {
      return listed(lists, evaluation);
    } catch (ListWatchException e) {
      try {
        if (e.why() == Why.EXPIRED) { // the pages took longer than the server keeps the version
          return listed(lists, evaluation);
        }
        throw e;
      } catch (ListWatchException again) {
        throw new IOException("cannot list " + kind.plural() + ": " + again.getMessage(), again);
      }
    }
  }

  private static <T extends Resource> List<LeftoverObject> listed(
      KubeListWatch<T> lists, Function<T, List<LeftoverObject>> evaluation)
      throws ListWatchException, InterruptedException {
    List<LeftoverObject> found = new ArrayList<>();
    Consumer<T> collector = object -> found.addAll(evaluation.apply(object));
    lists.list(collector);
    return found;
  }

  private List<LeftoverObject> pods(String namespace, Set<String> volumes)
      throws IOException, InterruptedException {
    return podsIn(namespace).stream()
        .flatMap(pod ->
            BinderController.scrubbedVolume(pod, volumes).stream()
                .map(volume -> LeftoverFinder.recycler(pod, volume)))
        .toList();
  }

  // Lists of pods do not contain labels, so pods with a matching name are read individually.
  private List<LeftoverObject> helpers(String namespace) throws IOException, InterruptedException {
    List<LeftoverObject> found = new ArrayList<>();
    for (ObjectKey pod : podsIn(namespace)) {
      if (HelperPods.mayBeOne(pod)) {
        orThrow(reader.readWhole(Kind.POD, pod), "cannot read pod " + pod)
            .flatMap(HelperPods::component)
            .ifPresent(component -> found.add(LeftoverFinder.helper(pod, component)));
      }
    }
    return found;
  }

  private List<ObjectKey> podsIn(String namespace) throws IOException, InterruptedException {
    return orThrow(reader.list(Kind.POD, namespace), "cannot list pods in " + namespace)
        .orElse(List.of())
        .stream()
        .map(pod -> pod.meta().key())
        .toList();
  }

  private static <T> Optional<T> orThrow(ReadResult<T> read, String otherwise) throws IOException {
    if (read instanceof ReadResult.Failed<T>(String message)) {
      throw new IOException(otherwise + ": " + message);
    }
    return read.found();
  }

  public Optional<String> remove(LeftoverObject leftover) throws InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      WriteResult<?> result = removed(leftover);
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

  private WriteResult<?> removed(LeftoverObject leftover) throws InterruptedException {
    ObjectKey key = leftover.key();
    if (leftover.kind().equals(Kind.LEASE)) {
      return live(
          Kind.LEASE,
          key,
          lease ->
              leaderProbe.isFresh(lease)
                  ? new WriteResult.Unreachable<Lease>(lease.holder() + " has become its holder")
                  : writer.delete(Kind.LEASE, key, lease.meta().uid()));
    }
    if (leftover.isWhole()) {
      return live(
          leftover.kind(), key, object -> writer.delete(leftover.kind(), key, object.meta().uid()));
    }
    return leftover.kind().equals(Kind.CLAIM)
        ? live(Kind.CLAIM, key, claim -> withoutMark(claim, leftover))
        : live(Kind.VOLUME, key, volume -> withoutMark(volume, leftover));
  }

  @FunctionalInterface
  private interface Writing<T> {
    WriteResult<?> of(T object) throws InterruptedException;
  }

  private <T extends Resource> WriteResult<?> live(Kind<T> kind, ObjectKey key, Writing<T> writing)
      throws InterruptedException {
    return switch (reader.read(kind, key)) {
      case ReadResult.Found<T>(T object) -> writing.of(object);
      case ReadResult.Absent<T> _ -> new WriteResult.Gone<T>();
      case ReadResult.Failed<T>(String message) -> new WriteResult.Unreachable<T>(message);
    };
  }

  private WriteResult<?> withoutMark(Claim claim, LeftoverObject leftover)
      throws InterruptedException {
    if (!stillGoes(LeftoverFinder.on(claim), leftover)) {
      return new WriteResult.Gone<Claim>();
    }
    if (!leftover.what().isCondition()) {
      return withoutMark(Kind.CLAIM, claim.meta(), leftover);
    }
    Meta meta = claim.meta();
    List<Claim.Condition> left =
        claim.status().conditions().stream()
            .filter(condition -> !condition.type().equals(leftover.what().name()))
            .toList();
    return writer.patchStatus(
        Kind.CLAIM, meta.key(), ClaimConditions.set(Document.patchOf(meta), left));
  }

  private WriteResult<?> withoutMark(Volume volume, LeftoverObject leftover)
      throws InterruptedException {
    return stillGoes(LeftoverFinder.on(volume, config.givenBack()), leftover)
        ? withoutMark(Kind.VOLUME, volume.meta(), leftover)
        : new WriteResult.Gone<Volume>();
  }

  private <T extends Resource> WriteResult<T> withoutMark(
      Kind<T> kind, Meta meta, LeftoverObject leftover) throws InterruptedException {
    String name = leftover.what().name();
    Document patch = Document.patchOf(meta);
    switch (leftover.what().place()) {
      case "finalizer" -> {
        List<String> left = meta.finalizersWithout(name);
        patch.set(left.isEmpty() ? null : left, "metadata", "finalizers");
      }
      case "label" -> patch.set(null, "metadata", "labels", name);
      case "annotation" -> patch.set(null, "metadata", "annotations", name);
      default ->
          throw new IllegalStateException("no removal implemented for " + leftover.subject());
    }
    return writer.patch(kind, meta.key(), patch);
  }

  private boolean stillGoes(List<LeftoverObject> now, LeftoverObject leftover) {
    return now.stream()
        .map(this::applyForget)
        .anyMatch(one -> one.what().equals(leftover.what()) && one.fate() == Fate.REMOVE);
  }
}
