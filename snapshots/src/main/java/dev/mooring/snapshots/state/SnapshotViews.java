package dev.mooring.snapshots.state;

import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.SnapshotView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks up the objects of a snapshot in the caches. Thread-safe.
 *
 * @param snapshots indexed by this class
 */
public record SnapshotViews(
    Informer<VolumeSnapshot> snapshots,
    Informer<SnapshotContent> contents,
    Informer<SnapshotClass> classes,
    Informer<Claim> claims,
    Informer<Volume> volumes) {
  // Snapshots by source claim.
  private static final Index<VolumeSnapshot, ObjectKey> BY_CLAIM =
      new Index<>(
          "claim",
          snapshot -> snapshot.sourceClaim().isEmpty() ? List.of() : List.of(claimOf(snapshot)));

  // Snapshots by the name of their content.
  private static final Index<VolumeSnapshot, String> BY_CONTENT =
      new Index<>("content", snapshot -> List.of(SnapshotView.contentName(snapshot)));

  public static final Index<VolumeSnapshot, ObjectKey> BY_GROUP =
      new Index<>(
          "group",
          snapshot ->
              snapshot.status().group().isEmpty()
                  ? List.of()
                  : List.of(new ObjectKey(snapshot.key().namespace(), snapshot.status().group())));

  public static final Index<VolumeSnapshot, String> UNASSIGNED_MEMBERS =
      new Index<>(
          "of some group",
          snapshot ->
              snapshot.isGroupMember() && snapshot.status().group().isEmpty()
                  ? List.of(snapshot.key().namespace())
                  : List.of());

  // Contents that need their volume, by volume handle at any driver.
  private static final Index<SnapshotContent, String> NEEDING_VOLUME =
      new Index<>(
          "needed volume",
          content ->
              ContentDecider.needsItsVolume(content)
                  ? List.of(content.source().volumeHandle())
                  : List.of());

  // Volumes by handle at any driver.
  static final Index<Volume, String> BY_HANDLE =
      new Index<>(
          "handle",
          volume ->
              volume.source().type().equals("csi")
                  ? List.of(volume.source().attribute("volumeHandle"))
                  : List.of());

  public static final Index<Claim, String> HELD_CLAIMS =
      new Index<>(
          "held for a snapshot",
          claim ->
              claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)
                  ? List.of(claim.key().namespace())
                  : List.of());

  public SnapshotViews(SharedInformers informers) {
    this(
        informers.of(Kind.SNAPSHOT, BY_CLAIM, BY_CONTENT),
        informers.of(Kind.SNAPSHOT_CONTENT, NEEDING_VOLUME),
        informers.of(Kind.SNAPSHOT_CLASS),
        informers.of(Kind.CLAIM, HELD_CLAIMS),
        informers.of(Kind.VOLUME, BY_HANDLE));
  }

  public static ObjectKey claimOf(VolumeSnapshot snapshot) {
    return new ObjectKey(snapshot.key().namespace(), snapshot.sourceClaim());
  }

  public SnapshotView buildView(VolumeSnapshot snapshot) {
    Optional<Claim> claim = claims.get(claimOf(snapshot));
    return new SnapshotView(
        snapshot,
        contents.get(ObjectKey.cluster(SnapshotView.contentName(snapshot))),
        claim,
        claim.flatMap(c -> volumes.get(ObjectKey.cluster(c.volumeName()))),
        classes.snapshot().toList());
  }

  public Iterable<VolumeSnapshot> findByClaim(ObjectKey claim) {
    return snapshots.findByIndex(BY_CLAIM, claim);
  }

  public Iterable<Claim> findHeldClaims(String namespace) {
    return claims.findByIndex(HELD_CLAIMS, namespace);
  }

  public Optional<Volume> findVolume(Claim claim) {
    return volumes
        .get(ObjectKey.cluster(claim.volumeName()))
        .filter(volume -> volume.source().type().equals("csi"));
  }

  public List<ObjectKey> findClaims(String driver, List<String> handles) {
    List<ObjectKey> keys = new ArrayList<>();
    for (String handle : handles) {
      for (Volume volume : volumes.findByIndex(BY_HANDLE, handle)) {
        ClaimRef ref = volume.claimRef();
        if (ref != null && volume.source().attribute("driver").equals(driver)) {
          keys.add(ref.claim());
        }
      }
    }
    return keys;
  }

  public boolean isNeededByContent(Claim claim) {
    Optional<Volume> volume = findVolume(claim);
    if (volume.isPresent()) {
      String handle = volume.get().source().attribute("volumeHandle");
      for (SnapshotContent content : contents.findByIndex(NEEDING_VOLUME, handle)) {
        if (ContentDecider.needsVolume(content, volume.get())) {
          return true;
        }
      }
    }
    return false;
  }

  public Iterable<VolumeSnapshot> findByContent(String name) {
    return snapshots.findByIndex(BY_CONTENT, name);
  }
}
