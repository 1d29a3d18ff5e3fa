package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiNode;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What may be the end of a claim's wait, and what is not. */
class SourceRulesTest {
  private static Claim claim(ClaimPhase phase) {
    return Builders.claim("ns", "c")
        .uid("u")
        .storageClass("fast")
        .volumeName("v")
        .status(new Claim.Status(phase, List.of(), Map.of(), ""))
        .build();
  }

  private static VolumeSnapshot snapshot(
      boolean ready, String content, Optional<Quantity> size, String problem) {
    return Builders.volumeSnapshot("ns", "s")
        .uid("u")
        .status(new VolumeSnapshot.Status(content, ready, 0, size, new Problem(1, problem), ""))
        .build();
  }

  private static SnapshotContent content(String handle, boolean ready, String problem) {
    return Builders.snapshotContent("s")
        .uid("u")
        .status(new SnapshotContent.Status(handle, 0, 0, ready, new Problem(1, problem), ""))
        .build();
  }

  private static Volume volume(String uid, VolumePhase phase) {
    return Builders.volume(ObjectKey.cluster("v")).uid(uid).phase(phase).build();
  }

  private static Node node(Map<String, String> labels) {
    return Builders.node("n").labels(labels).build();
  }

  @Test
  void aClaimMattersThatGetsAnotherPhaseVolumeClassOrUid() {
    Claim before = claim(ClaimPhase.PENDING);
    assertThat(SourceRules.concerns(before, claim(ClaimPhase.BOUND))).isTrue();
    assertThat(SourceRules.concerns(before, Builders.like(before).volumeName("w").build()))
        .isTrue();
    assertThat(SourceRules.concerns(before, Builders.like(before).storageClass("slow").build()))
        .isTrue();
    assertThat(SourceRules.concerns(before, Builders.like(before).uid("other").build())).isTrue();
    assertThat(SourceRules.concerns(before, Builders.like(before).deleted(1).build())).isTrue();
    assertThat(
            SourceRules.concerns(
                before, Builders.like(before).finalizers(List.of("held")).labels(Map.of()).build()))
        .isFalse();
  }

  @Test
  void aVolumeMattersThatGetsAnotherPhaseOrUid() {
    Volume before = volume("u", VolumePhase.AVAILABLE);
    assertThat(SourceRules.concerns(before, volume("u", VolumePhase.BOUND))).isTrue();
    assertThat(SourceRules.concerns(before, volume("w", VolumePhase.AVAILABLE))).isTrue();
    assertThat(SourceRules.concerns(before, volume("u", VolumePhase.AVAILABLE))).isFalse();
  }

  @Test
  void aSnapshotMattersThatBecomesReadyOrGetsAContentOrASize() {
    VolumeSnapshot before = snapshot(false, "", Optional.empty(), "busy");
    assertThat(SourceRules.concerns(before, snapshot(true, "", Optional.empty(), "busy"))).isTrue();
    assertThat(SourceRules.concerns(before, snapshot(false, "s", Optional.empty(), "busy")))
        .isTrue();
    assertThat(
            SourceRules.concerns(
                before, snapshot(false, "", Optional.of(Quantity.of("1Gi")), "busy")))
        .isTrue();
    assertThat(SourceRules.concerns(before, snapshot(false, "", Optional.empty(), "again")))
        .as("one error after the other")
        .isFalse();
  }

  /** An annotation that caches do not keep may allow another mode. */
  @Test
  void aContentMattersThatGetsAHandleOrChangesBesideItsStatus() {
    SnapshotContent before = content("", false, "busy");
    assertThat(SourceRules.concerns(before, content("h", false, "busy"))).isTrue();
    assertThat(SourceRules.concerns(before, content("", false, "busy"))).isTrue();
    assertThat(SourceRules.concerns(before, content("", false, "again"))).isFalse();
    SnapshotContent begun =
        Builders.like(before).annotations(Map.of(SnapshotContent.BEING_CREATED, "yes")).build();
    assertThat(SourceRules.concerns(before, begun)).as("its driver is asked").isFalse();
    assertThat(SourceRules.concerns(begun, content("", false, "again"))).as("and fails").isFalse();
    SnapshotContent.Ref ref = new SnapshotContent.Ref(ObjectKey.of("ns", "s"), Uid.of("u"));
    assertThat(
            SourceRules.concerns(
                before, Builders.like(content("", false, "again")).snapshot(ref).build()))
        .as("it fails and gets its snapshot, seen in one")
        .isTrue();
  }

  @Test
  void aNodeMattersWhoseLabelsSayWhereTheDriverIs() {
    CsiNode csiNode =
        Builders.csiNode("n")
            .drivers(
                List.of(
                    new CsiNode.Driver("other", "n", List.of("rack"), 0),
                    new CsiNode.Driver("d", "n", List.of("zone"), 0)))
            .build();
    List<String> keys = SourceRules.keys(csiNode, "d");
    assertThat(keys).containsExactly("zone");
    assertThat(SourceRules.keys(csiNode, "none")).isEmpty();
    Node before = node(Map.of("rack", "r"));
    assertThat(SourceRules.concerns(before, node(Map.of("rack", "r", "zone", "z")), keys)).isTrue();
    assertThat(SourceRules.concerns(before, node(Map.of("rack", "s")), keys)).isFalse();
    assertThat(SourceRules.concerns(before, node(Map.of("zone", "z")), List.of())).isFalse();
  }
}
