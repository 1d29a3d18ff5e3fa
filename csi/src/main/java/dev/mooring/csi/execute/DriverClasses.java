package dev.mooring.csi.execute;

import dev.mooring.csi.decide.Checked;
import dev.mooring.model.StorageClass;
import dev.mooring.model.migration.ClassTranslation;
import dev.mooring.model.migration.InTreeClasses;

/** Classes as a driver knows them. */
record DriverClasses(String driver) {
  Checked<StorageClass> translated(StorageClass storageClass) {
    if (storageClass.provisioner().equals(driver)) {
      return new Checked.Valid<>(storageClass);
    }
    return switch (InTreeClasses.translate(storageClass)) {
      case ClassTranslation.Translated(StorageClass now) -> new Checked.Valid<>(now);
      case ClassTranslation.NotMigrated() -> new Checked.Valid<>(storageClass);
      case ClassTranslation.Refused(String why) -> new Checked.Invalid<>(why);
    };
  }
}
