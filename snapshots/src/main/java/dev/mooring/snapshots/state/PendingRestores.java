package dev.mooring.snapshots.state;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Claims that wait for a restore from a snapshot of their namespace. Caches drop the data source of
 * a claim, which never changes. So each claim is read once, when a snapshot of its namespace is to
 * be deleted. Thread-safe.
 */
public final class PendingRestores {
  /**
   * Claim that waits.
   *
   * @param snapshots its sources; null if the claim has not been read
   */
  private record PendingRestore(Uid uid, @Nullable Set<ObjectKey> snapshots) {}

  private final LiveReader reader;
  private final Map<String, Map<ObjectKey, PendingRestore>> byNamespace = new HashMap<>();
  private final Map<String, Set<ObjectKey>> unread = new HashMap<>(); // by namespace
  private final Map<ObjectKey, Set<ObjectKey>> bySnapshot = new HashMap<>();

  public PendingRestores(LiveReader reader) {
    this.reader = reader;
  }

  public synchronized Set<ObjectKey> ended(Change<Claim> change) {
    Claim claim = change.object();
    ObjectKey key = claim.key();
    boolean waits =
        !(change instanceof Change.Deleted<Claim>)
            && claim.hasDataSource()
            && (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET);
    PendingRestore known = byNamespace.getOrDefault(key.namespace(), Map.of()).get(key);
    if (waits && known != null && known.uid().equals(claim.meta().uid())) {
      return Set.of();
    }
    Set<ObjectKey> ended = known == null ? Set.of() : remove(key, known);
    if (waits) {
      byNamespace
          .computeIfAbsent(key.namespace(), n -> new TreeMap<>())
          .put(key, new PendingRestore(claim.meta().uid(), null));
      unread.computeIfAbsent(key.namespace(), n -> new TreeSet<>()).add(key);
    }
    return ended;
  }

  private Set<ObjectKey> remove(ObjectKey claim, PendingRestore known) {
    byNamespace.computeIfPresent(
        claim.namespace(),
        (n, all) -> {
          all.remove(claim);
          return all.isEmpty() ? null : all;
        });
    remove(unread, claim.namespace(), claim);
    Set<ObjectKey> sources = known.snapshots();
    if (sources == null) {
      return Set.of(); // no deletion has waited for it
    }
    sources.forEach(snapshot -> remove(bySnapshot, snapshot, claim));
    return sources;
  }

  private static <K> void remove(Map<K, Set<ObjectKey>> from, K key, ObjectKey claim) {
    from.computeIfPresent(
        key,
        (k, all) -> {
          all.remove(claim);
          return all.isEmpty() ? null : all;
        });
  }

  private synchronized List<ObjectKey> unread(String namespace) {
    return List.copyOf(unread.getOrDefault(namespace, Set.of()));
  }

  private synchronized void record(ObjectKey claim, Uid uid, Set<ObjectKey> snapshots) {
    Map<ObjectKey, PendingRestore> all = byNamespace.getOrDefault(claim.namespace(), Map.of());
    PendingRestore known = all.get(claim);
    if (known == null || !known.uid().equals(uid)) {
      return; // the cache is ahead of the read, or about to get another claim
    }
    all.put(claim, new PendingRestore(uid, snapshots));
    remove(unread, claim.namespace(), claim);
    snapshots.forEach(s -> bySnapshot.computeIfAbsent(s, k -> new TreeSet<>()).add(claim));
  }

  public ReadResult<Optional<ObjectKey>> claimFor(ObjectKey snapshot) throws InterruptedException {
    for (ObjectKey claim : unread(snapshot.namespace())) {
      switch (reader.readWhole(Kind.CLAIM, claim)) {
        case ReadResult.Found<Map<String, Object>>(Map<String, Object> found) ->
            record(claim, uid(found), sources(claim.namespace(), found));
        case ReadResult.Absent<Map<String, Object>> _ -> {} // a watch event follows
        case ReadResult.Failed<Map<String, Object>>(String message) -> {
          return new ReadResult.Failed<>(message);
        }
      }
    }
    synchronized (this) {
      return new ReadResult.Found<>(
          bySnapshot.getOrDefault(snapshot, Set.of()).stream().findFirst());
    }
  }

  public ReadResult<Optional<VolumeSnapshot>> firstRestored(List<VolumeSnapshot> snapshots)
      throws InterruptedException {
    for (VolumeSnapshot snapshot : snapshots) {
      ReadResult<Optional<ObjectKey>> claim = claimFor(snapshot.key());
      if (claim instanceof ReadResult.Failed<Optional<ObjectKey>>(String message)) {
        return new ReadResult.Failed<>(message);
      }
      if (claim.found().flatMap(found -> found).isPresent()) {
        return new ReadResult.Found<>(Optional.of(snapshot));
      }
    }
    return new ReadResult.Found<>(Optional.empty());
  }

  private static Uid uid(Map<String, Object> claim) {
    return claim.get("metadata") instanceof Map<?, ?> meta
        ? Uid.of(String.valueOf(meta.get("uid")))
        : Uid.NONE;
  }

  private static Set<ObjectKey> sources(String namespace, Map<String, Object> claim) {
    Set<ObjectKey> all = new LinkedHashSet<>();
    if (claim.get("spec") instanceof Map<?, ?> spec) {
      snapshot(namespace, spec.get("dataSource")).ifPresent(all::add);
      snapshot(namespace, spec.get("dataSourceRef")).ifPresent(all::add);
    }
    return all;
  }

  /**
   * Considers only sources in the claim's namespace: in other namespaces the populator protects the
   * snapshot.
   */
  private static Optional<ObjectKey> snapshot(String namespace, @Nullable Object source) {
    return source instanceof Map<?, ?> reference
            && Kind.SNAPSHOT.group().equals(reference.get("apiGroup"))
            && Kind.SNAPSHOT.kind().equals(reference.get("kind"))
            && (reference.get("namespace") == null || namespace.equals(reference.get("namespace")))
            && reference.get("name") instanceof String name
        ? Optional.of(new ObjectKey(namespace, name))
        : Optional.empty();
  }
}
