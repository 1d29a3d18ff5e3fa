package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
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
import dev.mooring.spi.csi.CsiConnection.GroupHandles;
import dev.mooring.testkit.Builders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupRulesTest {
  private static final String DRIVER = "csi.example.com";
  private static final GroupHandles HANDLES = new GroupHandles("group-1", List.of("snap-1"));

  private static GroupSnapshotContent content(String facts) {
    return content(facts, "gc");
  }

  private static GroupSnapshotContent content(String facts, String uid) {
    List<String> words = List.of(facts.split(" "));
    Map<String, String> annotations = new HashMap<>();
    if (words.contains("begun")) {
      annotations.put(GroupSnapshotContent.BEING_CREATED, "yes");
    }
    if (words.contains("marked")) {
      annotations.put(GroupSnapshotContent.BEING_DELETED, "yes");
    }
    boolean before = words.contains("before");
    boolean known = words.contains("known") || words.contains("ready");
    return new GroupSnapshotContent(
        Builders.metaOf(ObjectKey.cluster("gc"))
            .uid(uid)
            .deleted(words.contains("deleted") ? 2 : 0)
            .annotations(annotations)
            .finalizers(
                words.contains("free") ? List.of() : List.of(GroupSnapshotContent.BOUND_PROTECTION))
            .meta(),
        new SnapshotContent.Ref(
            new ObjectKey("default", "g"), words.contains("unbound") ? Uid.NONE : Uid.of("g")),
        words.contains("retain") ? ReclaimPolicy.RETAIN : ReclaimPolicy.DELETE,
        words.contains("foreign") ? "other" : DRIVER,
        "goes",
        new GroupSnapshotContent.Source(
            before || words.contains("sourceless") ? List.of() : List.of("vol-1"),
            before ? "group-1" : "",
            before ? List.of("snap-1") : List.of()),
        new GroupSnapshotContent.Status(
            known ? "group-1" : "",
            0,
            words.contains("ready"),
            Problem.NONE,
            known && !before ? List.of(new Member("vol-1", "snap-1", 0, true, 0)) : List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "new, Create",
    "foreign, Rest",
    "sourceless, Rest",
    "begun, Create",
    "known begun, Create",
    "ready, Rest",
    "ready begun, Forget",
    "before, Look",
    "before ready, Rest",
    // by itself a deleted content says nothing about its group
    "deleted, Create",
    "deleted ready, Rest",
    "deleted marked, LetGo",
    // the driver may have begun, and nobody knows what: first the one thing, then the other
    "deleted marked begun, Create",
    // the note goes before the handle: nothing is begun again after the end
    "deleted marked begun known, Forget",
    // what was begun is to stay, whatever comes of it
    "deleted marked begun retain, LetGo",
    "deleted begun retain, Create",
    "marked begun retain, Create",
    "deleted marked ready begun, Forget",
    "deleted marked ready, Destroy",
    "deleted marked ready retain, LetGo",
    "deleted marked ready foreign, Rest",
    "deleted marked free, Rest",
    "deleted before marked known, Destroy",
    "deleted before unbound ready, LetGo",
    "marked ready, Rest",
  })
  void whatTheDriverIsAsked(String facts, String expected) {
    assertThat(GroupRules.plan(content(facts), DRIVER).getClass().getSimpleName())
        .isEqualTo(expected);
  }

  @Test
  void allOfItsSnapshotsAreNamed() {
    for (String facts : List.of("deleted marked ready", "deleted before marked known")) {
      assertThat(GroupRules.plan(content(facts), DRIVER))
          .isEqualTo(new ContentPlan.Destroy<>(HANDLES));
    }
  }

  private static final DriverData DATA = new DriverData(DRIVER, "group-1", Set.of("snap-1"));
  private static final DataUser<GroupSnapshotContent> TWIN =
      GroupRules.twin(ObjectKey.cluster("twin"), DATA);
  private static final DataUser<SnapshotContent> MEMBER =
      SnapshotRules.twin(ObjectKey.cluster("member"), DATA);

  private static ContentVerdict<GroupSnapshotContent> destroyed(Fact<GroupSnapshotContent> fact) {
    return destroyed(fact, LiveFacts.NONE);
  }

  private static ContentVerdict<GroupSnapshotContent> destroyed(
      Fact<GroupSnapshotContent> fact, LiveFacts known) {
    GroupSnapshotContent cached = content("known deleted marked");
    LiveFacts live = absent(known, new Question.One<>(Kind.GROUP_SNAPSHOT, cached.group().key()));
    live = absent(absent(live, TWIN.question()), MEMBER.question());
    Question.One<GroupSnapshotContent> question =
        new Question.One<>(Kind.GROUP_SNAPSHOT_CONTENT, cached.key());
    return GroupRules.mayBeDestroyed(
        cached,
        HANDLES,
        DRIVER,
        List.of(TWIN, MEMBER),
        fact instanceof Fact.NotAsked<GroupSnapshotContent> ? live : live.with(question, fact));
  }

  private static <T extends Resource> LiveFacts absent(LiveFacts live, Question.One<T> question) {
    return live.has(question) ? live : live.with(question, new Fact.Absent<>());
  }

  @Test
  void mayBeDestroyed_groupExists_isInUse() {
    GroupSnapshotContent same = content("known deleted marked");
    GroupSnapshot owner =
        Builders.groupSnapshot(same.group().key().namespace(), same.group().key().name())
            .uid(same.group().uid())
            .build();
    LiveFacts exists =
        LiveFacts.NONE.with(
            new Question.One<>(Kind.GROUP_SNAPSHOT, owner.key()), new Fact.Present<>(owner));
    assertThat(destroyed(new Fact.Present<>(same), exists))
        .as("H9")
        .isEqualTo(new ContentVerdict.InUse<>("VolumeGroupSnapshot " + owner.key()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"ready, true", "deleted marked ready, false", "ready foreign, false", "new, false"})
  void mayBeDestroyed_anotherContentNamesGroup_isInUse(String twin, boolean uses) {
    LiveFacts exists = LiveFacts.NONE.with(TWIN.question(), new Fact.Present<>(content(twin)));
    assertThat(destroyed(new Fact.Present<>(content("known deleted marked")), exists))
        .as("H10")
        .isInstanceOf(uses ? ContentVerdict.InUse.class : ContentVerdict.Confirmed.class);
  }

  /** Members of the group go with it; a content that an administrator made for one does not. */
  @ParameterizedTest
  @CsvSource({"'', '', true", "group-1, '', false", "'', group-1, false", "group-2, '', true"})
  void mayBeDestroyed_contentNamesMember_isInUseUnlessOfGroup(
      String status, String annotation, boolean uses) {
    SnapshotContent one =
        Builders.snapshotContent("member")
            .driver(DRIVER)
            .source(new SnapshotContent.Source("", "snap-1"))
            .status(new SnapshotContent.Status("snap-1", 0, 0, true, Problem.NONE, status))
            .annotation(SnapshotContent.GROUP_MEMBER, annotation)
            .build();
    LiveFacts exists = LiveFacts.NONE.with(MEMBER.question(), new Fact.Present<>(one));
    assertThat(destroyed(new Fact.Present<>(content("known deleted marked")), exists))
        .isInstanceOf(uses ? ContentVerdict.InUse.class : ContentVerdict.Confirmed.class);
  }

  @Test
  void nothingIsDestroyedButByTheServersWord() {
    GroupSnapshotContent same = content("known deleted marked");
    assertThat(destroyed(new Fact.NotAsked<>())).isInstanceOf(ContentVerdict.Ask.class);
    assertThat(destroyed(new Fact.Absent<>())).as("H5").isEqualTo(new ContentVerdict.Gone<>());
    assertThat(destroyed(new Fact.Unknown<>("x")))
        .as("H6")
        .isEqualTo(new ContentVerdict.CannotTell<>("x"));
    assertThat(destroyed(new Fact.Present<>(same)))
        .as("H7")
        .isEqualTo(new ContentVerdict.Confirmed<>(same));
    for (String other :
        List.of(
            "known deleted",
            "known marked",
            "known deleted marked retain",
            "known deleted marked foreign",
            "deleted marked")) {
      assertThat(destroyed(new Fact.Present<>(content(other))))
          .as("H8 " + other)
          .isEqualTo(new ContentVerdict.Changed<>());
    }
    assertThat(destroyed(new Fact.Present<>(content("known deleted marked", "later"))))
        .as("H8 another one of its name")
        .isEqualTo(new ContentVerdict.Changed<>());
  }

  @Test
  void whatHasNoIdIsNotWrittenDown() {
    CsiSnapshot whole = new CsiSnapshot("s", 1, 1, true, "vol-1", "group-1");
    CsiSnapshot nameless = new CsiSnapshot("", 1, 1, true, "vol-1", "group-1");
    CsiSnapshot ofNothing = new CsiSnapshot("s", 1, 1, true);
    assertThat(GroupRules.flaw(new CsiGroupSnapshot("g", List.of(whole), 1, true))).isEmpty();
    assertThat(GroupRules.flaw(new CsiGroupSnapshot("", List.of(whole), 1, true))).isNotEmpty();
    assertThat(GroupRules.flaw(new CsiGroupSnapshot("g", List.of(nameless), 1, true))).isNotEmpty();
    assertThat(GroupRules.flaw(new CsiGroupSnapshot("g", List.of(ofNothing), 1, true)))
        .isNotEmpty();
  }
}
