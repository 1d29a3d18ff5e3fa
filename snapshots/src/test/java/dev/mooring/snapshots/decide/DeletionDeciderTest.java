package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.SnapshotObjects.OWN;
import static dev.mooring.snapshots.decide.SnapshotObjects.UID;
import static dev.mooring.snapshots.decide.SnapshotObjects.content;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofVolume;
import static dev.mooring.snapshots.decide.SnapshotObjects.snapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.DeletionDecider.Facts;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row: a snapshot that is being deleted, what the server says, and what is next. */
class DeletionDeciderTest {
  private static final String SOURCE = VolumeSnapshot.SOURCE_PROTECTION;
  private static final String BOUND = VolumeSnapshot.BOUND_PROTECTION;

  private static VolumeSnapshot going(String... finalizers) {
    return Builders.like(snapshot("a", "", "fast"))
        .deleting()
        .finalizers(finalizers)
        .status(status(OWN, true, 5))
        .build();
  }

  private static SnapshotContent of(Uid uid, ReclaimPolicy policy, boolean marked, boolean gone) {
    return Builders.like(content(OWN, uid, ofVolume(), SnapshotContent.Status.NONE))
        .deleted(gone ? 2 : 0)
        .annotations(marked ? Map.of(SnapshotContent.BEING_DELETED, "yes") : Map.of())
        .policy(policy)
        .build();
  }

  private static Facts facts(@Nullable SnapshotContent content, boolean restored) {
    return new Facts(
        Optional.ofNullable(content),
        restored ? Optional.of(new ObjectKey("default", "b")) : Optional.empty(),
        Optional.empty());
  }

  static Stream<Arguments> rows() {
    Uid other = Uid.of("other");
    return Stream.of(
        arguments(
            "nothing of ours holds it",
            going("x"),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), false),
            "Rest"),
        arguments("no content", going(SOURCE, BOUND), facts(null, false), "finalizers []"),
        arguments(
            "no content, others hold it",
            going("x", SOURCE, BOUND),
            facts(null, false),
            "finalizers [x]"),
        arguments(
            "another's content",
            going(SOURCE, BOUND),
            facts(of(other, ReclaimPolicy.DELETE, false, false), false),
            "finalizers []"),
        arguments(
            "a content that is nobody's",
            going(SOURCE, BOUND),
            facts(of(Uid.NONE, ReclaimPolicy.DELETE, false, false), false),
            "finalizers []"),
        arguments(
            "a copy is made",
            going(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), true),
            "Wait"),
        arguments(
            "somebody holds it for a copy",
            going(SOURCE, BOUND, VolumeSnapshot.RESTORE_PROTECTION),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), false),
            "Wait"),
        arguments(
            "a copy waits, no content", going(SOURCE, BOUND), facts(null, true), "finalizers []"),
        arguments(
            "not marked",
            going(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), false),
            "MarkContent"),
        arguments(
            "marked",
            going(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, true, false), false),
            "DeleteContent"),
        arguments(
            "content goes",
            going(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, true, true), false),
            "finalizers [" + BOUND + "]"),
        arguments(
            "content goes still",
            going(BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, true, true), false),
            "Rest"),
        arguments(
            "Retain, not marked",
            going(SOURCE),
            facts(of(UID, ReclaimPolicy.RETAIN, false, false), false),
            "MarkContent"),
        arguments(
            "Retain, marked",
            going(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.RETAIN, true, false), false),
            "finalizers []"),
        arguments(
            "a policy that is none",
            going(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.UNKNOWN, true, false), false),
            "finalizers []"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void whatIsNext(String name, VolumeSnapshot snapshot, Facts facts, String expected) {
    SnapshotStep step = DeletionDecider.decide(snapshot, facts);
    assertThat(
            step instanceof CommonStep.SetFinalizers(List<String> left)
                ? "finalizers " + left
                : step.getClass().getSimpleName())
        .isEqualTo(expected);
  }

  @Test
  void oneThatIsNotBeingDeletedIsLeftAlone() {
    VolumeSnapshot stays = snapshot("a", "", "fast");
    assertThat(
            DeletionDecider.decide(stays, facts(of(UID, ReclaimPolicy.DELETE, true, false), false)))
        .isEqualTo(CommonStep.REST);
  }

  @Test
  void whichContentGoesWithIt() {
    assertThat(DeletionDecider.content(going(SOURCE))).isEqualTo(OWN);
    assertThat(DeletionDecider.content(snapshot("a", "", ""))).isEqualTo(OWN);
    assertThat(DeletionDecider.content(snapshot("", "c", ""))).isEqualTo("c");
  }

  /** The snapshot was bound, and deleted before its status named the content. */
  @ParameterizedTest
  @EnumSource(names = {"DELETE", "RETAIN"})
  void decide_contentNotInStatus_marksContentAndKeepsIt(ReclaimPolicy policy) {
    VolumeSnapshot snapshot =
        Builders.like(snapshot("", OWN, "")).deleting().finalizers(SOURCE).build();
    SnapshotContent content = of(UID, policy, false, false);
    assertThat(DeletionDecider.decide(snapshot, facts(content, true)))
        .isEqualTo(new SnapshotStep.MarkContent(content));
    assertThat(DeletionDecider.decide(snapshot, facts(of(UID, policy, true, false), true)))
        .isEqualTo(new CommonStep.SetFinalizers(List.of()));
  }
}
