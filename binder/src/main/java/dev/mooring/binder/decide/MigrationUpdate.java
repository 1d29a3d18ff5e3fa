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
      Volume volume, BinderPolicy policy, Predicate<String> isPlugin) {
    String provisioner = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    boolean provisioned = volume.meta().hasAnnotation(BinderMarks.PROVISIONED_BY);
    String migrated =
        provisioned
            ? CsiMigration.driverOf(provisioner)
            : volume.meta().annotation(CsiMigration.MIGRATED_TO);
    List<String> wanted =
        provisioned ? finalizers(volume, provisioner, policy, isPlugin) : volume.finalizers();
    boolean same =
        wanted.equals(volume.finalizers())
            && migrated.equals(volume.meta().annotation(CsiMigration.MIGRATED_TO));
    return same ? Optional.empty() : Optional.of(new MigrationUpdate(wanted, migrated));
  }

  private static List<String> finalizers(
      Volume volume, String provisioner, BinderPolicy policy, Predicate<String> isPlugin) {
    List<String> wanted = new ArrayList<>(volume.finalizers());
    if (!CsiMigration.driverOf(provisioner).isEmpty()) {
      wanted.remove(BinderMarks.IN_TREE_FINALIZER);
    } else if (provisioner.startsWith(BinderMarks.IN_TREE_PREFIX)) {
      // the API server rejects new finalizers on objects that are being deleted; without the
      // plugin, nothing would ever remove the finalizer
      boolean mayAdd =
          policy.compat().isKubernetes()
              || (!volume.meta().isBeingDeleted() && isPlugin.test(provisioner));
      if (volume.reclaimPolicy() != ReclaimPolicy.DELETE) {
        wanted.remove(BinderMarks.IN_TREE_FINALIZER);
      } else if (!wanted.contains(BinderMarks.IN_TREE_FINALIZER) && mayAdd) {
        wanted.add(BinderMarks.IN_TREE_FINALIZER);
      }
      wanted.remove(BinderMarks.EXTERNAL_FINALIZER);
    }
    return wanted;
  }

  public static Optional<String> migrationOf(Map<String, String> annotations) {
    String provisioner =
        annotations.getOrDefault(
            BinderMarks.STORAGE_PROVISIONER,
            annotations.getOrDefault(BinderMarks.BETA_STORAGE_PROVISIONER, ""));
    if (provisioner.isEmpty()) {
      return Optional.empty();
    }
    String migrated = CsiMigration.driverOf(provisioner);
    return migrated.equals(annotations.getOrDefault(CsiMigration.MIGRATED_TO, ""))
        ? Optional.empty()
        : Optional.of(migrated);
  }
}
