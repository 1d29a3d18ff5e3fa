package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartialHandlesTest {
  @ParameterizedTest
  @CsvSource({
    "vol-1, id-n1, vol-1",
    "projects/p/zones/a/disks/d, id-n1, projects/p/zones/a/disks/d",
    "projects/UNSPECIFIED/zones/a/disks/d, projects/p/zones/b/instances/n, projects/p/zones/a/disks/d",
    "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d, projects/p/zones/b/instances/n, projects/p/zones/b/disks/d",
    "projects/UNSPECIFIED/regions/r/disks/d, projects/p/zones/b/instances/n, projects/p/regions/r/disks/d",
    "projects/UNSPECIFIED/zones/a/disks/d, id-n1,",
    "projects/UNSPECIFIED/zones/a/disks/d, '',",
    "projects/UNSPECIFIED/d, projects/p/zones/b/instances/n,",
  })
  void complete_fromNodeId_isAsInExternalAttacher(String handle, String nodeId, String expected) {
    assertThat(PartialHandles.complete(handle, nodeId).orElse(null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "projects/UNSPECIFIED/zones/a/disks/d, projects/p/zones/a/disks/d",
    "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/e, projects/p/zones/b/disks/e",
    "projects/UNSPECIFIED/zones/b/disks/d, projects/UNSPECIFIED/zones/b/disks/d",
    "projects/q/zones/a/disks/d, projects/q/zones/a/disks/d",
    "d, d",
  })
  void findListed_ofPartialHandle_findsVolume(String handle, String expected) {
    assertThat(
            PartialHandles.findListed(
                handle,
                Set.of(
                    "projects/p/zones/a/disks/d",
                    "projects/p/zones/b/disks/e",
                    "projects/p/zones/a/disks/not-d")))
        .isEqualTo(expected);
  }
}
