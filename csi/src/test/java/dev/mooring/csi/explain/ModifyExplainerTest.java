package dev.mooring.csi.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Explanations where the server does not serve the kind. */
class ModifyExplainerTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  private static Meta meta(ObjectKey key) {
    return TestObjects.metaOf(key).uid("u-" + key.name()).meta();
  }

  private static Claim claim() {
    return new Claim(
        meta(CLAIM),
        AccessModes.of("ReadWriteOnce"),
        Quantity.of("1Gi"),
        "",
        "v",
        VolumeMode.FILESYSTEM,
        null,
        "gold",
        false,
        null,
        new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), ""));
  }

  private static Volume volume() {
    return new Volume(
        meta(ObjectKey.cluster("v")),
        Map.of(),
        VolumeSource.csi("d", "h"),
        AccessModes.of("ReadWriteOnce"),
        new ClaimRef(CLAIM, Uid.of("u-c")),
        ReclaimPolicy.DELETE,
        "",
        VolumeMode.FILESYSTEM,
        "",
        new Volume.Status(VolumePhase.BOUND, "", ""));
  }

  @Test
  void explain_classMissing_isModifyClassMissing() throws InterruptedException {
    assertThat(explain(true).cause().code()).isEqualTo("ModifyClassMissing");
  }

  @Test
  void explain_kindNotServed_isUnknown() throws InterruptedException {
    Explanation explanation = explain(false);
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.UNKNOWN);
    assertThat(explanation.unreadableKinds().getFirst().error())
        .contains("does not have volumeattributesclasses");
  }

  @Test
  void explain_inTreeVolume_isModifyUnsupported() throws InterruptedException {
    Volume inTreeVolume =
        TestObjects.like(volume())
            .source(
                new VolumeSource(
                    "awsElasticBlockStore", Map.of("volumeID", "vol-0123456789abcdef0")))
            .build();
    GivenClusterView clusterView =
        new GivenClusterView()
            .with(Kind.CLAIM, List.of(claim()))
            .with(Kind.VOLUME, List.of(inTreeVolume));
    assertThat(
            new ModifyExplainer(clusterView)
                .explain(CLAIM, Detail.EVIDENCE)
                .getFirst()
                .cause()
                .code())
        .isEqualTo("ModifyUnsupported");
  }

  private static Explanation explain(boolean hasClasses) throws InterruptedException {
    GivenClusterView clusterView =
        new GivenClusterView()
            .with(Kind.CLAIM, List.of(claim()))
            .with(Kind.VOLUME, List.of(volume()));
    if (!hasClasses) {
      clusterView.withoutKind(Kind.ATTRIBUTES_CLASS);
    }
    return new ModifyExplainer(clusterView).explain(CLAIM, Detail.EVIDENCE).getFirst();
  }
}
