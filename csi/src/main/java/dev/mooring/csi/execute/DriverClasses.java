package dev.mooring.csi.execute;

import dev.mooring.csi.decide.CheckResult;
import dev.mooring.model.StorageClass;
import dev.mooring.model.migration.ClassTranslation;
import dev.mooring.model.migration.InTreeClasses;

/** Translates StorageClasses of in-tree plugins to those of their CSI drivers. */
final class DriverClasses {
  private DriverClasses() {}

  static CheckResult<StorageClass> translate(StorageClass storageClass, String driver) {
    if (storageClass.provisioner().equals(driver)) {
      return new CheckResult.Valid<>(storageClass);
    }
    return switch (InTreeClasses.translate(storageClass)) {
      case ClassTranslation.Translated(StorageClass translated) ->
          new CheckResult.Valid<>(translated);
      case ClassTranslation.NotMigrated() -> new CheckResult.Valid<>(storageClass);
      case ClassTranslation.Refused(String reason) -> new CheckResult.Invalid<>(reason);
    };
  }
}
