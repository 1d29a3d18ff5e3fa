package dev.mooring.snapshots.state;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.live.RawObject;
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
  private final Map<String, Set<ObjectKey>> unreadClaims = new HashMap<>(); // by namespace
  private final Map<ObjectKey, Set<ObjectKey>> bySnapshot = new HashMap<>();

  public PendingRestores(LiveReader reader) {
    this.reader = reader;
  }

  public synchronized Set<ObjectKey> update(Change<Claim> change) {
    Claim claim = change.object();
    ObjectKey key = claim.key();
    boolean isWaiting =
        !(change instanceof Change.Deleted<Claim>)
            && claim.hasDataSource()
            && (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET);
    PendingRestore pendingRestore = byNamespace.getOrDefault(key.namespace(), Map.of()).get(key);
    if (isWaiting && pendingRestore != null && pendingRestore.uid().equals(claim.meta().uid())) {
      return Set.of();
    }
    Set<ObjectKey> releasedSnapshots =
        pendingRestore == null ? Set.of() : remove(key, pendingRestore);
    if (isWaiting) {
      byNamespace
          .computeIfAbsent(key.namespace(), n -> new TreeMap<>())
          .put(key, new PendingRestore(claim.meta().uid(), null));
      unreadClaims.computeIfAbsent(key.namespace(), n -> new TreeSet<>()).add(key);
    }
    return releasedSnapshots;
  }

  private Set<ObjectKey> remove(ObjectKey claim, PendingRestore pendingRestore) {
    byNamespace.computeIfPresent(
        claim.namespace(),
        (n, restores) -> {
          restores.remove(claim);
          return restores.isEmpty() ? null : restores;
        });
    remove(unreadClaims, claim.namespace(), claim);
    Set<ObjectKey> sources = pendingRestore.snapshots();
    if (sources == null) {
      return Set.of(); // no deletion has waited for it
    }
    sources.forEach(snapshot -> remove(bySnapshot, snapshot, claim));
    return sources;
  }

  private static <K> void remove(Map<K, Set<ObjectKey>> claimsByKey, K key, ObjectKey claim) {
    claimsByKey.computeIfPresent(
        key,
        (k, claims) -> {
          claims.remove(claim);
          return claims.isEmpty() ? null : claims;
        });
  }

  private synchronized List<ObjectKey> findUnread(String namespace) {
    return List.copyOf(unreadClaims.getOrDefault(namespace, Set.of()));
  }

  private synchronized void recordSources(ObjectKey claim, Uid uid, Set<ObjectKey> snapshots) {
    Map<ObjectKey, PendingRestore> restores = byNamespace.getOrDefault(claim.namespace(), Map.of());
    PendingRestore pendingRestore = restores.get(claim);
    if (pendingRestore == null || !pendingRestore.uid().equals(uid)) {
      return; // the cache is ahead of the read, or about to get another claim
    }
    restores.put(claim, new PendingRestore(uid, snapshots));
    remove(unreadClaims, claim.namespace(), claim);
    snapshots.forEach(s -> bySnapshot.computeIfAbsent(s, k -> new TreeSet<>()).add(claim));
  }

  public ReadResult<Optional<ObjectKey>> findRestoringClaim(ObjectKey snapshot)
      throws InterruptedException {
    for (ObjectKey claim : findUnread(snapshot.namespace())) {
      switch (reader.readWhole(Kind.CLAIM, claim)) {
        case ReadResult.Found<Map<String, Object>>(Map<String, Object> members) -> {
          RawObject document = new RawObject(members);
          recordSources(
              claim,
              Uid.of(document.text("metadata", "uid")),
              readSources(claim.namespace(), document.at("spec")));
        }
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

  public ReadResult<Optional<VolumeSnapshot>> findFirstRestored(List<VolumeSnapshot> snapshots)
      throws InterruptedException {
    for (VolumeSnapshot snapshot : snapshots) {
      ReadResult<Optional<ObjectKey>> claim = findRestoringClaim(snapshot.key());
      if (claim instanceof ReadResult.Failed<Optional<ObjectKey>>(String message)) {
        return new ReadResult.Failed<>(message);
      }
      if (claim.toOptional().flatMap(key -> key).isPresent()) {
        return new ReadResult.Found<>(Optional.of(snapshot));
      }
    }
    return new ReadResult.Found<>(Optional.empty());
  }

  private static Set<ObjectKey> readSources(String namespace, RawObject spec) {
    Set<ObjectKey> snapshots = new LinkedHashSet<>();
    toSnapshotKey(namespace, spec.at("dataSource")).ifPresent(snapshots::add);
    toSnapshotKey(namespace, spec.at("dataSourceRef")).ifPresent(snapshots::add);
    return snapshots;
  }

  /**
   * Considers only sources in the claim's namespace: in other namespaces the populator protects the
   * snapshot.
   */
  private static Optional<ObjectKey> toSnapshotKey(String namespace, RawObject reference) {
    return reference.text("apiGroup").equals(Kind.SNAPSHOT.group())
            && reference.text("kind").equals(Kind.SNAPSHOT.kind())
            && (!reference.contains("namespace") || reference.text("namespace").equals(namespace))
            && reference.contains("name")
        ? Optional.of(new ObjectKey(namespace, reference.text("name")))
        : Optional.empty();
  }
}
