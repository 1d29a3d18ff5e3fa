package dev.mooring.manager.shadow.pairing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WriteFactsTest {
  private static final ObjectKey VOLUME = ObjectKey.cluster("v");
  private static final ObjectKey CLAIM = ObjectKey.of("default", "c");

  @Test
  void patch_claimRef_namesTheVolumeOfTheClaim() {
    Document patch =
        Document.empty()
            .set("default", "spec", "claimRef", "namespace")
            .set("c", "spec", "claimRef", "name")
            .set("u1", "spec", "claimRef", "uid")
            .set("yes", "metadata", "annotations", "pv.kubernetes.io/bound-by-controller");

    assertThat(WriteFacts.ofPatch(Kind.VOLUME, VOLUME, patch, null))
        .containsOnly(
            Map.entry(new FactKey("PersistentVolume", VOLUME, "spec.claimRef"), "default/c u1"),
            Map.entry(new FactKey("PersistentVolumeClaim", CLAIM, "volume"), "v"),
            Map.entry(
                new FactKey(
                    "PersistentVolume",
                    VOLUME,
                    "metadata.annotations[pv.kubernetes.io/bound-by-controller]"),
                "yes"));
  }

  @Test
  void patch_ownMarks_changesNoFact() {
    Document patch =
        Document.empty()
            .set("1", "metadata", "annotations", "mooring.dev/version-mark")
            .set(List.of("mooring.dev/being-made"), "metadata", "finalizers");

    assertThat(WriteFacts.ofPatch(Kind.CLAIM, CLAIM, patch, null)).isEmpty();
  }

  @Test
  void patch_listOfAttachedVolumes_changesOnlyDifferences() {
    Node node =
        new Node(
            Meta.of(ObjectKey.cluster("n"), Uid.of("u")),
            List.of(),
            null,
            List.of(),
            Map.of("stays", "", "goes", ""));
    Document patch =
        Document.empty()
            .set(
                List.of(Map.of("name", "stays"), Map.of("name", "comes")),
                "status",
                "volumesAttached");

    assertThat(WriteFacts.ofPatch(Kind.NODE, node.key(), patch, node))
        .containsOnly(
            Map.entry(new FactKey("Node", node.key(), "status.volumesAttached[comes]"), "yes"),
            Map.entry(new FactKey("Node", node.key(), "status.volumesAttached[goes]"), ""));
  }
}
