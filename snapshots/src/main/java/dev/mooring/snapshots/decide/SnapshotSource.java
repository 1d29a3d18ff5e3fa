package dev.mooring.snapshots.decide;

import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.migration.DriverVolumes;
import java.util.Optional;

/** Of what a snapshot is made. */
final class SnapshotSource {
  private SnapshotSource() {}

  static SourceClaim of(SnapshotView view) {
    return new SourceClaim(view.snapshot().sourceClaim(), view.claim(), view.volume());
  }

  /** The class by default, which is that volume's driver's. */
  static SnapshotStep defaultClass(SnapshotView view) {
    String flaw = of(view).flaw(Words.SNAPSHOT);
    if (!flaw.isEmpty()) {
      return Words.SNAPSHOT.noDefault(flaw);
    }
    Volume volume = view.volume().orElseThrow();
    return Words.SNAPSHOT.byDefault(
        view.classes().stream()
            .filter(SnapshotClass::isDefault)
            .filter(c -> DriverVolumes.handle(volume, c.driver()).isPresent())
            .map(c -> c.meta().name())
            .toList());
  }

  /** The content, or why there can be none. */
  static SnapshotStep content(SnapshotView view, SnapshotClass snapshotClass) {
    Volume volume = view.volume().orElseThrow();
    Optional<String> handle = DriverVolumes.handle(volume, snapshotClass.driver());
    if (handle.isEmpty()) {
      return SnapshotDecider.failed(
          "volume "
              + volume.meta().name()
              + " is none of CSI driver "
              + snapshotClass.driver()
              + ", which class "
              + snapshotClass.meta().name()
              + " is for");
    }
    if (snapshotClass.policy() == ReclaimPolicy.UNKNOWN) {
      return SnapshotDecider.failed(
          "class " + snapshotClass.meta().name() + " has no deletionPolicy that is known");
    }
    VolumeSnapshot snapshot = view.snapshot();
    String name = snapshot.nameOfOwnContent();
    Secret secret =
        SnapshotParameters.secret(
            snapshotClass.parameters(), Purpose.SNAPSHOTTER, name, Optional.of(snapshot.key()));
    return secret.flaw().isEmpty()
        ? new SnapshotStep.CreateContent(name, snapshotClass, volume, handle.get(), secret)
        : SnapshotDecider.failed(secret.flaw());
  }
}
