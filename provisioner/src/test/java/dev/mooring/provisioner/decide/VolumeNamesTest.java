package dev.mooring.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.model.Uid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of volumes: the sidecar's flags, and what it crashes at. */
class VolumeNamesTest {
  private static final Uid CLAIM = Uid.of("0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11");

  @ParameterizedTest
  @CsvSource({
    "pvc, -1, pvc-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "kvm, -1, kvm-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "pvc, 32, pvc-0b6e0c5e3c1a4a449f6e9d3a3d1c7a11",
    "pvc, 10, pvc-0b6e0c5e3c",
    "pvc, 8, pvc-0b6e0c5e",
  })
  void aNameIsMadeOfPrefixAndUid(String prefix, int length, String name) {
    assertThat(new VolumeNames(prefix, length).of(CLAIM)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({"'', -1", "Pvc, -1", "-pvc, -1", "pvc, 33", "pvc, -2", "pvc, 0", "pvc, 7"})
  void whatMakesNoNameIsRefusedAtTheStart(String prefix, int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VolumeNames(prefix, length))
        .withMessageContaining("--volume-name-");
  }

  /** A number at the end of somebody's name for a volume is no beginning of a uid. */
  @ParameterizedTest
  @CsvSource({
    "pvc-0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11, true",
    "kvm-0b6e0c5e3c1a4a449f6e9d3a3d1c7a11, true",
    "pvc-0b6e0c5e, true",
    "pvc-0b6e0c5f, false",
    "disk-0, false",
    "disk, false",
  })
  void whoseAVolumeIsItsNameSays(String name, boolean its) {
    assertThat(VolumeNames.isOf(CLAIM, name)).isEqualTo(its);
  }
}
