package dev.mooring.expander;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.FixedSight;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResizeExplainerTest {
  /** The claim asks for more while its node has yet to grow the file system to the size before. */
  @ParameterizedTest
  @CsvSource({
    "3Gi, it has 1Gi and asks for 3Gi",
    "4Gi, 'it has 1Gi and asks for 4Gi; its volume has 3Gi, and grows further after its file system has grown to that'"
  })
  void claim_thatWaitsForItsNode_namesAVolumeThatIsTooSmall(String asked, String note)
      throws InterruptedException {
    Claim claim = ExpandableClaims.claim(asked, "1Gi", "3Gi", ResizeState.NODE_PENDING);
    FixedSight sight =
        new FixedSight()
            .with(Kind.CLAIM, List.of(claim))
            .with(
                Kind.VOLUME,
                List.of(
                    ExpandableClaims.volume(
                        VolumeSource.csi("d", "h"), "3Gi", VolumeMode.FILESYSTEM, "")));
    Explanation told =
        new ResizeExplainer(sight, Compat.MOORING).explain(claim.key(), Detail.EVIDENCE).getFirst();
    assertThat(told.cause().code()).isEqualTo("ResizeWaitsForNode");
    assertThat(told.cause().meaning()).doesNotContain("large enough");
    assertThat(told.note()).isEqualTo(note);
  }
}
