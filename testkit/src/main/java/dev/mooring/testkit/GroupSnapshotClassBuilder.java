package dev.mooring.testkit;

import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import java.util.Map;

/** Builder of a VolumeGroupSnapshotClass. Default: policy Delete. */
public final class GroupSnapshotClassBuilder
    extends ObjectBuilder<GroupSnapshotClass, GroupSnapshotClassBuilder> {
  private String driver = "example.com/disks";
  private Map<String, String> parameters = Map.of();
  private ReclaimPolicy policy = ReclaimPolicy.DELETE;

  GroupSnapshotClassBuilder(ObjectKey key) {
    super(key);
  }

  public GroupSnapshotClassBuilder driver(String value) {
    this.driver = value;
    return this;
  }

  public GroupSnapshotClassBuilder parameters(Map<String, String> value) {
    this.parameters = value;
    return this;
  }

  public GroupSnapshotClassBuilder policy(ReclaimPolicy value) {
    this.policy = value;
    return this;
  }

  @Override
  public GroupSnapshotClass build() {
    return new GroupSnapshotClass(meta(), driver, parameters, policy);
  }
}
