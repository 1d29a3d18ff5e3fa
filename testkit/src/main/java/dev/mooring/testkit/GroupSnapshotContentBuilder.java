package dev.mooring.testkit;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import java.util.List;

/** Builder of a VolumeGroupSnapshotContent. Default: no source, policy Delete. */
public final class GroupSnapshotContentBuilder
    extends ObjectBuilder<GroupSnapshotContent, GroupSnapshotContentBuilder> {
  private SnapshotContent.Ref group = new SnapshotContent.Ref(ObjectKey.of("", ""), Uid.NONE);
  private ReclaimPolicy policy = ReclaimPolicy.DELETE;
  private String driver = "example.com/disks";
  private String className = "";
  private GroupSnapshotContent.Source source =
      new GroupSnapshotContent.Source(List.of(), "", List.of());
  private GroupSnapshotContent.Status status = GroupSnapshotContent.Status.NONE;

  GroupSnapshotContentBuilder(ObjectKey key) {
    super(key);
  }

  public GroupSnapshotContentBuilder group(SnapshotContent.Ref value) {
    this.group = value;
    return this;
  }

  public GroupSnapshotContentBuilder policy(ReclaimPolicy value) {
    this.policy = value;
    return this;
  }

  public GroupSnapshotContentBuilder driver(String value) {
    this.driver = value;
    return this;
  }

  public GroupSnapshotContentBuilder className(String value) {
    this.className = value;
    return this;
  }

  public GroupSnapshotContentBuilder source(GroupSnapshotContent.Source value) {
    this.source = value;
    return this;
  }

  public GroupSnapshotContentBuilder status(GroupSnapshotContent.Status value) {
    this.status = value;
    return this;
  }

  @Override
  public GroupSnapshotContent build() {
    return new GroupSnapshotContent(meta(), group, policy, driver, className, source, status);
  }
}
