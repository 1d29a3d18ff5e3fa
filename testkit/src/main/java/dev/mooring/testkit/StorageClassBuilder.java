package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Map;

/** A StorageClass: Delete, binds at once, does not expand, unless said otherwise. */
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

  StorageClassBuilder(StorageClass from) {
    super(from.meta());
    this.provisioner = from.provisioner();
    this.parameters = from.parameters();
    this.reclaimPolicy = from.reclaimPolicy();
    this.mountOptions = from.mountOptions();
    this.binding = from.binding();
    this.allowsExpansion = from.allowsExpansion();
    this.allowedTopologies = from.allowedTopologies();
  }

  /** Sets {@code provisioner}. */
  public StorageClassBuilder provisioner(String value) {
    this.provisioner = value;
    return this;
  }

  /** Sets {@code parameters}. */
  public StorageClassBuilder parameters(Map<String, String> value) {
    this.parameters = value;
    return this;
  }

  /** Sets {@code reclaimPolicy}. */
  public StorageClassBuilder reclaimPolicy(ReclaimPolicy value) {
    this.reclaimPolicy = value;
    return this;
  }

  /** Sets {@code mountOptions}. */
  public StorageClassBuilder mountOptions(List<String> value) {
    this.mountOptions = value;
    return this;
  }

  /** Sets {@code binding}. */
  public StorageClassBuilder binding(StorageClass.Binding value) {
    this.binding = value;
    return this;
  }

  /** Sets {@code allowsExpansion}. */
  public StorageClassBuilder allowsExpansion(boolean value) {
    this.allowsExpansion = value;
    return this;
  }

  /** Sets {@code allowedTopologies}. */
  public StorageClassBuilder allowedTopologies(List<Map<String, List<String>>> value) {
    this.allowedTopologies = value;
    return this;
  }

  @Override
  StorageClassBuilder self() {
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
