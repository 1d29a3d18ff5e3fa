package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.testkit.TestObjects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupContentRulesTest {
  private static final String DRIVER = "csi.example.com";
  private static final DataHandle HANDLES = new DataHandle("group-1", List.of("snap-1"));

  private static GroupSnapshotContent content(String facts) {
    return content(facts, "gc");
  }

  private static GroupSnapshotContent content(String facts, String uid) {
    List<String> factWords = List.of(facts.split(" "));
    Map<String, String> annotations = new HashMap<>();
    if (factWords.contains("begun")) {
      annotations.put(GroupSnapshotContent.BEING_CREATED, "yes");
    }
    if (factWords.contains("marked")) {
      annotations.put(GroupSnapshotContent.BEING_DELETED, "yes");
    }
    boolean isPreProvisioned = factWords.contains("before");
    boolean isKnown = factWords.contains("known") || factWords.contains("ready");
    return new GroupSnapshotContent(
        TestObjects.metaOf(ObjectKey.cluster("gc"))
            .uid(uid)
            .deleted(factWords.contains("deleted") ? 2 : 0)
            .annotations(annotations)
            .finalizers(
                factWords.contains("free")
                    ? List.of()
                    : List.of(GroupSnapshotContent.BOUND_PROTECTION))
            .meta(),
        new SnapshotContent.Ref(
            new ObjectKey("default", "g"), factWords.contains("unbound") ? Uid.NONE : Uid.of("g")),
        factWords.contains("retain") ? ReclaimPolicy.RETAIN : ReclaimPolicy.DELETE,
        factWords.contains("foreign") ? "other" : DRIVER,
        "goes",
        new GroupSnapshotContent.Source(
            isPreProvisioned || factWords.contains("sourceless") ? List.of() : List.of("vol-1"),
            isPreProvisioned ? "group-1" : "",
            isPreProvisioned ? List.of("snap-1") : List.of()),
        new GroupSnapshotContent.Status(
            isKnown ? "group-1" : "",
            0,
            factWords.contains("ready"),
            Problem.NONE,
            isKnown && !isPreProvisioned
                ? List.of(new Member("vol-1", "snap-1", 0, true, 0))
                : List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "new, Create",
    "foreign, NoAction",
    "sourceless, NoAction",
    "begun, Create",
    "known begun, Create",
    "ready, NoAction",
    "ready begun, ClearCreationMark",
    "before, Query",
    "before ready, NoAction",
    // a deleted content alone does not mean that its group is deleted
    "deleted, Create",
    "deleted ready, NoAction",
    "deleted marked, RemoveFinalizer",
    // the outcome of the creation must be known first
    "deleted marked begun, Create",
    // the creation mark is removed before the handle, so that the deletion starts no new creation
    "deleted marked begun known, ClearCreationMark",
    // the policy keeps the data, whatever the outcome of the creation
    "deleted marked begun retain, RemoveFinalizer",
    "deleted begun retain, Create",
    "marked begun retain, Create",
    "deleted marked ready begun, ClearCreationMark",
    "deleted marked ready, Delete",
    "deleted marked ready retain, RemoveFinalizer",
    "deleted marked ready foreign, NoAction",
    "deleted marked free, NoAction",
    "deleted before marked known, Delete",
    "deleted before unbound ready, Delete",
    "deleted before unbound ready retain, RemoveFinalizer",
    "marked ready, NoAction",
  })
  void plan_ofContent_returnsNextStep(String facts, String expected) {
    assertThat(ContentRules.plan(ContentView.of(content(facts)), DRIVER).getClass().getSimpleName())
        .isEqualTo(expected);
  }

  @Test
  void plan_deletion_namesAllMembers() {
    for (String facts : List.of("deleted marked ready", "deleted before marked known")) {
      assertThat(ContentRules.plan(ContentView.of(content(facts)), DRIVER))
          .isEqualTo(new ContentPlan.Delete(HANDLES));
    }
  }

  private static final DriverData DATA = new DriverData(DRIVER, "group-1", Set.of("snap-1"));
  private static final DataUser<GroupSnapshotContent> TWIN =
      ContentRules.createTwinUser(Kind.GROUP_SNAPSHOT_CONTENT, ObjectKey.cluster("twin"), DATA);
  private static final DataUser<SnapshotContent> MEMBER =
      ContentRules.createTwinUser(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster("member"), DATA);

  private static Step<ContentVerdict> verdict(Fact<GroupSnapshotContent> fact) {
    return verdict(fact, LiveFacts.NONE);
  }

  private static Step<ContentVerdict> verdict(
      Fact<GroupSnapshotContent> fact, LiveFacts knownFacts) {
    GroupSnapshotContent cached = content("known deleted marked");
    LiveFacts live =
        absent(knownFacts, new Question.ObjectRead<>(Kind.GROUP_SNAPSHOT, cached.group().key()));
    live = absent(absent(live, TWIN.question()), MEMBER.question());
    Question.ObjectRead<GroupSnapshotContent> question =
        new Question.ObjectRead<>(Kind.GROUP_SNAPSHOT_CONTENT, cached.key());
    return ContentRules.mayBeDeleted(
        ContentView.of(cached),
        HANDLES,
        List.of(TWIN, MEMBER),
        fact instanceof Fact.NotAsked<GroupSnapshotContent> ? live : live.with(question, fact));
  }

  private static <T extends Resource> LiveFacts absent(
      LiveFacts live, Question.ObjectRead<T> question) {
    return live.isAnswered(question) ? live : live.with(question, new Fact.Absent<>());
  }

  @Test
  void mayBeDeleted_groupExists_isInUse() {
    GroupSnapshotContent same = content("known deleted marked");
    GroupSnapshot owner =
        TestObjects.groupSnapshot(same.group().key().namespace(), same.group().key().name())
            .uid(same.group().uid())
            .build();
    LiveFacts exists =
        LiveFacts.NONE.with(
            new Question.ObjectRead<>(Kind.GROUP_SNAPSHOT, owner.key()), new Fact.Present<>(owner));
    assertThat(verdict(new Fact.Present<>(same), exists))
        .as("H9")
        .isEqualTo(Step.decided(new ContentVerdict.InUse("VolumeGroupSnapshot " + owner.key())));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"ready, true", "deleted marked ready, false", "ready foreign, false", "new, false"})
  void mayBeDeleted_anotherContentNamesGroup_isInUse(String twin, boolean uses) {
    LiveFacts exists = LiveFacts.NONE.with(TWIN.question(), new Fact.Present<>(content(twin)));
    assertThat(verdict(new Fact.Present<>(content("known deleted marked")), exists))
        .as("H10")
        .extracting(SnapshotContentRulesTest::decided)
        .isInstanceOf(uses ? ContentVerdict.InUse.class : ContentVerdict.Confirmed.class);
  }

  /**
   * Contents of members are deleted with the group; an administrator's content for a member is not.
   */
  @ParameterizedTest
  @CsvSource({"'', '', true", "group-1, '', false", "'', group-1, false", "group-2, '', true"})
  void mayBeDeleted_contentNamesMember_isInUseUnlessOfGroup(
      String status, String annotation, boolean uses) {
    SnapshotContent member =
        TestObjects.snapshotContent("member")
            .driver(DRIVER)
            .source(new SnapshotContent.Source("", "snap-1"))
            .status(new SnapshotContent.Status("snap-1", 0, 0, true, Problem.NONE, status))
            .annotation(SnapshotContent.GROUP_MEMBER, annotation)
            .build();
    LiveFacts exists = LiveFacts.NONE.with(MEMBER.question(), new Fact.Present<>(member));
    assertThat(verdict(new Fact.Present<>(content("known deleted marked")), exists))
        .extracting(SnapshotContentRulesTest::decided)
        .isInstanceOf(uses ? ContentVerdict.InUse.class : ContentVerdict.Confirmed.class);
  }

  @Test
  void mayBeDeleted_liveContent_decides() {
    GroupSnapshotContent same = content("known deleted marked");
    assertThat(verdict(new Fact.NotAsked<>())).isInstanceOf(Step.Ask.class);
    assertThat(verdict(new Fact.Absent<>()))
        .as("H5")
        .isEqualTo(Step.decided(new ContentVerdict.Gone()));
    assertThat(verdict(new Fact.Unknown<>("x")))
        .as("H6")
        .isEqualTo(Step.decided(new ContentVerdict.Unknown("x")));
    assertThat(verdict(new Fact.Present<>(same)))
        .as("H7")
        .isEqualTo(
            Step.decided(
                new ContentVerdict.Confirmed(
                    ContentView.of(same),
                    Set.of(
                        "VolumeGroupSnapshot " + same.group().key(), TWIN.name(), MEMBER.name()))));
    for (String changedFacts :
        List.of(
            "known deleted",
            "known marked",
            "known deleted marked retain",
            "known deleted marked foreign",
            "deleted marked")) {
      assertThat(verdict(new Fact.Present<>(content(changedFacts))))
          .as("H8 " + changedFacts)
          .isEqualTo(Step.decided(new ContentVerdict.Changed()));
    }
    assertThat(verdict(new Fact.Present<>(content("known deleted marked", "later"))))
        .as("H8 another object of that name")
        .isEqualTo(Step.decided(new ContentVerdict.Changed()));
  }

  @Test
  void findFlaw_missingIds_isReported() {
    CsiSnapshot complete = new CsiSnapshot("s", 1, 1, true, "vol-1", "group-1", List.of());
    CsiSnapshot withoutId = new CsiSnapshot("", 1, 1, true, "vol-1", "group-1", List.of());
    CsiSnapshot withoutVolume = new CsiSnapshot("s", 1, 1, true);
    assertThat(ContentRules.findFlaw(new CsiGroupSnapshot("g", List.of(complete), 1, true)))
        .isEmpty();
    assertThat(ContentRules.findFlaw(new CsiGroupSnapshot("", List.of(complete), 1, true)))
        .isNotEmpty();
    assertThat(ContentRules.findFlaw(new CsiGroupSnapshot("g", List.of(withoutId), 1, true)))
        .isNotEmpty();
    assertThat(ContentRules.findFlaw(new CsiGroupSnapshot("g", List.of(withoutVolume), 1, true)))
        .isNotEmpty();
  }
}
