package dev.mooring.snapshots.observe;

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
 * Finds what a snapshot has to do with. Thread-safe.
 *
 * @param snapshots has the indexes of this class
 */
public record SnapshotViews(
    Informer<VolumeSnapshot> snapshots,
    Informer<SnapshotContent> contents,
    Informer<SnapshotClass> classes,
    Informer<Claim> claims,
    Informer<Volume> volumes) {
  /** Snapshots by the claim that they are made of. */
  private static final Index<VolumeSnapshot, ObjectKey> BY_CLAIM =
      new Index<>(
          "claim",
          snapshot -> snapshot.sourceClaim().isEmpty() ? List.of() : List.of(claimOf(snapshot)));

  /** Snapshots by the name of the content that counts for them. */
  private static final Index<VolumeSnapshot, String> BY_CONTENT =
      new Index<>("content", snapshot -> List.of(SnapshotView.nameOfContent(snapshot)));

  /** Snapshots by the group that they say to be of. */
  public static final Index<VolumeSnapshot, ObjectKey> BY_GROUP =
      new Index<>(
          "group",
          snapshot ->
              snapshot.status().group().isEmpty()
                  ? List.of()
                  : List.of(new ObjectKey(snapshot.key().namespace(), snapshot.status().group())));

  /** Snapshots of groups whose status does not say of which, by their namespace. */
  public static final Index<VolumeSnapshot, String> OF_SOME_GROUP =
      new Index<>(
          "of some group",
          snapshot ->
              snapshot.isOfGroup() && snapshot.status().group().isEmpty()
                  ? List.of(snapshot.key().namespace())
                  : List.of());

  /** Contents that hold their volume, by its id at whichever driver. */
  private static final Index<SnapshotContent, String> HOLDING =
      new Index<>(
          "volume that is held",
          content ->
              ContentDecider.holdsItsVolume(content)
                  ? List.of(content.source().volumeHandle())
                  : List.of());

  /** Volumes by their ids at whichever driver. */
  static final Index<Volume, String> BY_HANDLE =
      new Index<>(
          "handle",
          volume ->
              volume.source().type().equals("csi")
                  ? List.of(volume.source().attribute("volumeHandle"))
                  : List.of());

  /** Claims that are held for a snapshot, by their namespace. */
  public static final Index<Claim, String> HELD =
      new Index<>(
          "held for a snapshot",
          claim ->
              claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)
                  ? List.of(claim.key().namespace())
                  : List.of());

  /** Over these. */
  public SnapshotViews(SharedInformers informers) {
    this(
        informers.of(Kind.SNAPSHOT, BY_CLAIM, BY_CONTENT),
        informers.of(Kind.SNAPSHOT_CONTENT, HOLDING),
        informers.of(Kind.SNAPSHOT_CLASS),
        informers.of(Kind.CLAIM, HELD),
        informers.of(Kind.VOLUME, BY_HANDLE));
  }

  /** The claim that a snapshot is made of. */
  public static ObjectKey claimOf(VolumeSnapshot snapshot) {
    return new ObjectKey(snapshot.key().namespace(), snapshot.sourceClaim());
  }

  /** All that a decision about the snapshot rests on. */
  public SnapshotView of(VolumeSnapshot snapshot) {
    Optional<Claim> claim = claims.get(claimOf(snapshot));
    List<SnapshotClass> all = new ArrayList<>();
    classes.snapshot().all().forEach(all::add);
    return new SnapshotView(
        snapshot,
        contents.get(ObjectKey.cluster(SnapshotView.nameOfContent(snapshot))),
        claim,
        claim.flatMap(c -> volumes.get(ObjectKey.cluster(c.volumeName()))),
        List.copyOf(all));
  }

  /** The snapshots that are made of the claim. */
  public Iterable<VolumeSnapshot> ofClaim(ObjectKey claim) {
    return snapshots.by(BY_CLAIM, claim);
  }

  /** The claims of the namespace that are held for a snapshot or a group. */
  public Iterable<Claim> held(String namespace) {
    return claims.by(HELD, namespace);
  }

  /** The claim's volume, if it is a CSI driver's. */
  public Optional<Volume> volumeOf(Claim claim) {
    return volumes
        .get(ObjectKey.cluster(claim.volumeName()))
        .filter(volume -> volume.source().type().equals("csi"));
  }

  /** The claims of the driver's volumes with those ids. */
  public List<ObjectKey> claimsOf(String driver, List<String> handles) {
    List<ObjectKey> all = new ArrayList<>();
    for (String handle : handles) {
      for (Volume volume : volumes.by(BY_HANDLE, handle)) {
        ClaimRef ref = volume.claimRef();
        if (ref != null && volume.source().attribute("driver").equals(driver)) {
          all.add(ref.claim());
        }
      }
    }
    return all;
  }

  /** Whether a content holds the claim's volume. */
  public boolean isCut(Claim claim) {
    Optional<Volume> volume = volumeOf(claim);
    if (volume.isPresent()) {
      String handle = volume.get().source().attribute("volumeHandle");
      for (SnapshotContent content : contents.by(HOLDING, handle)) {
        if (ContentDecider.holds(content, volume.get())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The snapshots for which the content of that name counts. */
  public Iterable<VolumeSnapshot> ofContent(String name) {
    return snapshots.by(BY_CONTENT, name);
  }
}
