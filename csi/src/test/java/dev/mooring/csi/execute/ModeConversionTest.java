package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.storage.VolumeService.Plan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A claim of mode Filesystem is filled from a snapshot of a block volume. */
class ModeConversionTest extends VolumesFixture {
  private static final String ANNOTATION =
      "snapshot.storage.kubernetes.io/allow-volume-mode-change";

  /** external-provisioner reads the annotation like Go's strconv.ParseBool. */
  @ParameterizedTest
  @CsvSource({
    "true, true",
    "True, true",
    "TRUE, true",
    "t, true",
    "T, true",
    "1, true",
    "false, false",
    "0, false",
    "yes, false",
    "tRUE, false",
  })
  void plan_annotationOfContent_allowsOtherMode(String value, boolean isAllowed)
      throws InterruptedException {
    cluster.patch(
        Kind.SNAPSHOT_CONTENT,
        ObjectKey.cluster("content"),
        Document.empty()
            .set("Block", "spec", "sourceVolumeMode")
            .set(value, "metadata", "annotations", ANNOTATION));
    assertThat(volumes.plan(order("snapshot")) instanceof Plan.Ready).isEqualTo(isAllowed);
  }
}
