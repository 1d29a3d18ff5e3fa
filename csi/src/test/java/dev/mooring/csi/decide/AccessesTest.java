package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.AccessModes;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.csi.Access;
import dev.mooring.spi.csi.Access.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** spec/csi-bridge.md 4. */
class AccessesTest {
  private static Accesses.Use use(boolean tellsWriters) {
    return new Accesses.Use(VolumeMode.FILESYSTEM, "xfs", List.of("noatime"), tellsWriters);
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
  void modesInTheDriversTerms(String modes, Mode plain, Mode telling) {
    AccessModes written = AccessModes.of(modes.split(" "));
    assertThat(Accesses.whole(written, use(false)))
        .isEqualTo(new Checked.Valid<>(new Access(false, "xfs", List.of("noatime"), plain)));
    assertThat(Accesses.whole(written, use(true)))
        .isEqualTo(new Checked.Valid<>(new Access(false, "xfs", List.of("noatime"), telling)));
  }

  @Test
  void whatCannotBeCombinedIsRefused() {
    assertThat(Accesses.whole(AccessModes.of("ReadWriteOncePod", "ReadWriteOnce"), use(true)))
        .isInstanceOfSatisfying(
            Checked.Invalid.class, i -> assertThat(i.why()).contains("ReadWriteOncePod"));
    assertThat(Accesses.whole(AccessModes.of("ReadOnlyMany", "ReadWriteOnce"), use(false)))
        .isInstanceOfSatisfying(
            Checked.Invalid.class, i -> assertThat(i.why()).contains("CSI does not support"));
    assertThat(Accesses.whole(AccessModes.NONE, use(false))).isInstanceOf(Checked.Invalid.class);
    assertThat(Accesses.each(AccessModes.NONE, use(false))).isInstanceOf(Checked.Invalid.class);
  }

  @Test
  void aNewVolumeIsToldEveryModeByItself() {
    assertThat(Accesses.each(AccessModes.of("ReadWriteOnce", "ReadOnlyMany"), use(false)))
        .isEqualTo(
            new Checked.Valid<>(
                List.of(
                    new Access(false, "xfs", List.of("noatime"), Mode.SINGLE_NODE_WRITER),
                    new Access(false, "xfs", List.of("noatime"), Mode.MULTI_NODE_READER_ONLY))));
  }

  @Test
  void aBlockDeviceIsNotMounted() {
    Accesses.Use block = new Accesses.Use(VolumeMode.BLOCK, "xfs", List.of("noatime"), false);
    assertThat(Accesses.whole(AccessModes.of("ReadWriteOnce"), block))
        .isEqualTo(new Checked.Valid<>(new Access(true, "", List.of(), Mode.SINGLE_NODE_WRITER)));
  }
}
