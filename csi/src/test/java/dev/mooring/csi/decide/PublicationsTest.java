package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** spec/csi-bridge.md, case 45. */
class PublicationsTest {
  @Test
  void whatTheDriverSaysOtherwiseIsAskedForAgain() {
    assertThat(Publications.differs(true, "n", List.of("n", "m"))).isFalse();
    assertThat(Publications.differs(true, "n", List.of("m"))).isTrue();
    assertThat(Publications.differs(false, "n", List.of("n"))).isTrue();
    assertThat(Publications.differs(false, "n", List.of())).isFalse();
  }

  @Test
  void aVolumeThatTheDriverDoesNotListIsPublishedNowhere() {
    assertThat(Publications.differs(true, "n", null)).isTrue();
    assertThat(Publications.differs(false, "n", null)).isFalse();
  }

  @Test
  void aNodeThatNobodyKnowsIsNotCompared() {
    assertThat(Publications.differs(true, "", null)).isFalse();
  }
}
