package dev.mooring.manager.uninstall;

import dev.mooring.binder.RecyclerPods;
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
import dev.mooring.manager.uninstall.Leftover.Fate;
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
 * Finds what Mooring left on objects, and takes off what does not stay. Lists are read in pages,
 * and of objects that have nothing nothing is kept. Before each write the object is read again and
 * judged anew, and the server takes the write for just that version: so it can be interrupted, and
 * run again, at any time. No volume's data, binding or policy is ever written. For one thread.
 */
public final class Uninstall {
  private static final int TRIES = 5;

  private final KubeConnection connection;
  private final LiveReader reader;
  private final ClusterWriter writer;
  private final UninstallConfig config;
  private final Leadership leadership;

  /** Over that connection. Nothing is sent yet. */
  public Uninstall(KubeConnection connection, Time time, UninstallConfig config) {
    KubeCluster cluster = KubeCluster.alone(connection, time);
    this.connection = connection;
    this.reader = cluster;
    this.writer = cluster;
    this.config = config;
    this.leadership = new Leadership(cluster, time, config.lease());
  }

  /** Who seems to lead, at first sight. */
  public Optional<String> leaderAtFirstSight() throws IOException, InterruptedException {
    return leadership.atFirstSight();
  }

  /** Who leads; waits until a Lease that is held has been renewed, or not been for its time. */
  public Optional<String> leader() throws IOException, InterruptedException {
    return leadership.observed();
  }

  /**
   * Everything of Mooring's that is there, in the order in which it is to be removed.
   *
   * @throws IOException if something cannot be read
   */
  public List<Leftover> look() throws IOException, InterruptedException {
    List<Leftover> found = new ArrayList<>();
    Set<String> volumes = new HashSet<>();
    found.addAll(each(Kind.CLAIM, Leftovers::on));
    found.addAll(
        each(
            Kind.VOLUME,
            volume -> {
              volumes.add(volume.meta().name());
              return Leftovers.on(volume, config.givenBack());
            }));
    for (String namespace : config.recyclerNamespaces()) {
      found.addAll(pods(namespace, volumes));
    }
    if (!config.podsNamespace().isEmpty()) {
      found.addAll(helpers(config.podsNamespace()));
    }
    if (leadership.lease().isPresent()) {
      found.add(Leftovers.lease(config.lease()));
    }
    return found.stream().map(this::asAskedFor).toList();
  }

  private Leftover asAskedFor(Leftover leftover) {
    return config.forget() && leftover.fate() == Fate.STAYS
        ? new Leftover(leftover.kind(), leftover.key(), leftover.what(), Fate.GOES, leftover.why())
        : leftover;
  }

  private <T extends Resource> List<Leftover> each(
      Kind<T> kind, Function<T, List<Leftover>> judging) throws IOException, InterruptedException {
    KubeListWatch<T> lists = new KubeListWatch<>(connection, kind);
    try {
      return listed(lists, judging);
    } catch (ListWatchException e) {
      try {
        if (e.why() == Why.EXPIRED) { // pages took longer than the server keeps them
          return listed(lists, judging);
        }
        throw e;
      } catch (ListWatchException again) {
        throw new IOException("cannot list " + kind.plural() + ": " + again.getMessage(), again);
      }
    }
  }

  private static <T extends Resource> List<Leftover> listed(
      KubeListWatch<T> lists, Function<T, List<Leftover>> judging)
      throws ListWatchException, InterruptedException {
    List<Leftover> found = new ArrayList<>();
    Consumer<T> judge = object -> found.addAll(judging.apply(object));
    lists.list(judge);
    return found;
  }

  private List<Leftover> pods(String namespace, Set<String> volumes)
      throws IOException, InterruptedException {
    return podsIn(namespace).stream()
        .flatMap(pod ->
            RecyclerPods.emptiedBy(pod, volumes).stream()
                .map(volume -> Leftovers.recycler(pod, volume)))
        .toList();
  }

  /** Of lists of pods their labels are not kept: those whose names may be ours are read whole. */
  private List<Leftover> helpers(String namespace) throws IOException, InterruptedException {
    List<Leftover> found = new ArrayList<>();
    for (ObjectKey pod : podsIn(namespace)) {
      if (HelperPods.mayBeOne(pod)) {
        answered(reader.readWhole(Kind.POD, pod), "cannot read pod " + pod)
            .flatMap(HelperPods::component)
            .ifPresent(component -> found.add(Leftovers.helper(pod, component)));
      }
    }
    return found;
  }

  private List<ObjectKey> podsIn(String namespace) throws IOException, InterruptedException {
    return answered(reader.list(Kind.POD, namespace), "cannot list pods in " + namespace)
        .orElse(List.of())
        .stream()
        .map(pod -> pod.meta().key())
        .toList();
  }

  /** What was read; empty if there is none. */
  static <T> Optional<T> answered(ReadResult<T> read, String otherwise) throws IOException {
    if (read instanceof ReadResult.Failed<T>(String message)) {
      throw new IOException(otherwise + ": " + message);
    }
    return read.found();
  }

  /**
   * Removes it, if it is still there.
   *
   * @return why that did not work, if it did not
   */
  public Optional<String> remove(Leftover leftover) throws InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      WriteResult<?> result = removed(leftover);
      switch (result) {
        case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> {
          return Optional.empty();
        }
        case WriteResult.Rejected<?>(int code, String message) -> {
          return Optional.of("the server refused it (" + code + "): " + message);
        }
        case WriteResult.Unreachable<?>(String message) -> {
          return Optional.of(message);
        }
        case WriteResult.Conflict<?> _ -> {} // read again, and judged again
      }
    }
    return Optional.of("it was changed again and again meanwhile");
  }

  private WriteResult<?> removed(Leftover leftover) throws InterruptedException {
    ObjectKey key = leftover.key();
    if (leftover.kind().equals(Kind.LEASE)) {
      return live(
          Kind.LEASE,
          key,
          lease ->
              leadership.isFresh(lease)
                  ? new WriteResult.Unreachable<Lease>(lease.holder() + " holds it by now")
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

  /** Writes, given the object as it is. */
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

  private WriteResult<?> withoutMark(Claim claim, Leftover leftover) throws InterruptedException {
    if (!stillGoes(Leftovers.on(claim), leftover)) {
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

  private WriteResult<?> withoutMark(Volume volume, Leftover leftover) throws InterruptedException {
    return stillGoes(Leftovers.on(volume, config.givenBack()), leftover)
        ? withoutMark(Kind.VOLUME, volume.meta(), leftover)
        : new WriteResult.Gone<Volume>();
  }

  private <T extends Resource> WriteResult<T> withoutMark(
      Kind<T> kind, Meta meta, Leftover leftover) throws InterruptedException {
    String name = leftover.what().name();
    Document patch = Document.patchOf(meta);
    switch (leftover.what().place()) {
      case "finalizer" -> {
        List<String> left = meta.finalizersWithout(name);
        patch.set(left.isEmpty() ? null : left, "metadata", "finalizers");
      }
      case "label" -> patch.set(null, "metadata", "labels", name);
      case "annotation" -> patch.set(null, "metadata", "annotations", name);
      default -> throw new IllegalStateException("nobody takes off " + leftover.subject());
    }
    return writer.patch(kind, meta.key(), patch);
  }

  private boolean stillGoes(List<Leftover> now, Leftover leftover) {
    return now.stream()
        .map(this::asAskedFor)
        .anyMatch(one -> one.what().equals(leftover.what()) && one.fate() == Fate.GOES);
  }
}
