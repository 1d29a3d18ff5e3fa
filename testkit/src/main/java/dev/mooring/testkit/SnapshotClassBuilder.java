package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import java.util.List;
import java.util.Map;

/** Builder of a VolumeSnapshotClass. Default: policy Delete. */
public final class SnapshotClassBuilder extends ObjectBuilder<SnapshotClass, SnapshotClassBuilder> {
  private String driver = "example.com/disks";
  private Map<String, String> parameters = Map.of();
  private ReclaimPolicy policy = ReclaimPolicy.DELETE;
  private List<Map<String, List<String>>> allowedTopologies = List.of();

  SnapshotClassBuilder(ObjectKey key) {
    super(key);
  }

  public SnapshotClassBuilder driver(String value) {
    this.driver = value;
    return this;
  }

  public SnapshotClassBuilder parameters(Map<String, String> value) {
    this.parameters = value;
    return this;
  }

  public SnapshotClassBuilder policy(ReclaimPolicy value) {
    this.policy = value;
    return this;
  }

  public SnapshotClassBuilder allowedTopologies(List<Map<String, List<String>>> value) {
    this.allowedTopologies = value;
    return this;
  }

  @Override
  public SnapshotClass build() {
    return new SnapshotClass(meta(), driver, parameters, policy, allowedTopologies);
  }
}
