package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSnapshot;

/** Builder of a VolumeSnapshot. Default: no source. */
public final class VolumeSnapshotBuilder
    extends ObjectBuilder<VolumeSnapshot, VolumeSnapshotBuilder> {
  private String sourceClaim = "";
  private String sourceContent = "";
  private String className = "";
  private VolumeSnapshot.Status status = VolumeSnapshot.Status.NONE;

  VolumeSnapshotBuilder(ObjectKey key) {
    super(key);
  }

  public VolumeSnapshotBuilder sourceClaim(String value) {
    this.sourceClaim = value;
    return this;
  }

  public VolumeSnapshotBuilder sourceContent(String value) {
    this.sourceContent = value;
    return this;
  }

  public VolumeSnapshotBuilder className(String value) {
    this.className = value;
    return this;
  }

  public VolumeSnapshotBuilder status(VolumeSnapshot.Status value) {
    this.status = value;
    return this;
  }

  @Override
  public VolumeSnapshot build() {
    return new VolumeSnapshot(meta(), sourceClaim, sourceContent, className, status);
  }
}
