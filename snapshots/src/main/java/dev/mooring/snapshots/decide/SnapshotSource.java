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

final class SnapshotSource {
  private SnapshotSource() {}

  static SourceClaim of(SnapshotView view) {
    return new SourceClaim(view.snapshot().sourceClaim(), view.claim(), view.volume());
  }

  // Chooses the default class of the volume's driver.
  static SnapshotStep defaultClass(SnapshotView view) {
    String flaw = of(view).flaw(SnapshotTerms.SNAPSHOT);
    if (!flaw.isEmpty()) {
      return SnapshotTerms.SNAPSHOT.noDefault(flaw);
    }
    Volume volume = view.volume().orElseThrow();
    return SnapshotTerms.SNAPSHOT.setDefault(
        view.classes().stream()
            .filter(SnapshotClass::isDefault)
            .filter(c -> DriverVolumes.handle(volume, c.driver()).isPresent())
            .map(c -> c.meta().name())
            .toList());
  }

  // The step that creates the content, or the reason for a refusal.
  static SnapshotStep content(SnapshotView view, SnapshotClass snapshotClass) {
    Volume volume = view.volume().orElseThrow();
    Optional<String> handle = DriverVolumes.handle(volume, snapshotClass.driver());
    if (handle.isEmpty()) {
      return SnapshotDecider.failed(
          "volume %s does not belong to CSI driver %s of class %s"
              .formatted(
                  volume.meta().name(), snapshotClass.driver(), snapshotClass.meta().name()));
    }
    if (snapshotClass.policy() == ReclaimPolicy.UNKNOWN) {
      return SnapshotDecider.failed(
          "class " + snapshotClass.meta().name() + " has no known deletionPolicy");
    }
    VolumeSnapshot snapshot = view.snapshot();
    String name = snapshot.generatedContentName();
    Secret secret =
        SnapshotParameters.secret(
            snapshotClass.parameters(), Purpose.SNAPSHOTTER, name, Optional.of(snapshot.key()));
    return secret.flaw().isEmpty()
        ? new SnapshotStep.CreateContent(name, snapshotClass, volume, handle.get(), secret)
        : SnapshotDecider.failed(secret.flaw());
  }
}
