package dev.mooring.plugin.localpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.plugin.localpath.SharedDirectories.Verdict;
import dev.mooring.spi.files.RelativePath;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedDirectoriesTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  private static final Node NODE = LocalPathFixtures.node("node-1");

  static Volume volume(
      String name, String path, String claim, ReclaimPolicy policy, NodeAffinity affinity) {
    return TestObjects.volume(ObjectKey.cluster(name))
        .uid(name)
        .capacity(Map.of())
        .source(VolumeSource.hostPath(path))
        .claimRef(new ClaimRef(ObjectKey.of("ns", claim), Uid.of("u")))
        .reclaimPolicy(policy)
        .storageClass("local-path")
        .status(new Volume.Status(VolumePhase.RELEASED, "", ""))
        .nodeAffinity(affinity)
        .build();
  }

  private static VolumeDirectory directory() throws Exception {
    return new VolumeDirectory(BasePath.of("/data"), RelativePath.of("ns/c"));
  }

  @ParameterizedTest
  @CsvSource({
    "/data/ns/c,    true",
    "/data/ns/c/,   true",
    "/data//ns/c,   true",
    "/data/ns/c/x,  true",
    "/data/ns/c/.mooring/x, true",
    "/data/ns/c/.MOORING-NEW-x, true",
    "/data/ns,      true",
    "/data/ns/d,    false",
    "/data/ns/cc,   false",
    "/data,         false",
    "/other/ns/c,   false",
  })
  void findSharing_sameInnerOrOuterDirectory_isFound(String path, boolean overlaps)
      throws Exception {
    List<Volume> all =
        List.of(
            volume(
                "other", path, "c", ReclaimPolicy.DELETE, LocalPathFixtures.affinityTo("node-1")));
    assertThat(SharedDirectories.findSharing(directory(), "pvc-1", Optional.of(NODE), all))
        .hasSize(overlaps ? 1 : 0);
  }

  @Test
  void findSharing_otherNode_findsNothing() throws Exception {
    List<Volume> all =
        List.of(
            volume(
                "pvc-1",
                "/data/ns/c",
                "c",
                ReclaimPolicy.DELETE,
                LocalPathFixtures.affinityTo("node-1")),
            volume(
                "far",
                "/data/ns/c",
                "c",
                ReclaimPolicy.DELETE,
                LocalPathFixtures.affinityTo("node-2")));
    assertThat(SharedDirectories.findSharing(directory(), "pvc-1", Optional.of(NODE), all))
        .isEmpty();
    assertThat(SharedDirectories.findSharing(directory(), "pvc-1", Optional.empty(), all))
        .as("where the directory is on all nodes")
        .hasSize(1);
  }

  @Test
  void decideUse_retainedDirectory_isReusedBySameClaimOnly() throws Exception {
    NodeAffinity nodeAffinity = LocalPathFixtures.affinityTo("node-1");
    Volume retained = volume("old", "/data/ns/c", "c", ReclaimPolicy.RETAIN, nodeAffinity);
    Volume released = volume("old", "/data/ns/c", "c", ReclaimPolicy.DELETE, nodeAffinity);
    Volume others = volume("old", "/data/ns/c", "d", ReclaimPolicy.RETAIN, nodeAffinity);
    Volume inside = volume("old", "/data/ns/c/x", "c", ReclaimPolicy.RETAIN, nodeAffinity);
    assertThat(SharedDirectories.decideUse(directory(), CLAIM, List.of()))
        .isInstanceOf(Verdict.Free.class);
    assertThat(SharedDirectories.decideUse(directory(), CLAIM, List.of(retained)))
        .isInstanceOf(Verdict.Free.class);
    assertThat(SharedDirectories.decideUse(directory(), CLAIM, List.of(retained, released)))
        .isInstanceOf(Verdict.NotYet.class);
    assertThat(SharedDirectories.decideUse(directory(), CLAIM, List.of(others)))
        .isInstanceOf(Verdict.Taken.class);
    assertThat(SharedDirectories.decideUse(directory(), CLAIM, List.of(inside)))
        .isInstanceOf(Verdict.Taken.class);
  }

  @Test
  void refusal_forAVolumeOfAnotherNamespace_doesNotNameIt() throws Exception {
    Volume own = volume("own", "/data/ns/c", "d", ReclaimPolicy.RETAIN, NodeAffinity.NONE);
    Volume foreign =
        TestObjects.volume(ObjectKey.cluster("secret"))
            .source(VolumeSource.hostPath("/data/ns/c"))
            .claimRef(new ClaimRef(ObjectKey.of("rival", "c"), Uid.of("u")))
            .build();
    assertThat(SharedDirectories.decideUse(directory(), CLAIM, List.of(own)).toString())
        .contains("belongs to volume own");
    assertThat(SharedDirectories.decideUse(directory(), CLAIM, List.of(foreign)).toString())
        .contains("belongs to a volume of another namespace")
        .doesNotContain("secret", "rival");
  }
}
