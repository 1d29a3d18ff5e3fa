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
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Changes that can unblock a waiting claim, and changes that cannot. */
class SourceChangesTest {
  private static Claim claim(ClaimPhase phase) {
    return TestObjects.claim("ns", "c")
        .uid("u")
        .storageClass("fast")
        .volumeName("v")
        .status(new Claim.Status(phase, List.of(), Map.of(), ""))
        .build();
  }

  private static VolumeSnapshot snapshot(
      boolean ready, String content, Optional<Quantity> size, String problem) {
    return TestObjects.volumeSnapshot("ns", "s")
        .uid("u")
        .status(new VolumeSnapshot.Status(content, ready, 0, size, new Problem(1, problem), ""))
        .build();
  }

  private static SnapshotContent content(String handle, boolean ready, String problem) {
    return TestObjects.snapshotContent("s")
        .uid("u")
        .status(new SnapshotContent.Status(handle, 0, 0, ready, new Problem(1, problem), ""))
        .build();
  }

  private static Volume volume(String uid, VolumePhase phase) {
    return TestObjects.volume(ObjectKey.cluster("v")).uid(uid).phase(phase).build();
  }

  private static Node node(Map<String, String> labels) {
    return TestObjects.node("n").labels(labels).build();
  }

  @Test
  void canUnblock_claim_ifPhaseVolumeClassOrUidChanges() {
    Claim cached = claim(ClaimPhase.PENDING);
    assertThat(SourceChanges.canUnblock(cached, claim(ClaimPhase.BOUND))).isTrue();
    assertThat(SourceChanges.canUnblock(cached, TestObjects.like(cached).volumeName("w").build()))
        .isTrue();
    assertThat(
            SourceChanges.canUnblock(cached, TestObjects.like(cached).storageClass("slow").build()))
        .isTrue();
    assertThat(SourceChanges.canUnblock(cached, TestObjects.like(cached).uid("other").build()))
        .isTrue();
    assertThat(SourceChanges.canUnblock(cached, TestObjects.like(cached).deleted(1).build()))
        .isTrue();
    assertThat(
            SourceChanges.canUnblock(
                cached,
                TestObjects.like(cached).finalizers(List.of("held")).labels(Map.of()).build()))
        .isFalse();
  }

  @Test
  void canUnblock_volume_ifPhaseOrUidChanges() {
    Volume cached = volume("u", VolumePhase.AVAILABLE);
    assertThat(SourceChanges.canUnblock(cached, volume("u", VolumePhase.BOUND))).isTrue();
    assertThat(SourceChanges.canUnblock(cached, volume("w", VolumePhase.AVAILABLE))).isTrue();
    assertThat(SourceChanges.canUnblock(cached, volume("u", VolumePhase.AVAILABLE))).isFalse();
  }

  @Test
  void canUnblock_snapshot_ifReadinessContentOrSizeChanges() {
    VolumeSnapshot cached = snapshot(false, "", Optional.empty(), "busy");
    assertThat(SourceChanges.canUnblock(cached, snapshot(true, "", Optional.empty(), "busy")))
        .isTrue();
    assertThat(SourceChanges.canUnblock(cached, snapshot(false, "s", Optional.empty(), "busy")))
        .isTrue();
    assertThat(
            SourceChanges.canUnblock(
                cached, snapshot(false, "", Optional.of(Quantity.of("1Gi")), "busy")))
        .isTrue();
    assertThat(SourceChanges.canUnblock(cached, snapshot(false, "", Optional.empty(), "again")))
        .as("one error after another")
        .isFalse();
  }

  /** The change may be an annotation that allows another mode, which caches drop. */
  @Test
  void canUnblock_content_ifHandleOrSpecChanges() {
    SnapshotContent cached = content("", false, "busy");
    assertThat(SourceChanges.canUnblock(cached, content("h", false, "busy"))).isTrue();
    assertThat(SourceChanges.canUnblock(cached, content("", false, "busy"))).isTrue();
    assertThat(SourceChanges.canUnblock(cached, content("", false, "again"))).isFalse();
    SnapshotContent marked =
        TestObjects.like(cached).annotations(Map.of(SnapshotContent.BEING_CREATED, "yes")).build();
    assertThat(SourceChanges.canUnblock(cached, marked)).as("the driver is called").isFalse();
    assertThat(SourceChanges.canUnblock(marked, content("", false, "again")))
        .as("the call fails")
        .isFalse();
    SnapshotContent.Ref ref = new SnapshotContent.Ref(ObjectKey.of("ns", "s"), Uid.of("u"));
    assertThat(
            SourceChanges.canUnblock(
                cached, TestObjects.like(content("", false, "again")).snapshot(ref).build()))
        .as("a failure and a bound snapshot in one watch event")
        .isTrue();
  }

  @Test
  void canUnblock_node_ifTopologyLabelChanges() {
    CsiNode csiNode =
        TestObjects.csiNode("n")
            .drivers(
                List.of(
                    new CsiNode.Driver("other", "n", List.of("rack"), 0),
                    new CsiNode.Driver("d", "n", List.of("zone"), 0)))
            .build();
    List<String> keys = SourceChanges.topologyKeys(csiNode, "d");
    assertThat(keys).containsExactly("zone");
    assertThat(SourceChanges.topologyKeys(csiNode, "none")).isEmpty();
    Node cached = node(Map.of("rack", "r"));
    assertThat(SourceChanges.canUnblock(cached, node(Map.of("rack", "r", "zone", "z")), keys))
        .isTrue();
    assertThat(SourceChanges.canUnblock(cached, node(Map.of("rack", "s")), keys)).isFalse();
    assertThat(SourceChanges.canUnblock(cached, node(Map.of("zone", "z")), List.of())).isFalse();
  }
}
