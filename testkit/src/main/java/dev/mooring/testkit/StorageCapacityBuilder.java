package dev.mooring.testkit;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import org.jspecify.annotations.Nullable;

/** Builder of a CSIStorageCapacity. Default: no capacity. */
public final class StorageCapacityBuilder
    extends ObjectBuilder<StorageCapacity, StorageCapacityBuilder> {
  private @Nullable LabelSelector nodeTopology = null;
  private String storageClass = "";
  private @Nullable Quantity capacity = null;
  private @Nullable Quantity maximumVolumeSize = null;

  StorageCapacityBuilder(ObjectKey key) {
    super(key);
  }

  public StorageCapacityBuilder nodeTopology(@Nullable LabelSelector value) {
    this.nodeTopology = value;
    return this;
  }

  public StorageCapacityBuilder storageClass(String value) {
    this.storageClass = value;
    return this;
  }

  public StorageCapacityBuilder capacity(@Nullable Quantity value) {
    this.capacity = value;
    return this;
  }

  public StorageCapacityBuilder maximumVolumeSize(@Nullable Quantity value) {
    this.maximumVolumeSize = value;
    return this;
  }

  @Override
  public StorageCapacity build() {
    return new StorageCapacity(meta(), nodeTopology, storageClass, capacity, maximumVolumeSize);
  }
}
