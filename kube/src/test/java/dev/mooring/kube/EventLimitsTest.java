package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLimitsTest {
  @Test
  void name_short_isObjectNameWithTime() {
    assertThat(EventLimits.name("data-0", 255)).isEqualTo("data-0.ff");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Upper", "a/b", "a..b", "-a", "", "a\u202e"})
  void name_invalidForServer_isReplaced(String object) {
    assertThat(EventLimits.name(object, 255)).matches("[0-9a-f-]{36}");
    assertThat(EventLimits.name(object, 255)).isNotEqualTo(EventLimits.name(object, 255));
  }

  @Test
  void cut_fittingNote_staysUnchanged() {
    assertThat(EventLimits.cut("a".repeat(1_024))).hasSize(1_024);
    assertThat(EventLimits.cut("a".repeat(1_025))).hasSize(1_024).endsWith("a...");
  }
}
