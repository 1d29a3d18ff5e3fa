package dev.mooring.csi.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthExplainerTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  private static final HealthCondition DEGRADED =
      new HealthCondition("Degraded", "PathLost", "one of two paths");
  private static final HealthCondition INACCESSIBLE =
      new HealthCondition("Inaccessible", "DiskFailure", "");

  private static List<Explanation> explain(HealthCondition... conditions) {
    Claim claim =
        TestObjects.claim(CLAIM).phase(ClaimPhase.BOUND).healthConditions(conditions).build();
    return new HealthExplainer(new GivenClusterView().with(Kind.CLAIM, List.of(claim)))
        .explain(CLAIM, Detail.EVIDENCE);
  }

  @Test
  void explain_severalConditions_namesWorstAndListsAll() {
    Explanation explanation = explain(DEGRADED, INACCESSIBLE).getFirst();
    assertThat(explanation.cause().code()).isEqualTo("VolumeInaccessible");
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.FAILING);
    assertThat(explanation.state()).isEqualTo("Bound");
    assertThat(explanation.evidence().errors())
        .containsExactly("Degraded: PathLost: one of two paths", "Inaccessible: DiskFailure");
  }

  @Test
  void explain_unknownStatus_isDegraded() {
    assertThat(explain(new HealthCondition("Tired", "Age", "")).getFirst().cause().code())
        .isEqualTo("VolumeDegraded");
    assertThat(explain(DEGRADED, new HealthCondition("DataLoss", "R", "")).getFirst().cause())
        .extracting(cause -> cause.code())
        .isEqualTo("VolumeDataLoss");
  }

  @Test
  void explain_noConditions_isEmpty() {
    assertThat(explain()).isEmpty();
  }
}
