package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.CsiMigration;
import dev.mooring.model.ReclaimPolicy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Finalizers of migrated volumes; I is the in-tree finalizer, E the external one, x an unknown one.
 */
class MigrationUpdateTest {
  private static String expandName(String finalizer) {
    return switch (finalizer) {
      case "I" -> BinderMarks.IN_TREE_FINALIZER;
      case "E" -> BinderMarks.EXTERNAL_FINALIZER;
      default -> finalizer;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "same",
      value = {
        "13-1|csi.example.com|DELETE|E|false|same",
            "13-3|kubernetes.io/host-path|DELETE|x|false|x I",
            "13-4|kubernetes.io/host-path|DELETE||false|I",
        "13-5|kubernetes.io/host-path|DELETE|E|false|I",
            "13-6|kubernetes.io/host-path|DELETE|E x|false|x I",
            "13-7|kubernetes.io/gce-pd|DELETE|E I|false|E",
        "13-12|kubernetes.io/host-path|RETAIN||false|same",
            "13-14|kubernetes.io/host-path|RETAIN|I|false|''", "empty||DELETE|E|false|same",
        "84 being deleted|kubernetes.io/host-path|DELETE|x|true|same"
      })
  void of_provisionerAndPolicy_determineFinalizers(
      String id,
      String provisioner,
      ReclaimPolicy policy,
      String before,
      boolean deleting,
      String after) {
    String[] present =
        before == null
            ? new String[0]
            : java.util.Arrays.stream(before.split(" "))
                .map(MigrationUpdateTest::expandName)
                .toArray(String[]::new);
    var volume =
        volume(
            "v",
            "1Gi",
            v -> {
              v.reclaimPolicy(policy)
                  .finalizers(present)
                  .annotation(BinderMarks.PROVISIONED_BY, provisioner == null ? "" : provisioner);
              if (!CsiMigration.driverOf(provisioner == null ? "" : provisioner).isEmpty()) {
                v.annotation(CsiMigration.MIGRATED_TO, CsiMigration.driverOf(provisioner));
              }
              return deleting ? v.deleting() : v;
            });
    Optional<List<String>> update =
        MigrationUpdate.of(volume, BinderPolicy.DEFAULTS, name -> true)
            .map(MigrationUpdate::finalizers);
    if (after == null) {
      assertThat(update).as(id).isEmpty();
    } else {
      assertThat(update)
          .as(id)
          .contains(
              after.isEmpty()
                  ? List.of()
                  : java.util.Arrays.stream(after.split(" "))
                      .map(MigrationUpdateTest::expandName)
                      .toList());
    }
  }
}
