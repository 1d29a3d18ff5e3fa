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
  void decide_matchingTerm_isYes() {
    assertThat(NodeReach.decide(List.of(in("host", "a")), ON_A)).isEqualTo(Reachability.YES);
    assertThat(NodeReach.decide(List.of(in("host", "b")), ON_A)).isEqualTo(Reachability.NO);
    assertThat(NodeReach.decide(List.of(in("host", "b"), in("host", "c", "a")), ON_A))
        .isEqualTo(Reachability.YES);
    assertThat(NodeReach.decide(List.of(in("rack", "a")), ON_A)).isEqualTo(Reachability.NO);
  }

  @Test
  void decide_noTerms_isYes() {
    assertThat(NodeReach.decide(List.of(), ON_A)).isEqualTo(Reachability.YES);
    assertThat(NodeReach.decide(List.of(), Optional.empty())).isEqualTo(Reachability.YES);
  }

  @Test
  void decide_emptyTerm_isNo() {
    assertThat(NodeReach.decide(List.of(List.of()), ON_A)).isEqualTo(Reachability.NO);
  }

  /** Unknown must not count as elsewhere: the volume would never be deleted, nor kept knowingly. */
  @Test
  void decide_unsupportedOperatorOrUnknownNode_isUnknown() {
    List<Requirement> unsupported = List.of(new Requirement("host", "Gt", List.of("1")));
    assertThat(NodeReach.decide(List.of(unsupported), ON_A)).isEqualTo(Reachability.UNKNOWN);
    assertThat(NodeReach.decide(List.of(unsupported, in("host", "a")), ON_A))
        .isEqualTo(Reachability.YES);
    assertThat(NodeReach.decide(List.of(in("host", "a")), Optional.empty()))
        .isEqualTo(Reachability.UNKNOWN);
  }
}
