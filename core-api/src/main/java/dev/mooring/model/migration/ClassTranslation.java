package dev.mooring.model.migration;

import dev.mooring.model.StorageClass;

/** What became of a class that was to be expressed as one of a CSI driver. */
public sealed interface ClassTranslation {
  /**
   * A CSI driver does the in-tree provisioner's work, and this is what it is told.
   *
   * @param storageClass the class; name, provisioner and everything else but parameters and allowed
   *     topologies are as they were
   */
  record Translated(StorageClass storageClass) implements ClassTranslation {}

  /** The provisioner is none whose work moved to a CSI driver. */
  record NotMigrated() implements ClassTranslation {}

  /**
   * The class contradicts itself: no volume can be made of it.
   *
   * @param reason why, for people
   */
  record Refused(String reason) implements ClassTranslation {}
}
