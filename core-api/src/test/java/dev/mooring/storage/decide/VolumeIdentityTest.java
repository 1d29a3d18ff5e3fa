package dev.mooring.storage.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeIdentityTest {
  private static VolumeSource source(String text) {
    String[] fields = text.split(" ", -1);
    return switch (fields[0]) {
      case "csi" -> VolumeSource.csi(fields[1], fields[2].replace("-", ""));
      case "nfs" -> VolumeSource.nfs(fields[1], fields[2]);
      case "hostPath" -> VolumeSource.hostPath(fields[1]);
      case "local" -> VolumeSource.local(fields[1]);
      case "ebs" ->
          new VolumeSource(
              "awsElasticBlockStore", Map.of("volumeID", fields[1], "fsType", fields[2]));
      case "iscsi" ->
          new VolumeSource(
              "iscsi", Map.of("targetPortal", fields[1], "iqn", "q", "readOnly", fields[2]));
      default -> VolumeSource.NONE;
    };
  }

  private static Volume volume(String name, String source, NodeAffinity nodes) {
    return TestObjects.volume(ObjectKey.cluster(name))
        .uid(name)
        .source(source(source))
        .nodeAffinity(nodes)
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "csi d h,             csi d h,             true",
    "csi d h,             csi e h,             false",
    "csi d h,             csi d i,             false",
    "csi d -,             csi d -,             false",
    "ebs vol1 ext4,       csi ebs.csi.aws.com vol1, true",
    "ebs vol-1 ext4,      ebs vol-1 xfs,       true",
    "nfs s /a,            nfs s /a/,           true",
    "nfs s /a,            nfs t /a,            false",
    "nfs s /a,            nfs s /a/b,          false",
    "hostPath /tmp/a/../b, hostPath //tmp/b/., true",
    "hostPath /tmp/a,     local /tmp/a,        true",
    "iscsi p true,        iscsi p false,       true",
    "none,                none,                false",
  })
  void areTwins_twoSources_comparesStorage(String source, String otherSource, boolean twins) {
    Volume first = volume("a", source, NodeAffinity.NONE);
    Volume second = volume("b", otherSource, NodeAffinity.NONE);
    assertThat(VolumeIdentity.areTwins(first, second)).isEqualTo(twins);
    assertThat(VolumeIdentity.areTwins(first, first)).isFalse();
  }

  @Test
  void areTwins_samePathOnDifferentNodes_isFalse() {
    Volume volume = volume("a", "local /disk", on("n1"));
    assertThat(VolumeIdentity.areTwins(volume, volume("b", "local /disk", on("n2")))).isFalse();
    assertThat(VolumeIdentity.areTwins(volume, volume("b", "local /disk", on("n1")))).isTrue();
    assertThat(VolumeIdentity.areTwins(volume, volume("b", "local /disk", NodeAffinity.NONE)))
        .isTrue();
  }

  private static NodeAffinity on(String node) {
    LabelSelector.Requirement named =
        new LabelSelector.Requirement("metadata.name", "In", List.of(node));
    return new NodeAffinity(List.of(new NodeAffinity.Term(List.of(), List.of(named))));
  }
}
