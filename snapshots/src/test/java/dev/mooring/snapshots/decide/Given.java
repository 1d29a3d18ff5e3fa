package dev.mooring.snapshots.decide;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects for tables. */
final class Given {
  static final String DRIVER = "csi.example.com";
  static final Uid UID = Uid.of("11111111-1111-1111-1111-111111111111");
  static final ObjectKey KEY = new ObjectKey("default", "s");
  static final String OWN = "snapcontent-" + UID;

  private Given() {}

  static Meta meta(ObjectKey key, Uid uid, boolean going, List<String> finalizers) {
    return new Meta(key, uid, 1, 1, going ? 2 : 0, Map.of(), Map.of(), finalizers);
  }

  static VolumeSnapshot snapshot(String claim, String content, String className) {
    return new VolumeSnapshot(
        meta(KEY, UID, false, List.of(VolumeSnapshot.SOURCE_PROTECTION)),
        claim,
        content,
        className,
        VolumeSnapshot.Status.NONE);
  }

  static VolumeSnapshot with(VolumeSnapshot snapshot, Meta meta, VolumeSnapshot.Status status) {
    return new VolumeSnapshot(
        meta, snapshot.sourceClaim(), snapshot.sourceContent(), snapshot.className(), status);
  }

  static VolumeSnapshot.Status status(String content, boolean ready, long created) {
    return new VolumeSnapshot.Status(content, ready, created, Optional.empty(), Problem.NONE, "");
  }

  static SnapshotContent content(
      String name, Uid uid, SnapshotContent.Source source, SnapshotContent.Status status) {
    return new SnapshotContent(
        meta(ObjectKey.cluster(name), Uid.of("c"), false, List.of()),
        new SnapshotContent.Ref(KEY, uid),
        ReclaimPolicy.DELETE,
        DRIVER,
        "",
        source,
        Optional.of(VolumeMode.FILESYSTEM),
        status);
  }

  static SnapshotContent with(SnapshotContent content, ReclaimPolicy policy, Meta meta) {
    return new SnapshotContent(
        meta,
        content.snapshot(),
        policy,
        content.driver(),
        content.className(),
        content.source(),
        content.mode(),
        content.status());
  }

  static SnapshotContent.Source ofVolume() {
    return new SnapshotContent.Source("vol-1", "");
  }

  static SnapshotContent.Source ofSnapshot() {
    return new SnapshotContent.Source("", "snap-1");
  }

  static SnapshotClass snapshotClass(
      String name, String driver, boolean byDefault, Map<String, String> parameters) {
    return new SnapshotClass(
        new Meta(
            ObjectKey.cluster(name),
            Uid.of(name),
            1,
            1,
            0,
            Map.of(),
            Map.of(SnapshotClass.DEFAULT, Boolean.toString(byDefault)),
            List.of()),
        driver,
        parameters,
        ReclaimPolicy.DELETE);
  }

  static Claim claim(ClaimPhase phase, boolean going, List<String> finalizers) {
    return new Claim(
        meta(new ObjectKey("default", "a"), Uid.of("a"), going, finalizers),
        AccessModes.of(List.of("ReadWriteOnce")),
        Quantity.of("1Gi"),
        "now",
        "pv",
        VolumeMode.FILESYSTEM,
        null,
        "",
        false,
        new Claim.Status(phase, List.of(), Map.of(), ""));
  }

  static Claim held() {
    return claim(ClaimPhase.BOUND, false, List.of(VolumeSnapshot.CLAIM_PROTECTION));
  }

  static Volume volume(VolumeSource source, Uid claim) {
    return new Volume(
        meta(ObjectKey.cluster("pv"), Uid.of("pv"), false, List.of()),
        Map.of(),
        source,
        AccessModes.of(List.of("ReadWriteOnce")),
        new ClaimRef(new ObjectKey("default", "a"), claim),
        ReclaimPolicy.DELETE,
        "now",
        VolumeMode.BLOCK,
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  static Volume volume() {
    return volume(VolumeSource.csi(DRIVER, "vol-1"), Uid.of("a"));
  }
}
