package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventLimitsTest {
  @Test
  void makeName_shortObjectName_endsWithTime() {
    assertThat(EventLimits.makeName("data-0", 255)).isEqualTo("data-0.ff");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Upper", "a/b", "a..b", "-a", "", "a\u202e"})
  void makeName_invalidForServer_isRandom(String object) {
    assertThat(EventLimits.makeName(object, 255)).matches("[0-9a-f-]{36}");
    assertThat(EventLimits.makeName(object, 255)).isNotEqualTo(EventLimits.makeName(object, 255));
  }

  @Test
  void truncateNote_atAndAboveLimit_onlyLongerNoteIsTruncated() {
    assertThat(EventLimits.truncateNote("a".repeat(1_024))).hasSize(1_024);
    assertThat(EventLimits.truncateNote("a".repeat(1_025))).hasSize(1_024).endsWith("a...");
  }
}
