package dev.mooring.expander.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.expander.ExpandableClaims;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.StepActor;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.GivenClusterView;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ResizeExplainerTest {
  /**
   * The claim requests more while its node has yet to grow the file system to the previous size.
   */
  @ParameterizedTest
  @CsvSource({
    "3Gi, it has 1Gi and requests 3Gi",
    "4Gi, 'it has 1Gi and requests 4Gi; its volume has 3Gi, and is expanded further after its file system has grown to that size'"
  })
  void explain_claimWaitsForNode_namesSizeOfSmallerVolume(String requested, String expectedNote)
      throws InterruptedException {
    Claim claim = ExpandableClaims.claim(requested, "1Gi", "3Gi", ResizeState.NODE_PENDING);
    GivenClusterView clusterView =
        new GivenClusterView()
            .with(Kind.CLAIM, List.of(claim))
            .with(
                Kind.VOLUME,
                List.of(
                    ExpandableClaims.volume(
                        VolumeSource.csi("d", "h"), "3Gi", VolumeMode.FILESYSTEM, "")));
    Explanation explanation =
        new ResizeExplainer(clusterView, Compat.MOORING)
            .explain(claim.key(), Detail.EVIDENCE)
            .getFirst();
    assertThat(explanation.cause().code()).isEqualTo("ResizeWaitsForNode");
    assertThat(explanation.cause().meaning()).doesNotContain("large enough");
    assertThat(explanation.message()).isEqualTo(expectedNote);
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "CONTROLLER_IN_PROGRESS"})
  void explain_requestExceedsCsiLimit_namesRejectionAndRemedy(ResizeState state)
      throws InterruptedException {
    Claim claim = ExpandableClaims.claim("10E", "1Gi", null, state);
    GivenClusterView clusterView =
        new GivenClusterView()
            .with(Kind.CLAIM, List.of(claim))
            .with(
                Kind.VOLUME,
                List.of(
                    ExpandableClaims.volume(
                        VolumeSource.csi("d", "h"), "1Gi", VolumeMode.FILESYSTEM, "")));
    Explanation explanation =
        new ResizeExplainer(clusterView, Compat.MOORING)
            .explain(claim.key(), Detail.EVIDENCE)
            .getFirst();
    assertThat(explanation.cause().code()).isEqualTo("ResizeRefused");
    assertThat(explanation.message())
        .isEqualTo(
            "it has 1Gi; the claim requests 10E, and CSI drivers can provide at most"
                + " 9223372036854775807 bytes: request less");
    assertThat(explanation.nextStep().actor()).isEqualTo(StepActor.PERSON);
    assertThat(explanation.nextStep().text())
        .contains("smaller than now, but larger than the claim");
  }
}
