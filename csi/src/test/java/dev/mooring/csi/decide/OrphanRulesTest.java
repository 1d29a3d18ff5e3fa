package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.OrphanRules.DriverList;
import dev.mooring.csi.decide.OrphanRules.References;
import dev.mooring.csi.decide.OrphanRules.Review;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.TestObjects;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class OrphanRulesTest {
  private static final AbandonedVolume DELETED = abandoned(true, 0);
  private static final AbandonedVolume VANISHED = abandoned(false, 0);
  private static final References NO_REFERENCES = new References(Map.of(), Set.of(), Set.of());

  private static AbandonedVolume abandoned(boolean isDeleted, int sightings) {
    return new AbandonedVolume(
        "h", "pvc-c", Uid.of("v"), Uid.of("c"), "fast", 7, isDeleted, sightings);
  }

  /** Returns a list with the volume, published to the nodes. */
  private static DriverList list(String... nodes) {
    return new DriverList(
        Map.of("h", new ListedVolume(7, List.of(nodes))), Set.of("h"), Set.of("own"), true);
  }

  private record Row(
      String id, AbandonedVolume volume, DriverList list, References references, Review review) {}

  private static List<Row> rows() {
    Review unseen = new Review.Watch(VANISHED);
    return List.of(
        new Row(
            "gone",
            DELETED,
            new DriverList(Map.of(), Set.of(), Set.of(), true),
            NO_REFERENCES,
            new Review.Forget()),
        new Row(
            "a later PersistentVolume has it",
            DELETED,
            list(),
            new References(Map.of("h", Set.of(Uid.of("later"))), Set.of(), Set.of()),
            new Review.Forget()),
        new Row(
            "its own PersistentVolume is not removed yet",
            DELETED,
            new DriverList(list().volumes(), Set.of(), Set.of(), true),
            new References(Map.of("h", Set.of(Uid.of("v"))), Set.of(), Set.of()),
            new Review.Watch(DELETED)),
        new Row(
            "deletion confirmed, first list",
            DELETED,
            list(),
            NO_REFERENCES,
            new Review.Report(abandoned(true, 1))),
        new Row(
            "reported before",
            abandoned(true, 1),
            list(),
            NO_REFERENCES,
            new Review.Watch(abandoned(true, 2))),
        new Row(
            "vanished, first list",
            VANISHED,
            list(),
            NO_REFERENCES,
            new Review.Watch(abandoned(false, 1))),
        new Row(
            "vanished, third list",
            abandoned(false, 2),
            list("own"),
            NO_REFERENCES,
            new Review.Report(abandoned(false, 3))),
        new Row(
            "published to a node of another cluster",
            abandoned(false, 2),
            list("own", "foreign"),
            NO_REFERENCES,
            unseen),
        new Row(
            "an attachment or pod names it",
            abandoned(false, 2),
            new DriverList(list().volumes(), Set.of(), Set.of(), true),
            NO_REFERENCES,
            unseen),
        new Row(
            "its claim waits for a volume",
            abandoned(false, 2),
            list(),
            new References(Map.of(), Set.of(Uid.of("c")), Set.of()),
            unseen),
        new Row(
            "a snapshot is taken from it",
            abandoned(false, 2),
            list(),
            new References(Map.of(), Set.of(), Set.of("h")),
            unseen));
  }

  @TestFactory
  Stream<DynamicTest> review_everyRow_hasItsResult() {
    return rows().stream()
        .map(row ->
            DynamicTest.dynamicTest(
                row.id(),
                () ->
                    assertThat(OrphanRules.review(row.volume(), row.list(), row.references()))
                        .isEqualTo(row.review())));
  }

  private static Volume volume(ReclaimPolicy policy, long secondsAfterMark) {
    String uid = "0f0e0d0c-0000-4000-8000-000000000001";
    Instant created = Instant.parse("2026-11-28T20:00:00Z");
    return TestObjects.volume(
            TestObjects.metaOf(ObjectKey.cluster("pvc-" + uid))
                .uid("v")
                .created(created.getEpochSecond() + secondsAfterMark)
                .annotation(VolumeOrigin.PROVISIONED_BY, "d")
                .annotation(VolumeOrigin.MADE_AT, created.toString())
                .meta())
        .claimRef(ObjectKey.of("ns", "c"), uid)
        .reclaimPolicy(policy)
        .build();
  }

  @Test
  void isAbandoned_copyOrPolicyRetain_isFalse() {
    assertThat(OrphanRules.isAbandoned(volume(ReclaimPolicy.DELETE, 0), false)).isTrue();
    assertThat(OrphanRules.isAbandoned(volume(ReclaimPolicy.DELETE, 0), true))
        .as("the last state is unknown")
        .isFalse();
    assertThat(OrphanRules.isAbandoned(volume(ReclaimPolicy.RETAIN, 0), false)).isFalse();
    assertThat(OrphanRules.isAbandoned(volume(ReclaimPolicy.DELETE, 86_400), false))
        .as("restored in another cluster")
        .isFalse();
  }
}
