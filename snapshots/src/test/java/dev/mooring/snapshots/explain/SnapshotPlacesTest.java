package dev.mooring.snapshots.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.NamedFact;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotPlacesTest {
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "copy");
  private static final ObjectKey SNAPSHOT = ObjectKey.of("shop", "s");
  private static final ObjectKey CONTENT = ObjectKey.cluster("sc");
  private static final NamedFact PLACE =
      new NamedFact("snapshot", "Usable in", "zone in [z1, z2], or zone in [z4]");

  private final GivenClusterView view = new GivenClusterView();

  private static Map<String, Object> term(String... zones) {
    return Map.of(
        "matchLabelExpressions", List.of(Map.of("key", "zone", "values", List.of(zones))));
  }

  private static Map<String, Object> spec(String member, Object value) {
    return Map.of("spec", Map.of(member, value));
  }

  private void putContent(Object affinity) {
    view.withDocument(Kind.SNAPSHOT_CONTENT, CONTENT, spec("nodeAffinity", affinity));
    view.withDocument(
        Kind.SNAPSHOT,
        SNAPSHOT,
        Map.of("status", Map.of("boundVolumeSnapshotContentName", CONTENT.name())));
  }

  private List<NamedFact> describeSource(String kind, boolean hasDataSource) throws Exception {
    view.withDocument(
        Kind.CLAIM, CLAIM, spec("dataSource", Map.of("kind", kind, "name", SNAPSHOT.name())));
    Claim claim = TestObjects.claim(CLAIM).hasDataSource(hasDataSource).build();
    return new SnapshotPlaces(view).describeSource(claim);
  }

  @Test
  void restoredClaim_contentWithAffinity_namesSnapshotAndPlace() throws Exception {
    putContent(List.of(term("z1", "z2"), term("z4")));
    assertThat(describeSource("VolumeSnapshot", true))
        .containsExactly(new NamedFact("snapshot", "Name", "s"), PLACE);
    assertThat(describeSource("PersistentVolumeClaim", true)).isEmpty();
    assertThat(describeSource("VolumeSnapshot", false)).isEmpty();
  }

  @Test
  void restoredClaim_contentWithoutAffinityOrUnreadable_hasNoFacts() throws Exception {
    assertThat(describeSource("VolumeSnapshot", true)).isEmpty();
    putContent(List.of());
    assertThat(describeSource("VolumeSnapshot", true)).isEmpty();
    putContent("not a list");
    assertThat(describeSource("VolumeSnapshot", true)).isEmpty();
  }

  @Test
  void snapshotAndContent_withEvidence_havePlace() throws Exception {
    putContent(List.of(term("z1", "z2"), term("z4")));
    SnapshotContent content =
        TestObjects.snapshotContent(CONTENT.name())
            .driver("d")
            .snapshot(new SnapshotContent.Ref(SNAPSHOT, Uid.of("u")))
            .build();
    VolumeSnapshot snapshot =
        TestObjects.volumeSnapshot(SNAPSHOT.namespace(), SNAPSHOT.name())
            .uid("u")
            .sourceContent(CONTENT.name())
            .build();
    view.with(Kind.SNAPSHOT_CONTENT, List.of(content)).with(Kind.SNAPSHOT, List.of(snapshot));
    for (Explainer explainer : SnapshotExplainers.of(view)) {
      ObjectKey key = explainer.kind().equals(Kind.SNAPSHOT) ? SNAPSHOT : CONTENT;
      if (explainer.kind().equals(Kind.SNAPSHOT)
          || explainer.kind().equals(Kind.SNAPSHOT_CONTENT)) {
        assertThat(explainer.explain(key, Detail.EVIDENCE).getFirst().evidence().facts())
            .contains(PLACE);
        assertThat(explainer.explain(key, Detail.SUMMARY).getFirst().evidence().facts())
            .doesNotContain(PLACE);
      }
    }
  }
}
