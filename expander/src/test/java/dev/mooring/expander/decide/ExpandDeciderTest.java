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

/** Tables of spec/expander.md 2.1 to 2.3. */
class ExpandDeciderTest {
  private static final VolumeSource CSI = VolumeSource.csi("d", "h");

  private static Volume volume(VolumeSource source, boolean marked) {
    return ExpandableClaims.volume(source, "1Gi", VolumeMode.FILESYSTEM, marked ? "1Gi" : "");
  }

  private static ExpandDecision elsewhere(Claim claim, Volume volume, Compat compat) {
    return ExpandDecider.decide(claim, volume, GrowerLocation.ELSEWHERE, compat);
  }

  @Test
  void decide_claimWithRequestedCapacity_doesNothing() {
    assertThat(elsewhere(claim("1Gi", "1024Mi"), volume(CSI, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.Nothing());
  }

  @Test
  void decide_csiVolume_isLeftToTheDriversResizer() {
    assertThat(elsewhere(claim("2Gi", "1Gi"), volume(CSI, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToOthers());
  }

  @Test
  void decide_volumeWithoutPlugin_isLeftToOthers() {
    VolumeSource local = new VolumeSource("local", Map.of("path", "/p"));
    assertThat(elsewhere(claim("2Gi", "1Gi"), volume(local, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToOthers());
    assertThat(
            elsewhere(
                claim("2Gi", "1Gi"), volume(VolumeSource.nfs("s", "/p"), false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToOthers());
  }

  @Test
  void decide_migratedPlugin_handsOverToDriver() {
    VolumeSource ebs = new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "x"));
    assertThat(elsewhere(claim("2Gi", "1Gi"), volume(ebs, false), Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.HandOver("kubernetes.io/aws-ebs", "ebs.csi.aws.com"));
  }

  @Test
  void decide_volumeOfAnotherClaim_isNotBound() {
    Volume others = ExpandableClaims.volume(FLEX, "1Gi", VolumeMode.FILESYSTEM, "", "x");
    assertThat(
            ExpandDecider.decide(
                claim("2Gi", "1Gi"), others, GrowerLocation.HERE, Compat.KUBERNETES))
        .isInstanceOf(ExpandDecision.NotBound.class);
  }

  @Test
  void decide_leftoverAnnotation_emitsEventInKubernetesOnly() {
    Claim claim = claim("1Gi", "1Gi");
    Volume marked = volume(CSI, true);
    assertThat(elsewhere(claim, marked, Compat.KUBERNETES))
        .isEqualTo(new ExpandDecision.LeaveToOthers());
    assertThat(elsewhere(claim, marked, Compat.MOORING)).isEqualTo(new ExpandDecision.Nothing());
    assertThat(ExpandDecider.mayConcern(claim, false, Compat.MOORING)).isFalse();
  }

  @Test
  void concerns_changedClaim_onlyIfItGrows() {
    assertThat(ExpandDecider.concerns(claim("1Gi", "1Gi"), claim("2Gi", "1Gi"))).isTrue();
    assertThat(ExpandDecider.concerns(claim("3Gi", "1Gi"), claim("2Gi", "1Gi"))).isFalse();
    assertThat(ExpandDecider.concerns(claim("2Gi", "1Gi"), claim("2Gi", "2Gi"))).isTrue();
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
  void growthGoesOnFromWhereverItWasLeft(
      String asked, String given, String allocated, ResizeState state, String size, String done) {
    ExpandDecision expected =
        switch (done) {
          case "nothing" -> new ExpandDecision.Nothing();
          case "node" -> new ExpandDecision.AskNode();
          default -> new ExpandDecision.Grow(Quantity.of(done));
        };
    assertThat(
            ExpandDecider.decide(
                claim(asked, given, allocated, state),
                ExpandableClaims.volume(FLEX, size, VolumeMode.FILESYSTEM, ""),
                GrowerLocation.HERE,
                Compat.MOORING))
        .isEqualTo(expected);
  }

  @Test
  void capacity_smallerAnswer_countsInKubernetesOnly() {
    Quantity known = Quantity.of("5Gi");
    Quantity less = Quantity.of("3Gi");
    assertThat(ExpandDecider.capacity(known, less, Compat.MOORING)).isEqualTo(known);
    assertThat(ExpandDecider.capacity(known, less, Compat.KUBERNETES)).isEqualTo(less);
    assertThat(ExpandDecider.capacity(less, known, Compat.MOORING)).isEqualTo(known);
  }

  @Test
  void decide_fileSystemHasGrown_removesAnnotation() {
    Volume marked = ExpandableClaims.volume(FLEX, "2Gi", VolumeMode.FILESYSTEM, "1Gi");
    assertThat(
            ExpandDecider.decide(claim("2Gi", "2Gi"), marked, GrowerLocation.HERE, Compat.MOORING))
        .isEqualTo(new ExpandDecision.Unmark());
    Claim pending = claim("2Gi", "1Gi", "2Gi", ResizeState.NODE_PENDING);
    assertThat(ExpandDecider.decide(pending, marked, GrowerLocation.HERE, Compat.MOORING))
        .isEqualTo(new ExpandDecision.Nothing());
    assertThat(ExpandDecider.mayConcern(claim("2Gi", "2Gi"), true, Compat.MOORING)).isTrue();
  }
}
