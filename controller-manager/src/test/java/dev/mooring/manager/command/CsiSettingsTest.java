package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.csi.CsiConfig.CapacityOwner;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Owners of CSIStorageCapacity objects. */
class CsiSettingsTest {
  private static final String POD = "mooring-0";
  private static final Map<String, String> ENVIRONMENT =
      Map.of("NAMESPACE", "csi", "POD_NAME", POD);

  @Test
  void chooseOwner_namespaceOfPod_isControllerOfPod() {
    assertThat(CsiSettings.chooseOwner(null, "csi", ENVIRONMENT))
        .isEqualTo(new CapacityOwner(POD, 1));
  }

  @Test
  void chooseOwner_namespaceOfPodIsUnknown_isControllerOfPod() {
    assertThat(CsiSettings.chooseOwner(null, "storage", Map.of("POD_NAME", POD)))
        .isEqualTo(new CapacityOwner(POD, 1));
  }

  @Test
  void chooseOwner_otherNamespace_isNone() {
    assertThat(CsiSettings.chooseOwner(null, "storage", ENVIRONMENT)).isEqualTo(CapacityOwner.NONE);
  }

  @Test
  void chooseOwner_podIsUnknown_isNone() {
    assertThat(CsiSettings.chooseOwner(null, "csi", Map.of())).isEqualTo(CapacityOwner.NONE);
  }

  @ParameterizedTest
  @CsvSource({"csi, 0", "csi, 2", "storage, -1"})
  void chooseOwner_givenLevel_isUsed(String namespace, int level) {
    assertThat(CsiSettings.chooseOwner(level, namespace, ENVIRONMENT).level()).isEqualTo(level);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void chooseOwner_givenLevelInOtherNamespace_throwsOneLine(int level) {
    assertThatThrownBy(() -> CsiSettings.chooseOwner(level, "storage", ENVIRONMENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--capacity-ownerref-level %d needs the pod's namespace csi, but --capacity-namespace is storage: use level -1, or that namespace",
            level);
  }
}
