package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import java.util.Optional;

/** Builder of a VolumeSnapshotContent. Default: no source, policy Delete. */
public final class SnapshotContentBuilder
    extends ObjectBuilder<SnapshotContent, SnapshotContentBuilder> {
  private SnapshotContent.Ref snapshot = new SnapshotContent.Ref(ObjectKey.of("", ""), Uid.NONE);
  private ReclaimPolicy policy = ReclaimPolicy.DELETE;
  private String driver = "example.com/disks";
  private String className = "";
  private SnapshotContent.Source source = new SnapshotContent.Source("", "");
  private Optional<VolumeMode> mode = Optional.empty();
  private SnapshotContent.Status status = SnapshotContent.Status.NONE;

  SnapshotContentBuilder(ObjectKey key) {
    super(key);
  }

  public SnapshotContentBuilder snapshot(SnapshotContent.Ref value) {
    this.snapshot = value;
    return this;
  }

  public SnapshotContentBuilder policy(ReclaimPolicy value) {
    this.policy = value;
    return this;
  }

  public SnapshotContentBuilder driver(String value) {
    this.driver = value;
    return this;
  }

  public SnapshotContentBuilder className(String value) {
    this.className = value;
    return this;
  }

  public SnapshotContentBuilder source(SnapshotContent.Source value) {
    this.source = value;
    return this;
  }

  public SnapshotContentBuilder mode(Optional<VolumeMode> value) {
    this.mode = value;
    return this;
  }

  public SnapshotContentBuilder status(SnapshotContent.Status value) {
    this.status = value;
    return this;
  }

  @Override
  public SnapshotContent build() {
    return new SnapshotContent(meta(), snapshot, policy, driver, className, source, mode, status);
  }
}
