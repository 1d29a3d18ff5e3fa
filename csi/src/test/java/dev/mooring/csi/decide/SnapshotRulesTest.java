package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.Builders;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotRulesTest {
  private static final String DRIVER = "csi.example.com";
  private static final Uid UID = Uid.of("12345678-1234-1234-1234-123456789abc");

  private static SnapshotContent content(String facts) {
    List<String> words = List.of(facts.split(" "));
    Map<String, String> annotations = new HashMap<>();
    if (words.contains("begun")) {
      annotations.put(SnapshotContent.BEING_CREATED, "yes");
    }
    if (words.contains("marked")) {
      annotations.put(SnapshotContent.BEING_DELETED, "yes");
    }
    if (words.contains("group")) {
      annotations.put(SnapshotContent.GROUP_MEMBER, "g");
    }
    boolean before = words.contains("before");
    return new SnapshotContent(
        Builders.metaOf(ObjectKey.cluster("c"))
            .deleted(words.contains("deleted") ? 2 : 0)
            .annotations(annotations)
            .finalizers(
                words.contains("free") ? List.of() : List.of(SnapshotContent.BOUND_PROTECTION))
            .meta(),
        new SnapshotContent.Ref(
            new ObjectKey("default", "s"), words.contains("unbound") ? Uid.NONE : UID),
        words.contains("retain")
            ? ReclaimPolicy.RETAIN
            : words.contains("unknown") ? ReclaimPolicy.UNKNOWN : ReclaimPolicy.DELETE,
        words.contains("foreign") ? "other" : DRIVER,
        "fast",
        new SnapshotContent.Source(
            before || words.contains("sourceless") ? "" : "vol-1", before ? "snap-1" : ""),
        Optional.empty(),
        new SnapshotContent.Status(
            words.contains("known") || words.contains("ready") ? "snap-1" : "",
            0,
            0,
            words.contains("ready"),
            Problem.NONE,
            ""));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "new, Create",
    "foreign, Rest",
    "sourceless, Rest",
    "group, Rest",
    "begun, Create",
    "known, Create",
    "known begun, Create",
    "ready, Rest",
    "ready begun, Forget",
    "before, Look",
    "before known, Look",
    "before ready, Rest",
    "before unbound, Look",
    // by itself a deleted content says nothing about its snapshot
    "deleted, Create",
    "deleted ready, Rest",
    "deleted marked, LetGo",
    // the driver may have begun, and nobody knows what: first the one thing, then the other
    "deleted marked begun, Create",
    // the note goes before the handle: nothing is begun again after the end
    "deleted marked begun known, Forget",
    // what was begun is to stay, whatever comes of it
    "deleted marked begun retain, LetGo",
    "deleted marked begun unknown, LetGo",
    "deleted begun retain, Create",
    "marked begun retain, Create",
    "deleted marked known, Destroy",
    "deleted marked ready, Destroy",
    "deleted marked ready begun, Forget",
    "deleted marked ready retain, LetGo",
    "deleted marked ready unknown, LetGo",
    "deleted marked ready foreign, Rest",
    // one that was cut with others is neither made nor destroyed alone
    "group known, Look",
    "group ready, Rest",
    "deleted group ready, Rest",
    "deleted marked ready group, LetGo",
    "deleted marked ready group retain, LetGo",
    "deleted marked group, LetGo",
    "deleted marked free, Rest",
    "deleted before marked, LetGo",
    "deleted before marked known, Destroy",
    "deleted before unbound ready, LetGo",
    // not deleted: a mark alone destroys nothing
    "marked ready, Rest",
    "marked known, Create",
  })
  void whatTheDriverIsAsked(String facts, String expected) {
    assertThat(SnapshotRules.plan(content(facts), DRIVER).getClass().getSimpleName())
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
    "RESOURCE_EXHAUSTED, true, true",
    "INVALID_ARGUMENT, true, true",
    "UNIMPLEMENTED, true, true",
  })
  void whenNothingIsBeingMadeAnyMore(StatusCode code, boolean before, boolean ended) {
    assertThat(SnapshotRules.hasEnded(Codes.of(Codes.Call.CREATE_SNAPSHOT, code), before))
        .isEqualTo(ended);
  }

  @Test
  void theLongerItTakesTheRarerItIsAskedFor() {
    Duration first = Duration.ofSeconds(1);
    assertThat(SnapshotRules.pollAfter(Duration.ZERO, first)).isEqualTo(first);
    assertThat(SnapshotRules.pollAfter(Duration.ofSeconds(-5), first)).isEqualTo(first);
    assertThat(SnapshotRules.pollAfter(Duration.ofSeconds(40), first))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(SnapshotRules.pollAfter(Duration.ofHours(9), first))
        .isEqualTo(Duration.ofMinutes(1));
  }

  private static final Question.One<VolumeSnapshot> OWNER =
      new Question.One<>(Kind.SNAPSHOT, new ObjectKey("default", "s"));
  private static final DataUser<SnapshotContent> TWIN =
      SnapshotRules.twin(ObjectKey.cluster("twin"), new DriverData(DRIVER, "", Set.of("snap-1")));

  private static ContentVerdict<SnapshotContent> destroyed(Fact<SnapshotContent> fact) {
    return destroyed(fact, new Fact.Absent<>(), new Fact.Absent<>());
  }

  private static ContentVerdict<SnapshotContent> destroyed(
      Fact<SnapshotContent> fact, Fact<VolumeSnapshot> owner, Fact<SnapshotContent> twin) {
    SnapshotContent cached = content("known deleted marked");
    LiveFacts others = LiveFacts.NONE.with(OWNER, owner).with(TWIN.question(), twin);
    return SnapshotRules.mayBeDestroyed(
        cached,
        "snap-1",
        DRIVER,
        List.of(TWIN),
        fact instanceof Fact.NotAsked<SnapshotContent>
            ? others
            : others.with(new Question.One<>(Kind.SNAPSHOT_CONTENT, cached.key()), fact));
  }

  private static VolumeSnapshot owner(Uid uid, long deleted) {
    return Builders.volumeSnapshot("default", "s").uid(uid).deleted(deleted).build();
  }

  @Test
  void mayBeDestroyed_snapshotExists_isInUse() {
    Fact<SnapshotContent> same = new Fact.Present<>(content("known deleted marked"));
    assertThat(destroyed(same, new Fact.Present<>(owner(UID, 0)), new Fact.Absent<>()))
        .as("H9")
        .isEqualTo(new ContentVerdict.InUse<>("VolumeSnapshot default/s"));
    for (VolumeSnapshot other : List.of(owner(UID, 2), owner(Uid.of("later"), 0))) {
      assertThat(destroyed(same, new Fact.Present<>(other), new Fact.Absent<>()))
          .isInstanceOf(ContentVerdict.Confirmed.class);
    }
    assertThat(destroyed(same, new Fact.Unknown<>("x"), new Fact.Absent<>()))
        .as("H11")
        .isEqualTo(new ContentVerdict.CannotTell<>("x"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "ready, true",
    "ready retain, true",
    "deleted ready, true", // its VolumeSnapshot may exist
    "deleted marked ready retain, true", // until it is gone
    "deleted marked ready, false", // it goes the same way
    "ready foreign, false",
    "new, false", // another snapshot
  })
  void mayBeDestroyed_anotherContentNamesSnapshot_isInUse(String twin, boolean uses) {
    ContentVerdict<SnapshotContent> verdict =
        destroyed(
            new Fact.Present<>(content("known deleted marked")),
            new Fact.Absent<>(),
            new Fact.Present<>(content(twin)));
    assertThat(verdict)
        .as("H10")
        .isInstanceOf(uses ? ContentVerdict.InUse.class : ContentVerdict.Confirmed.class);
  }

  /** An unbound content has lost its snapshot on purpose: the administrator keeps the data. */
  @Test
  void plan_markedContentWithoutUid_keepsData() {
    assertThat(SnapshotRules.plan(content("deleted before unbound marked ready"), DRIVER))
        .isInstanceOf(ContentPlan.LetGo.class);
  }

  @Test
  void onlyWhatTheServerStillWantsGoneIsDestroyed() {
    SnapshotContent same = content("known deleted marked");
    assertThat(destroyed(new Fact.NotAsked<>())).isInstanceOf(ContentVerdict.Ask.class);
    assertThat(destroyed(new Fact.Absent<>())).as("H1").isEqualTo(new ContentVerdict.Gone<>());
    assertThat(destroyed(new Fact.Unknown<>("x")))
        .as("H2")
        .isEqualTo(new ContentVerdict.CannotTell<>("x"));
    assertThat(destroyed(new Fact.Present<>(same)))
        .as("H3")
        .isEqualTo(new ContentVerdict.Confirmed<>(same));
    for (String other :
        List.of(
            "known deleted", // nobody marked it
            "known marked", // not to go
            "known deleted marked retain",
            "known deleted marked foreign",
            "known deleted marked group",
            "deleted marked")) { // its handle is not known
      assertThat(destroyed(new Fact.Present<>(content(other))))
          .as("H4 " + other)
          .isEqualTo(new ContentVerdict.Changed<>());
    }
    SnapshotContent later = Builders.like(same).uid("later").version(2).deleted(3).build();
    assertThat(destroyed(new Fact.Present<>(later)))
        .as("H4 another one of its name")
        .isEqualTo(new ContentVerdict.Changed<>());
  }
}
