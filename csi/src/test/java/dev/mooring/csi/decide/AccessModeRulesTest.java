package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.AccessModes;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.VolumeAccess;
import dev.mooring.spi.csi.VolumeAccess.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessModeRulesTest {
  private static AccessModeRules.VolumeUse use(boolean distinguishesWriters) {
    return new AccessModeRules.VolumeUse(
        VolumeMode.FILESYSTEM, "xfs", List.of("noatime"), distinguishesWriters);
  }

  @ParameterizedTest
  @CsvSource({
    "ReadWriteOncePod,              SINGLE_NODE_WRITER,      SINGLE_NODE_SINGLE_WRITER",
    "ReadWriteMany,                 MULTI_NODE_MULTI_WRITER, MULTI_NODE_MULTI_WRITER",
    "ReadWriteMany ReadWriteOnce,   MULTI_NODE_MULTI_WRITER, MULTI_NODE_MULTI_WRITER",
    "ReadWriteMany ReadOnlyMany,    MULTI_NODE_MULTI_WRITER, MULTI_NODE_MULTI_WRITER",
    "ReadOnlyMany,                  MULTI_NODE_READER_ONLY,  MULTI_NODE_READER_ONLY",
    "ReadWriteOnce,                 SINGLE_NODE_WRITER,      SINGLE_NODE_MULTI_WRITER",
  })
  void mapCombined_supportedModes_returnsCsiMode(String modes, Mode plain, Mode distinguished) {
    AccessModes accessModes = AccessModes.of(modes.split(" "));
    assertThat(AccessModeRules.mapCombined(accessModes, use(false)))
        .isEqualTo(
            new CheckResult.Valid<>(new VolumeAccess(false, "xfs", List.of("noatime"), plain)));
    assertThat(AccessModeRules.mapCombined(accessModes, use(true)))
        .isEqualTo(
            new CheckResult.Valid<>(
                new VolumeAccess(false, "xfs", List.of("noatime"), distinguished)));
  }

  @Test
  void mapCombined_contradictoryModes_isInvalid() {
    assertThat(
            AccessModeRules.mapCombined(
                AccessModes.of("ReadWriteOncePod", "ReadWriteOnce"), use(true)))
        .isInstanceOfSatisfying(
            CheckResult.Invalid.class, i -> assertThat(i.reason()).contains("ReadWriteOncePod"));
    assertThat(
            AccessModeRules.mapCombined(
                AccessModes.of("ReadOnlyMany", "ReadWriteOnce"), use(false)))
        .isInstanceOfSatisfying(
            CheckResult.Invalid.class,
            i -> assertThat(i.reason()).contains("CSI does not support"));
    assertThat(AccessModeRules.mapCombined(AccessModes.NONE, use(false)))
        .isInstanceOf(CheckResult.Invalid.class);
    assertThat(AccessModeRules.mapEach(AccessModes.NONE, use(false)))
        .isInstanceOf(CheckResult.Invalid.class);
  }

  @Test
  void mapEach_severalModes_returnsOneAccessPerMode() {
    assertThat(AccessModeRules.mapEach(AccessModes.of("ReadWriteOnce", "ReadOnlyMany"), use(false)))
        .isEqualTo(
            new CheckResult.Valid<>(
                List.of(
                    new VolumeAccess(false, "xfs", List.of("noatime"), Mode.SINGLE_NODE_WRITER),
                    new VolumeAccess(
                        false, "xfs", List.of("noatime"), Mode.MULTI_NODE_READER_ONLY))));
  }

  @Test
  void mapCombined_blockVolume_hasNoMountProperties() {
    AccessModeRules.VolumeUse block =
        new AccessModeRules.VolumeUse(VolumeMode.BLOCK, "xfs", List.of("noatime"), false);
    assertThat(AccessModeRules.mapCombined(AccessModes.of("ReadWriteOnce"), block))
        .isEqualTo(
            new CheckResult.Valid<>(
                new VolumeAccess(true, "", List.of(), Mode.SINGLE_NODE_WRITER)));
  }
}
