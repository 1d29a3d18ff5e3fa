package dev.mooring.storage.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.model.Uid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverNamesTest {
  private static final Uid CLAIM = Uid.of("0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11");

  @ParameterizedTest
  @CsvSource({
    "pvc, -1, pvc-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "kvm, -1, kvm-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "pvc, 32, pvc-0b6e0c5e3c1a4a449f6e9d3a3d1c7a11",
    "pvc, 10, pvc-0b6e0c5e3c",
    "pvc, 8, pvc-0b6e0c5e",
  })
  void of_prefixAndLength_returnsName(String prefix, int length, String name) {
    assertThat(DriverNames.OF_VOLUMES.with(prefix, length).of(CLAIM)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({"'', -1", "Pvc, -1", "-pvc, -1", "pvc, 33", "pvc, -2", "pvc, 0", "pvc, 7"})
  void with_invalidFormat_throws(String prefix, int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DriverNames.OF_VOLUMES.with(prefix, length))
        .withMessageContaining("--volume-name-");
  }

  // A short number at the end of a custom name is not the beginning of a uid.
  @ParameterizedTest
  @CsvSource({
    "pvc-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11, true",
    "kvm-0b6e0c5e3c1a4a449f6e9d3a3d1c7a11, true",
    "pvc-0b6e0c5e, true",
    "pvc-0b6e0c5f, false",
    "disk-0, false",
    "disk, false",
  })
  void isOf_name_matchesUid(String name, boolean expected) {
    assertThat(DriverNames.isOf(CLAIM, name)).isEqualTo(expected);
  }

  @Test
  void of_snapshotsAndGroups_haveOwnFormats() {
    assertThat(DriverNames.OF_SNAPSHOTS.of(CLAIM)).isEqualTo("snapshot-" + CLAIM);
    assertThat(DriverNames.OF_SNAPSHOTS.with("a", 8).of(CLAIM)).isEqualTo("a-0b6e0c5e");
    assertThat(DriverNames.OF_GROUPS.of(CLAIM)).isEqualTo("groupsnapshot-" + CLAIM);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DriverNames.OF_SNAPSHOTS.with("a", 0))
        .withMessageContaining("--snapshot-name-uuid-length");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DriverNames.OF_GROUPS.with("", -1))
        .withMessageContaining("--groupsnapshot-name-prefix");
  }
}
