package dev.mooring.binder.decide;

import dev.mooring.model.Migration;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a volume's finalizers and its migration mark ought to be (step 0 of every volume sync).
 *
 * @param finalizers the finalizers it ought to have
 * @param migratedTo the migration mark it ought to have, "" for none
 */
public record MigrationUpdate(List<String> finalizers, String migratedTo) {
  /**
   * The change that is due, empty if the volume is as it ought to be.
   *
   * @param isPlugin whether there is a plugin of that name
   */
  public static Optional<MigrationUpdate> of(
      Volume volume, Policy policy, Predicate<String> isPlugin) {
    String provisioner = volume.meta().annotation(Marks.PROVISIONED_BY);
    boolean provisioned = volume.meta().has(Marks.PROVISIONED_BY);
    String migrated =
        provisioned ? Marks.migrated(provisioner) : volume.meta().annotation(Migration.MIGRATED_TO);
    List<String> wanted =
        provisioned ? finalizers(volume, provisioner, policy, isPlugin) : volume.finalizers();
    boolean same =
        wanted.equals(volume.finalizers())
            && migrated.equals(volume.meta().annotation(Migration.MIGRATED_TO));
    return same ? Optional.empty() : Optional.of(new MigrationUpdate(wanted, migrated));
  }

  private static List<String> finalizers(
      Volume volume, String provisioner, Policy policy, Predicate<String> isPlugin) {
    List<String> wanted = new ArrayList<>(volume.finalizers());
    if (!Marks.migrated(provisioner).isEmpty()) {
      wanted.remove(Marks.IN_TREE_FINALIZER);
    } else if (provisioner.startsWith(Marks.IN_TREE)) {
      // the server refuses new finalizers on what is being deleted; and without the plugin nobody
      // would ever take it away again
      boolean mayAdd =
          policy.compat().isKubernetes()
              || (!volume.meta().isBeingDeleted() && isPlugin.test(provisioner));
      if (volume.reclaimPolicy() != ReclaimPolicy.DELETE) {
        wanted.remove(Marks.IN_TREE_FINALIZER);
      } else if (!wanted.contains(Marks.IN_TREE_FINALIZER) && mayAdd) {
        wanted.add(Marks.IN_TREE_FINALIZER);
      }
      wanted.remove(Marks.EXTERNAL_FINALIZER);
    }
    return wanted;
  }

  /** The migration mark that a claim ought to have, empty if it is as it ought to be. */
  public static Optional<String> migrationOf(Map<String, String> annotations) {
    String provisioner =
        annotations.getOrDefault(
            Marks.STORAGE_PROVISIONER,
            annotations.getOrDefault(Marks.BETA_STORAGE_PROVISIONER, ""));
    if (provisioner.isEmpty()) {
      return Optional.empty();
    }
    String migrated = Marks.migrated(provisioner);
    return migrated.equals(annotations.getOrDefault(Migration.MIGRATED_TO, ""))
        ? Optional.empty()
        : Optional.of(migrated);
  }
}
