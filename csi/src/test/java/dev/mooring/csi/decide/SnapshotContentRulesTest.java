package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotContentRulesTest {
  private static final String DRIVER = "csi.example.com";
  private static final Uid UID = Uid.of("12345678-1234-1234-1234-123456789abc");

  private static SnapshotContent content(String facts) {
    List<String> factWords = List.of(facts.split(" "));
    Map<String, String> annotations = new HashMap<>();
    if (factWords.contains("begun")) {
      annotations.put(SnapshotContent.BEING_CREATED, "yes");
    }
    if (factWords.contains("marked")) {
      annotations.put(SnapshotContent.BEING_DELETED, "yes");
    }
    if (factWords.contains("group")) {
      annotations.put(SnapshotContent.GROUP_MEMBER, "g");
    }
    boolean isPreProvisioned = factWords.contains("before");
    return new SnapshotContent(
        TestObjects.metaOf(ObjectKey.cluster("c"))
            .deleted(factWords.contains("deleted") ? 2 : 0)
            .annotations(annotations)
            .finalizers(
                factWords.contains("free") ? List.of() : List.of(SnapshotContent.BOUND_PROTECTION))
            .meta(),
        new SnapshotContent.Ref(
            new ObjectKey("default", "s"), factWords.contains("unbound") ? Uid.NONE : UID),
        factWords.contains("retain")
            ? ReclaimPolicy.RETAIN
            : factWords.contains("unknown") ? ReclaimPolicy.UNKNOWN : ReclaimPolicy.DELETE,
        factWords.contains("foreign") ? "other" : DRIVER,
        "fast",
        new SnapshotContent.Source(
            isPreProvisioned || factWords.contains("sourceless") ? "" : "vol-1",
            isPreProvisioned ? "snap-1" : ""),
        Optional.empty(),
        new SnapshotContent.Status(
            factWords.contains("known") || factWords.contains("ready") ? "snap-1" : "",
            0,
            0,
            factWords.contains("ready"),
            Problem.NONE,
            ""));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "new, Create",
    "foreign, NoAction",
    "sourceless, NoAction",
    "group, NoAction",
    "begun, Create",
    "known, Create",
    "known begun, Create",
    "ready, NoAction",
    "ready begun, ClearCreationMark",
    "before, Query",
    "before known, Query",
    "before ready, NoAction",
    "before unbound, Query",
    // a deleted content alone does not mean that its snapshot is deleted
    "deleted, Create",
    "deleted ready, NoAction",
    "deleted marked, RemoveFinalizer",
    // the outcome of the creation must be known first
    "deleted marked begun, Create",
    // the creation mark is removed before the handle, so that the deletion starts no new creation
    "deleted marked begun known, ClearCreationMark",
    // the policy keeps the data, whatever the outcome of the creation
    "deleted marked begun retain, RemoveFinalizer",
    "deleted marked begun unknown, RemoveFinalizer",
    "deleted begun retain, Create",
    "marked begun retain, Create",
    "deleted marked known, Delete",
    "deleted marked ready, Delete",
    "deleted marked ready begun, ClearCreationMark",
    "deleted marked ready retain, RemoveFinalizer",
    "deleted marked ready unknown, RemoveFinalizer",
    "deleted marked ready foreign, NoAction",
    // group members are neither created nor deleted alone
    "group known, Query",
    "group ready, NoAction",
    "deleted group ready, NoAction",
    "deleted marked ready group, RemoveFinalizer",
    "deleted marked ready group retain, RemoveFinalizer",
    "deleted marked group, RemoveFinalizer",
    "deleted marked free, NoAction",
    "deleted before marked, RemoveFinalizer",
    "deleted before marked known, Delete",
    // backup tools delete such a content to delete the data
    "deleted before unbound ready, Delete",
    "deleted before unbound marked ready, Delete",
    "deleted before unbound, RemoveFinalizer",
    "deleted before unbound ready retain, RemoveFinalizer",
    // the deletion mark alone deletes nothing
    "marked ready, NoAction",
    "marked known, Create",
  })
  void plan_ofContent_returnsNextStep(String facts, String expected) {
    assertThat(ContentRules.plan(ContentView.of(content(facts)), DRIVER).getClass().getSimpleName())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "DEADLINE_EXCEEDED, false, false",
    "UNAVAILABLE, true, false",
    "ABORTED, false, false",
    "INTERNAL, false, true",
    "INTERNAL, true, false",
    "NOT_FOUND, true, false",
    "RESOURCE_EXHAUSTED, false, true",
    "RESOURCE_EXHAUSTED, true, false",
    "INVALID_ARGUMENT, true, true",
    "UNIMPLEMENTED, true, true",
  })
  void hasEnded_refusedCreation_dependsOnCodeAndHistory(
      StatusCode code, boolean mayHaveEarlierCall, boolean expected) {
    assertThat(
            ContentRules.hasEnded(
                StatusCodeMeanings.of(StatusCodeMeanings.Call.CREATE_SNAPSHOT, code),
                mayHaveEarlierCall))
        .isEqualTo(expected);
  }

  @Test
  void pollDelay_growingAge_growsUpToMaximum() {
    Duration minDelay = Duration.ofSeconds(1);
    assertThat(ContentRules.pollDelay(Duration.ZERO, minDelay)).isEqualTo(minDelay);
    assertThat(ContentRules.pollDelay(Duration.ofSeconds(-5), minDelay)).isEqualTo(minDelay);
    assertThat(ContentRules.pollDelay(Duration.ofSeconds(40), minDelay))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(ContentRules.pollDelay(Duration.ofHours(9), minDelay))
        .isEqualTo(Duration.ofMinutes(1));
  }

  private static final Question.ObjectRead<VolumeSnapshot> OWNER =
      new Question.ObjectRead<>(Kind.SNAPSHOT, new ObjectKey("default", "s"));
  private static final DataUser<SnapshotContent> TWIN =
      ContentRules.createTwinUser(
          Kind.SNAPSHOT_CONTENT,
          ObjectKey.cluster("twin"),
          new DriverData(DRIVER, "", Set.of("snap-1")));

  private static Step<ContentVerdict> verdict(Fact<SnapshotContent> fact) {
    return verdict(fact, new Fact.Absent<>(), new Fact.Absent<>());
  }

  private static Step<ContentVerdict> verdict(
      Fact<SnapshotContent> fact, Fact<VolumeSnapshot> owner, Fact<SnapshotContent> twin) {
    SnapshotContent cached = content("known deleted marked");
    LiveFacts otherFacts = LiveFacts.NONE.with(OWNER, owner).with(TWIN.question(), twin);
    return ContentRules.mayBeDeleted(
        ContentView.of(cached),
        new DataHandle("snap-1", List.of()),
        List.of(TWIN),
        fact instanceof Fact.NotAsked<SnapshotContent>
            ? otherFacts
            : otherFacts.with(
                new Question.ObjectRead<>(Kind.SNAPSHOT_CONTENT, cached.key()), fact));
  }

  static ContentVerdict decided(Step<ContentVerdict> step) {
    return step instanceof Step.Decided<ContentVerdict>(ContentVerdict verdict)
        ? verdict
        : fail("not decided: " + step);
  }

  private static VolumeSnapshot owner(Uid uid, long deleted) {
    return TestObjects.volumeSnapshot("default", "s").uid(uid).deleted(deleted).build();
  }

  @Test
  void mayBeDeleted_snapshotExists_isInUse() {
    Fact<SnapshotContent> same = new Fact.Present<>(content("known deleted marked"));
    assertThat(verdict(same, new Fact.Present<>(owner(UID, 0)), new Fact.Absent<>()))
        .as("H9")
        .isEqualTo(Step.decided(new ContentVerdict.InUse("VolumeSnapshot default/s")));
    for (VolumeSnapshot other : List.of(owner(UID, 2), owner(Uid.of("later"), 0))) {
      assertThat(verdict(same, new Fact.Present<>(other), new Fact.Absent<>()))
          .extracting(SnapshotContentRulesTest::decided)
          .isInstanceOf(ContentVerdict.Confirmed.class);
    }
    assertThat(verdict(same, new Fact.Unknown<>("x"), new Fact.Absent<>()))
        .as("H11")
        .isEqualTo(Step.decided(new ContentVerdict.Unknown("x")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "ready, true",
    "ready retain, true",
    "deleted ready, true", // its VolumeSnapshot may exist
    "deleted marked ready retain, true", // until it is gone
    "deleted marked ready, false", // it is deleted in the same way
    "ready foreign, false",
    "new, false", // another snapshot
  })
  void mayBeDeleted_anotherContentNamesSnapshot_isInUse(String twin, boolean uses) {
    Step<ContentVerdict> result =
        verdict(
            new Fact.Present<>(content("known deleted marked")),
            new Fact.Absent<>(),
            new Fact.Present<>(content(twin)));
    assertThat(result)
        .as("H10")
        .extracting(SnapshotContentRulesTest::decided)
        .isInstanceOf(uses ? ContentVerdict.InUse.class : ContentVerdict.Confirmed.class);
  }

  /** The snapshot is about to be bound. */
  @ParameterizedTest
  @CsvSource({"0, InUse", "2, Confirmed"})
  void mayBeDeleted_contentIsReservedForSnapshot_isInUseUntilDeletion(
      long deleted, String expected) {
    SnapshotContent reserved = content("deleted before unbound ready");
    LiveFacts live =
        LiveFacts.NONE
            .with(OWNER, new Fact.Present<>(owner(UID, deleted)))
            .with(
                new Question.ObjectRead<>(Kind.SNAPSHOT_CONTENT, reserved.key()),
                new Fact.Present<>(reserved));
    Step<ContentVerdict> result =
        ContentRules.mayBeDeleted(
            ContentView.of(reserved), new DataHandle("snap-1", List.of()), List.of(), live);
    assertThat(decided(result).getClass().getSimpleName()).isEqualTo(expected);
  }

  @Test
  void mayBeDeleted_liveContent_decides() {
    SnapshotContent same = content("known deleted marked");
    assertThat(verdict(new Fact.NotAsked<>())).isInstanceOf(Step.Ask.class);
    assertThat(verdict(new Fact.Absent<>()))
        .as("H1")
        .isEqualTo(Step.decided(new ContentVerdict.Gone()));
    assertThat(verdict(new Fact.Unknown<>("x")))
        .as("H2")
        .isEqualTo(Step.decided(new ContentVerdict.Unknown("x")));
    assertThat(verdict(new Fact.Present<>(same)))
        .as("H3")
        .isEqualTo(
            Step.decided(
                new ContentVerdict.Confirmed(
                    ContentView.of(same),
                    Set.of("VolumeSnapshot " + same.snapshot().key(), TWIN.name()))));
    for (String other :
        List.of(
            "known deleted", // not marked for deletion
            "known marked", // not being deleted
            "known deleted marked retain",
            "known deleted marked foreign",
            "known deleted marked group",
            "deleted marked")) { // unknown handle
      assertThat(verdict(new Fact.Present<>(content(other))))
          .as("H4 " + other)
          .isEqualTo(Step.decided(new ContentVerdict.Changed()));
    }
    SnapshotContent replacement = TestObjects.like(same).uid("later").version(2).deleted(3).build();
    assertThat(verdict(new Fact.Present<>(replacement)))
        .as("H4 another object of that name")
        .isEqualTo(Step.decided(new ContentVerdict.Changed()));
  }
}
