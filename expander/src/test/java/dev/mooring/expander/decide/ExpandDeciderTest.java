package dev.mooring.expander.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** spec/expander.md 2.1 and 2.2. */
class ExpandDeciderTest {
  private static final ObjectKey KEY = ObjectKey.of("ns", "c");
  private static final VolumeSource CSI = VolumeSource.csi("d", "h");

  private static Claim claim(String asked, String given) {
    return new Claim(
        new Meta(KEY, Uid.of("u"), 1, 1, 0, Map.of(), Map.of(), List.of()),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of(asked),
        "",
        "v",
        VolumeMode.FILESYSTEM,
        null,
        "",
        false,
        new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of("storage", Quantity.of(given)), ""));
  }

  private static Volume volume(VolumeSource source, String uid, boolean marked) {
    return new Volume(
        new Meta(
            ObjectKey.cluster("v"),
            Uid.of("v"),
            1,
            1,
            0,
            Map.of(),
            marked ? Map.of(ExpandDecider.PRE_RESIZE_CAPACITY, "1Gi") : Map.of(),
            List.of()),
        Map.of(),
        source,
        AccessModes.of("ReadWriteOnce"),
        new ClaimRef(KEY, Uid.of(uid)),
        ReclaimPolicy.DELETE,
        "",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  @Test
  void aClaimThatHasWhatItAsksForIsLeftAlone() {
    assertThat(ExpandDecider.decide(claim("1Gi", "1024Mi"), volume(CSI, "u", false), true))
        .isEqualTo(new ExpandDecision.Nothing());
  }

  @Test
  void aClaimThatAsksForMoreIsLeftToTheDriversResizer() {
    assertThat(ExpandDecider.decide(claim("2Gi", "1Gi"), volume(CSI, "u", false), true))
        .isEqualTo(new ExpandDecision.LeaveToOthers());
  }

  @Test
  void aVolumeOfAMigratedPluginIsHandedToItsDriver() {
    VolumeSource ebs = new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "x"));
    assertThat(ExpandDecider.decide(claim("2Gi", "1Gi"), volume(ebs, "u", false), true))
        .isEqualTo(new ExpandDecision.HandOver("kubernetes.io/aws-ebs", "ebs.csi.aws.com"));
  }

  @Test
  void anothersVolumeIsNoneOfItsBusiness() {
    assertThat(ExpandDecider.decide(claim("2Gi", "1Gi"), volume(CSI, "x", false), true))
        .isInstanceOf(ExpandDecision.NotBound.class);
  }

  @Test
  void aLeftOverMarkIsToldOfInKubernetesOnly() {
    Claim claim = claim("1Gi", "1Gi");
    Volume marked = volume(CSI, "u", true);
    assertThat(ExpandDecider.decide(claim, marked, true))
        .isEqualTo(new ExpandDecision.LeaveToOthers());
    assertThat(ExpandDecider.decide(claim, marked, false)).isEqualTo(new ExpandDecision.Nothing());
    assertThat(ExpandDecider.mayConcern(claim, false)).isFalse();
  }

  @Test
  void onlyGrowthConcernsIt() {
    assertThat(ExpandDecider.concerns(claim("1Gi", "1Gi"), claim("2Gi", "1Gi"))).isTrue();
    assertThat(ExpandDecider.concerns(claim("3Gi", "1Gi"), claim("2Gi", "1Gi"))).isFalse();
    assertThat(ExpandDecider.concerns(claim("2Gi", "1Gi"), claim("2Gi", "2Gi"))).isTrue();
  }
}
