package dev.mooring.model.migration;

import dev.mooring.model.StorageClass;

/** Result of translating an in-tree StorageClass for its CSI driver. */
public sealed interface ClassTranslation {
  /**
   * A CSI driver has replaced the in-tree provisioner.
   *
   * @param storageClass translated class; only parameters and allowed topologies differ from the
   *     original
   */
  record Translated(StorageClass storageClass) implements ClassTranslation {}

  record NotMigrated() implements ClassTranslation {}

  record Refused(String reason) implements ClassTranslation {}
}
