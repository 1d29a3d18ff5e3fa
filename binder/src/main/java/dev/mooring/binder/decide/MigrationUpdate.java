package dev.mooring.binder.decide;

import dev.mooring.model.CsiMigration;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Required finalizers and migration annotation of a volume (step 0 of every volume sync).
 *
 * @param migratedTo required migration annotation; "" if there is none
 */
public record MigrationUpdate(List<String> finalizers, String migratedTo) {
  public static Optional<MigrationUpdate> of(
      Volume volume, BinderPolicy policy, Predicate<String> isLoadedPlugin) {
    String provisioner = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    boolean isProvisioned = volume.meta().hasAnnotation(BinderMarks.PROVISIONED_BY);
    String driver =
        isProvisioned
            ? CsiMigration.driverOf(provisioner)
            : volume.meta().annotation(CsiMigration.MIGRATED_TO);
    List<String> requiredFinalizers =
        isProvisioned
            ? requireFinalizers(volume, provisioner, policy, isLoadedPlugin)
            : volume.finalizers();
    boolean isUpToDate =
        requiredFinalizers.equals(volume.finalizers())
            && driver.equals(volume.meta().annotation(CsiMigration.MIGRATED_TO));
    return isUpToDate
        ? Optional.empty()
        : Optional.of(new MigrationUpdate(requiredFinalizers, driver));
  }

  private static List<String> requireFinalizers(
      Volume volume, String provisioner, BinderPolicy policy, Predicate<String> isLoadedPlugin) {
    List<String> requiredFinalizers = new ArrayList<>(volume.finalizers());
    if (!CsiMigration.driverOf(provisioner).isEmpty()) {
      requiredFinalizers.remove(BinderMarks.IN_TREE_FINALIZER);
    } else if (provisioner.startsWith(BinderMarks.IN_TREE_PREFIX)) {
      // the API server rejects new finalizers on objects that are being deleted; without the
      // plugin, nothing would ever remove the finalizer
      boolean mayAdd =
          policy.compat().isKubernetes()
              || (!volume.meta().isBeingDeleted() && isLoadedPlugin.test(provisioner));
      if (volume.reclaimPolicy() != ReclaimPolicy.DELETE) {
        requiredFinalizers.remove(BinderMarks.IN_TREE_FINALIZER);
      } else if (!requiredFinalizers.contains(BinderMarks.IN_TREE_FINALIZER) && mayAdd) {
        requiredFinalizers.add(BinderMarks.IN_TREE_FINALIZER);
      }
      requiredFinalizers.remove(BinderMarks.EXTERNAL_FINALIZER);
    }
    return requiredFinalizers;
  }

  public static Optional<String> migrationOf(Map<String, String> annotations) {
    String provisioner =
        annotations.getOrDefault(
            BinderMarks.STORAGE_PROVISIONER,
            annotations.getOrDefault(BinderMarks.BETA_STORAGE_PROVISIONER, ""));
    if (provisioner.isEmpty()) {
      return Optional.empty();
    }
    String driver = CsiMigration.driverOf(provisioner);
    return driver.equals(annotations.getOrDefault(CsiMigration.MIGRATED_TO, ""))
        ? Optional.empty()
        : Optional.of(driver);
  }
}
