package dev.mooring.testkit;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import java.util.Optional;

/** Builder of a VolumeGroupSnapshot. Default: no source. */
public final class GroupSnapshotBuilder extends ObjectBuilder<GroupSnapshot, GroupSnapshotBuilder> {
  private Optional<LabelSelector> selector = Optional.empty();
  private String sourceContent = "";
  private String className = "";
  private GroupSnapshot.Status status = GroupSnapshot.Status.NONE;

  GroupSnapshotBuilder(ObjectKey key) {
    super(key);
  }

  public GroupSnapshotBuilder selector(Optional<LabelSelector> value) {
    this.selector = value;
    return this;
  }

  public GroupSnapshotBuilder sourceContent(String value) {
    this.sourceContent = value;
    return this;
  }

  public GroupSnapshotBuilder className(String value) {
    this.className = value;
    return this;
  }

  public GroupSnapshotBuilder status(GroupSnapshot.Status value) {
    this.status = value;
    return this;
  }

  @Override
  public GroupSnapshot build() {
    return new GroupSnapshot(meta(), selector, sourceContent, className, status);
  }
}
