package dev.mooring.populator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.DataSourceRef;
import dev.mooring.model.VolumePopulator;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceCheckTest {
  private static final VolumePopulator DISKS =
      TestObjects.volumePopulator("disks").sourceGroup("example.com").sourceKind("Disk").build();

  @ParameterizedTest
  @CsvSource({
    "'', PersistentVolumeClaim, PVC",
    "example.com, PersistentVolumeClaim, INVALID",
    "snapshot.storage.k8s.io, VolumeSnapshot, SNAPSHOT",
    "'', VolumeSnapshot, INVALID",
    "example.com, Disk, POPULATOR",
    "example.org, Disk, INVALID",
    "example.com, Page, POPULATOR",
    "example.com, Book, INVALID"
  })
  void of_kind_returnsWhoFillsTheVolume(String group, String kind, SourceCheck expected) {
    assertThat(
            SourceCheck.of(
                new DataSourceRef(group, kind, "", "a"), List.of(DISKS), kind.equals("Page")))
        .isEqualTo(expected);
  }

  @Test
  void of_noSource_isEmpty() {
    assertThat(SourceCheck.of(null, List.of(), false)).isEqualTo(SourceCheck.EMPTY);
  }
}
