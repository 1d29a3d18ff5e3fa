package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Map;

/** Builder of a StorageClass. Default: policy Delete, binding mode Immediate, no expansion. */
public final class StorageClassBuilder extends ObjectBuilder<StorageClass, StorageClassBuilder> {
  private String provisioner = "example.com/disks";
  private Map<String, String> parameters = Map.of();
  private ReclaimPolicy reclaimPolicy = ReclaimPolicy.DELETE;
  private List<String> mountOptions = List.of();
  private StorageClass.Binding binding = StorageClass.Binding.IMMEDIATE;
  private boolean allowsExpansion = false;
  private List<Map<String, List<String>>> allowedTopologies = List.of();

  StorageClassBuilder(ObjectKey key) {
    super(key);
  }

  public StorageClassBuilder provisioner(String value) {
    this.provisioner = value;
    return this;
  }

  public StorageClassBuilder parameters(Map<String, String> value) {
    this.parameters = value;
    return this;
  }

  public StorageClassBuilder reclaimPolicy(ReclaimPolicy value) {
    this.reclaimPolicy = value;
    return this;
  }

  public StorageClassBuilder mountOptions(List<String> value) {
    this.mountOptions = value;
    return this;
  }

  public StorageClassBuilder binding(StorageClass.Binding value) {
    this.binding = value;
    return this;
  }

  public StorageClassBuilder allowsExpansion(boolean value) {
    this.allowsExpansion = value;
    return this;
  }

  public StorageClassBuilder allowedTopologies(List<Map<String, List<String>>> value) {
    this.allowedTopologies = value;
    return this;
  }

  @Override
  public StorageClass build() {
    return new StorageClass(
        meta(),
        provisioner,
        parameters,
        reclaimPolicy,
        mountOptions,
        binding,
        allowsExpansion,
        allowedTopologies);
  }
}
