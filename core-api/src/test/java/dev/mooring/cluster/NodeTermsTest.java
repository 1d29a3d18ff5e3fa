package dev.mooring.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeTermsTest {
  private static String said(List<Map<String, String>> topology) {
    Document volume = Document.empty();
    NodeTerms.set(volume, topology);
    return volume.toString();
  }

  @Test
  void aPlaceIsATermAndASegmentAnExpression() {
    assertThat(said(List.of(Map.of("zone", "a", "rack", "1"), Map.of("zone", "b"))))
        .contains("rack", "zone", "nodeSelectorTerms");
  }

  /** A term without expressions matches no node: the volume could be used nowhere. */
  @Test
  void aPlaceThatSaysNothingIsLeftOut() {
    assertThat(said(List.of(Map.of(), Map.of("zone", "a"))))
        .isEqualTo(said(List.of(Map.of("zone", "a"))));
    assertThat(said(List.of(Map.of()))).isEqualTo(Document.empty().toString());
  }
}
