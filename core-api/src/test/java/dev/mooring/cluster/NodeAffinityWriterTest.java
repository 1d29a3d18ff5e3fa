package dev.mooring.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeAffinityWriterTest {
  private static String affinityOf(List<Map<String, String>> topology) {
    Document volume = Document.empty();
    NodeAffinityWriter.set(volume, topology);
    return volume.toString();
  }

  @Test
  void set_twoLabelSets_writesTermsWithExpressions() {
    assertThat(affinityOf(List.of(Map.of("zone", "a", "rack", "1"), Map.of("zone", "b"))))
        .contains("rack", "zone", "nodeSelectorTerms");
  }

  // A term without expressions matches no node: no pod could use the volume.
  @Test
  void set_emptyLabelSet_omitsTerm() {
    assertThat(affinityOf(List.of(Map.of(), Map.of("zone", "a"))))
        .isEqualTo(affinityOf(List.of(Map.of("zone", "a"))));
    assertThat(affinityOf(List.of(Map.of()))).isEqualTo(Document.empty().toString());
  }
}
