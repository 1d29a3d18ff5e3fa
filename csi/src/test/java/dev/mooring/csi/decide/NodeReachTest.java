package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.NodeReach.Reachability;
import dev.mooring.model.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeReachTest {
  private static final Optional<Map<String, String>> ON_A = Optional.of(Map.of("host", "a"));

  private static List<Requirement> in(String key, String... values) {
    return List.of(new Requirement(key, "In", List.of(values)));
  }

  @Test
  void of_matchingTerm_isYes() {
    assertThat(NodeReach.of(List.of(in("host", "a")), ON_A)).isEqualTo(Reachability.YES);
    assertThat(NodeReach.of(List.of(in("host", "b")), ON_A)).isEqualTo(Reachability.NO);
    assertThat(NodeReach.of(List.of(in("host", "b"), in("host", "c", "a")), ON_A))
        .isEqualTo(Reachability.YES);
    assertThat(NodeReach.of(List.of(in("rack", "a")), ON_A)).isEqualTo(Reachability.NO);
  }

  @Test
  void of_noTerms_isYes() {
    assertThat(NodeReach.of(List.of(), ON_A)).isEqualTo(Reachability.YES);
    assertThat(NodeReach.of(List.of(), Optional.empty())).isEqualTo(Reachability.YES);
  }

  @Test
  void of_emptyTerm_isNo() {
    assertThat(NodeReach.of(List.of(List.of()), ON_A)).isEqualTo(Reachability.NO);
  }

  /** Unknown must not count as elsewhere: the volume would never be deleted, nor kept knowingly. */
  @Test
  void of_unsupportedOperatorOrUnknownNode_isUnknown() {
    List<Requirement> unsupported = List.of(new Requirement("host", "Gt", List.of("1")));
    assertThat(NodeReach.of(List.of(unsupported), ON_A)).isEqualTo(Reachability.UNKNOWN);
    assertThat(NodeReach.of(List.of(unsupported, in("host", "a")), ON_A))
        .isEqualTo(Reachability.YES);
    assertThat(NodeReach.of(List.of(in("host", "a")), Optional.empty()))
        .isEqualTo(Reachability.UNKNOWN);
  }
}
