package dev.mooring.expander.decide;

import static dev.mooring.expander.ExpandableClaims.FLEX;
import static dev.mooring.expander.ExpandableClaims.claim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.expander.ExpandableClaims;
import dev.mooring.expander.decide.ExpandDecider.GrowerLocation;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpandDeciderTest {
  private static final VolumeSource CSI = VolumeSource.csi("d", "h");

  private static Volume volume(VolumeSource source, boolean marked) {
    return ExpandableClaims.volume(source, "1Gi", VolumeMode.FILESYSTEM, marked ? "1Gi" : "");
  }

  private static ExpandDecision decideElsewhere(Claim claim, Volume volume, Compat compat) {
    return ExpandDecider.decide(claim, volume, GrowerLocation.ELSEWHERE, compat);
  }

  @Test
  void decide_claimHasRequestedCapacity_returnsNothing() {
    assertThat(decideElsewhere(claim("1Gi", "1024Mi"), volume(CSI, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.Nothing());
  }

  @Test
  void decide_csiVolume_isLeftToExternalResizer() {
    assertThat(decideElsewhere(claim("2Gi", "1Gi"), volume(CSI, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToExternalResizer());
  }

  @Test
  void decide_volumeWithoutPlugin_isLeftToExternalResizer() {
    VolumeSource local = new VolumeSource("local", Map.of("path", "/p"));
    assertThat(decideElsewhere(claim("2Gi", "1Gi"), volume(local, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToExternalResizer());
    assertThat(
            decideElsewhere(
                claim("2Gi", "1Gi"), volume(VolumeSource.nfs("s", "/p"), false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToExternalResizer());
  }

  @Test
  void decide_volumeOfMigratedPlugin_isHandedToDriver() {
    VolumeSource ebs = new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "x"));
    assertThat(decideElsewhere(claim("2Gi", "1Gi"), volume(ebs, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.HandOver("kubernetes.io/aws-ebs", "ebs.csi.aws.com"));
  }

  @Test
  void decide_volumeOfAnotherClaim_isNotBound() {
    Volume foreignVolume = ExpandableClaims.volume(FLEX, "1Gi", VolumeMode.FILESYSTEM, "", "x");
    assertThat(
            ExpandDecider.decide(
                claim("2Gi", "1Gi"), foreignVolume, GrowerLocation.HERE, Compat.KUBERNETES))
        .isInstanceOf(ExpandDecision.NotBound.class);
  }

  @Test
  void decide_leftoverAnnotation_isLeftToResizerInKubernetesOnly() {
    Claim claim = claim("1Gi", "1Gi");
    Volume marked = volume(CSI, true);
    assertThat(decideElsewhere(claim, marked, Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToExternalResizer());
    assertThat(decideElsewhere(claim, marked, Compat.MOORING))
        .isEqualTo(new ExpandDecision.Nothing());
    assertThat(ExpandDecider.isCandidate(claim, false, Compat.MOORING)).isFalse();
  }

  @Test
  void hasGrown_changedClaim_isTrueIfRequestOrCapacityGrew() {
    assertThat(ExpandDecider.hasGrown(claim("1Gi", "1Gi"), claim("2Gi", "1Gi"))).isTrue();
    assertThat(ExpandDecider.hasGrown(claim("3Gi", "1Gi"), claim("2Gi", "1Gi"))).isFalse();
    assertThat(ExpandDecider.hasGrown(claim("2Gi", "1Gi"), claim("2Gi", "2Gi"))).isTrue();
  }

  /** Rows of 2.3-1: requested, capacity, allocated, state, size of the volume; decision. */
  @ParameterizedTest
  @CsvSource({
    "3Gi, 1Gi, 2Gi, CONTROLLER_IN_PROGRESS, 1Gi, 2Gi",
    "3Gi, 1Gi, 2Gi, NODE_PENDING,           1Gi, 2Gi",
    "3Gi, 1Gi, 2Gi, NODE_IN_PROGRESS,       1Gi, 2Gi",
    "3Gi, 1Gi, 2Gi, NODE_INFEASIBLE,        1Gi, 2Gi",
    "3Gi, 1Gi,    , CONTROLLER_IN_PROGRESS, 1Gi, 3Gi",
    "3Gi, 1Gi, 2Gi, CONTROLLER_INFEASIBLE,  1Gi, 3Gi",
    "3Gi, 1Gi, 2Gi, NONE,                   1Gi, 3Gi",
    "2Gi, 1Gi, 2Gi, NODE_PENDING,           2Gi, nothing",
    "2Gi, 1Gi, 2Gi, NODE_IN_PROGRESS,       2Gi, nothing",
    "2Gi, 1Gi, 2Gi, NODE_INFEASIBLE,        2Gi, node",
    "2Gi, 1Gi, 3Gi, CONTROLLER_IN_PROGRESS, 2Gi, 3Gi",
    "2Gi, 1Gi, 3Gi, CONTROLLER_INFEASIBLE,  2Gi, 3Gi",
    "2Gi, 1Gi,    , CONTROLLER_INFEASIBLE,  2Gi, 2Gi",
    "2Gi, 1Gi, 3Gi, NONE,                   2Gi, 3Gi",
    "2Gi, 1Gi,    , NONE,                   2Gi, 2Gi",
  })
  void decide_resizeState_continuesInterruptedExpansion(
      String requested,
      String capacity,
      String allocated,
      ResizeState state,
      String size,
      String expectedResult) {
    ExpandDecision expected =
        switch (expectedResult) {
          case "nothing" -> new ExpandDecision.Nothing();
          case "node" -> new ExpandDecision.RequestNodeExpansion();
          default -> new ExpandDecision.Grow(Quantity.of(expectedResult));
        };
    assertThat(
            ExpandDecider.decide(
                claim(requested, capacity, allocated, state),
                ExpandableClaims.volume(FLEX, size, VolumeMode.FILESYSTEM, ""),
                GrowerLocation.HERE,
                Compat.MOORING))
        .isEqualTo(expected);
  }

  @Test
  void capacityToWrite_smallerReport_isWrittenInKubernetesOnly() {
    Quantity larger = Quantity.of("5Gi");
    Quantity smaller = Quantity.of("3Gi");
    assertThat(ExpandDecider.capacityToWrite(larger, smaller, Compat.MOORING)).isEqualTo(larger);
    assertThat(ExpandDecider.capacityToWrite(larger, smaller, Compat.KUBERNETES))
        .isEqualTo(smaller);
    assertThat(ExpandDecider.capacityToWrite(smaller, larger, Compat.MOORING)).isEqualTo(larger);
  }

  @Test
  void decide_fileSystemHasGrown_removesAnnotation() {
    Volume marked = ExpandableClaims.volume(FLEX, "2Gi", VolumeMode.FILESYSTEM, "1Gi");
    assertThat(
            ExpandDecider.decide(claim("2Gi", "2Gi"), marked, GrowerLocation.HERE, Compat.MOORING))
        .isEqualTo(new ExpandDecision.RemoveAnnotation());
    Claim pending = claim("2Gi", "1Gi", "2Gi", ResizeState.NODE_PENDING);
    assertThat(ExpandDecider.decide(pending, marked, GrowerLocation.HERE, Compat.MOORING))
        .isEqualTo(new ExpandDecision.Nothing());
    assertThat(ExpandDecider.isCandidate(claim("2Gi", "2Gi"), true, Compat.MOORING)).isTrue();
  }
}
