package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Snapshots and their sources. */
final class SnapshotObjects {
  static final String DRIVER = "csi.example.com";
  static final Uid UID = Uid.of("11111111-1111-1111-1111-111111111111");
  static final ObjectKey KEY = new ObjectKey("default", "s");
  static final String OWN = "snapcontent-" + UID;

  private SnapshotObjects() {}

  static Meta meta(ObjectKey key, Uid uid, boolean deleted, List<String> finalizers) {
    return TestObjects.metaOf(key)
        .uid(uid)
        .created(1)
        .deleted(deleted ? 2 : 0)
        .finalizers(finalizers)
        .meta();
  }

  static VolumeSnapshot snapshot(String claim, String content, String className) {
    return TestObjects.volumeSnapshot(
            meta(KEY, UID, false, List.of(VolumeSnapshot.SOURCE_PROTECTION)))
        .sourceClaim(claim)
        .sourceContent(content)
        .className(className)
        .build();
  }

  static VolumeSnapshot.Status status(String content, boolean isReady, long created) {
    return new VolumeSnapshot.Status(content, isReady, created, Optional.empty(), Problem.NONE, "");
  }

  static SnapshotContent content(
      String name, Uid uid, SnapshotContent.Source source, SnapshotContent.Status status) {
    return TestObjects.snapshotContent(meta(ObjectKey.cluster(name), Uid.of("c"), false, List.of()))
        .snapshot(new SnapshotContent.Ref(KEY, uid))
        .driver(DRIVER)
        .source(source)
        .mode(Optional.of(VolumeMode.FILESYSTEM))
        .status(status)
        .build();
  }

  static SnapshotContent.Source ofVolume() {
    return new SnapshotContent.Source("vol-1", "");
  }

  static SnapshotContent.Source ofSnapshot() {
    return new SnapshotContent.Source("", "snap-1");
  }

  static SnapshotClass snapshotClass(
      String name, String driver, boolean byDefault, Map<String, String> parameters) {
    return TestObjects.snapshotClass(ObjectKey.cluster(name))
        .uid(name)
        .created(1)
        .annotations(Map.of(SnapshotClass.DEFAULT, Boolean.toString(byDefault)))
        .driver(driver)
        .parameters(parameters)
        .build();
  }

  static Claim claim(ClaimPhase phase, boolean deleted, List<String> finalizers) {
    return TestObjects.claim(meta(new ObjectKey("default", "a"), Uid.of("a"), deleted, finalizers))
        .storageClass("now")
        .volumeName("pv")
        .phase(phase)
        .build();
  }

  static Claim heldClaim() {
    return claim(ClaimPhase.BOUND, false, List.of(VolumeSnapshot.CLAIM_PROTECTION));
  }

  static Volume volume(VolumeSource source, Uid claim) {
    return TestObjects.volume(meta(ObjectKey.cluster("pv"), Uid.of("pv"), false, List.of()))
        .capacity(Map.of())
        .source(source)
        .claimRef(new ClaimRef(new ObjectKey("default", "a"), claim))
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .storageClass("now")
        .volumeMode(VolumeMode.BLOCK)
        .phase(VolumePhase.BOUND)
        .build();
  }

  static Volume volume() {
    return volume(VolumeSource.csi(DRIVER, "vol-1"), Uid.of("a"));
  }
}
