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
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.DeletionDecider.DelayView;
import dev.mooring.snapshots.decide.DeletionDecider.DeletionFacts;
import dev.mooring.storage.decide.CondemnationDecider.Delay;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.time.Instant;
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

/** Decision table: a deleted snapshot, live facts, expected step. */
class DeletionDeciderTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static final String SOURCE = VolumeSnapshot.SOURCE_PROTECTION;
  private static final String BOUND = VolumeSnapshot.BOUND_PROTECTION;

  private static VolumeSnapshot deleted(String... finalizers) {
    return TestObjects.like(snapshot("a", "", "fast"))
        .deleting()
        .finalizers(finalizers)
        .status(status(OWN, true, 5))
        .build();
  }

  private static SnapshotContent of(
      Uid uid, ReclaimPolicy policy, boolean marked, boolean isDeleted) {
    return TestObjects.like(content(OWN, uid, ofVolume(), SnapshotContent.Status.NONE))
        .deleted(isDeleted ? 2 : 0)
        .annotations(marked ? Map.of(SnapshotContent.BEING_DELETED, "yes") : Map.of())
        .policy(policy)
        .build();
  }

  private static DeletionFacts facts(@Nullable SnapshotContent content, boolean restored) {
    return new DeletionFacts(
        Optional.ofNullable(content),
        restored ? Optional.of(new ObjectKey("default", "b")) : Optional.empty(),
        Optional.empty(),
        new DelayView(Terms.NONE, Instant.EPOCH));
  }

  static Stream<Arguments> rows() {
    Uid otherUid = Uid.of("other");
    return Stream.of(
        arguments(
            "no finalizer of ours",
            deleted("x"),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), false),
            "NoAction"),
        arguments("no content", deleted(SOURCE, BOUND), facts(null, false), "finalizers []"),
        arguments(
            "no content, other finalizers",
            deleted("x", SOURCE, BOUND),
            facts(null, false),
            "finalizers [x]"),
        arguments(
            "content of another snapshot",
            deleted(SOURCE, BOUND),
            facts(of(otherUid, ReclaimPolicy.DELETE, false, false), false),
            "finalizers []"),
        arguments(
            "unbound content",
            deleted(SOURCE, BOUND),
            facts(of(Uid.NONE, ReclaimPolicy.DELETE, false, false), false),
            "finalizers []"),
        arguments(
            "restore pending",
            deleted(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), true),
            "Wait"),
        arguments(
            "restore protection set",
            deleted(SOURCE, BOUND, VolumeSnapshot.RESTORE_PROTECTION),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), false),
            "Wait"),
        arguments(
            "restore pending, no content",
            deleted(SOURCE, BOUND),
            facts(null, true),
            "finalizers []"),
        arguments(
            "not marked",
            deleted(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, false, false), false),
            "MarkContent"),
        arguments(
            "marked",
            deleted(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, true, false), false),
            "DeleteContent"),
        arguments(
            "content being deleted",
            deleted(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, true, true), false),
            "finalizers [" + BOUND + "]"),
        arguments(
            "content still being deleted",
            deleted(BOUND),
            facts(of(UID, ReclaimPolicy.DELETE, true, true), false),
            "NoAction"),
        arguments(
            "Retain, not marked",
            deleted(SOURCE),
            facts(of(UID, ReclaimPolicy.RETAIN, false, false), false),
            "MarkContent"),
        arguments(
            "Retain, marked",
            deleted(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.RETAIN, true, false), false),
            "finalizers []"),
        arguments(
            "unknown policy",
            deleted(SOURCE, BOUND),
            facts(of(UID, ReclaimPolicy.UNKNOWN, true, false), false),
            "finalizers []"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void decide_deletedSnapshot_returnsStep(
      String name, VolumeSnapshot snapshot, DeletionFacts facts, String expected) {
    SnapshotStep step = DeletionDecider.decide(snapshot, facts);
    assertThat(
            step instanceof CommonStep.SetFinalizers(List<String> finalizers)
                ? "finalizers " + finalizers
                : step.getClass().getSimpleName())
        .isEqualTo(expected);
  }

  @Test
  void decide_notDeleted_isNoAction() {
    VolumeSnapshot existingSnapshot = snapshot("a", "", "fast");
    assertThat(
            DeletionDecider.decide(
                existingSnapshot, facts(of(UID, ReclaimPolicy.DELETE, true, false), false)))
        .isEqualTo(CommonStep.NO_ACTION);
  }

  @Test
  void contentName_anySource_returnsName() {
    assertThat(DeletionDecider.contentName(deleted(SOURCE))).isEqualTo(OWN);
    assertThat(DeletionDecider.contentName(snapshot("a", "", ""))).isEqualTo(OWN);
    assertThat(DeletionDecider.contentName(snapshot("", "c", ""))).isEqualTo("c");
  }

  /** The snapshot was bound, and deleted before its status named the content. */
  @ParameterizedTest
  @EnumSource(names = {"DELETE", "RETAIN"})
  void decide_contentNotInStatus_marksContentAndKeepsIt(ReclaimPolicy policy) {
    VolumeSnapshot snapshot =
        TestObjects.like(snapshot("", OWN, "")).deleting().finalizers(SOURCE).build();
    SnapshotContent content = of(UID, policy, false, false);
    assertThat(DeletionDecider.decide(snapshot, facts(content, true)))
        .isEqualTo(new CommonStep.MarkContent(content));
    assertThat(DeletionDecider.decide(snapshot, facts(of(UID, policy, true, false), true)))
        .isEqualTo(new CommonStep.SetFinalizers(List.of()));
  }

  private static SnapshotStep decideWithDelay(SnapshotContent content, String delay) {
    Terms terms =
        new Terms(
            new Delay(delay, delay.equals("1h") ? Optional.of(HOUR) : Optional.empty()),
            new Delay("", Optional.empty()),
            Duration.ZERO);
    return DeletionDecider.decide(
        deleted(SOURCE, BOUND),
        new DeletionFacts(
            Optional.of(content),
            Optional.empty(),
            Optional.empty(),
            new DelayView(terms, Instant.EPOCH)));
  }

  @Test
  void decide_contentWithDelay_isCondemnedOrKept() {
    SnapshotContent content = of(UID, ReclaimPolicy.DELETE, false, false);
    SnapshotContent created =
        content.withStatus(
            content.meta(), new SnapshotContent.Status("h", 1, 1, true, Problem.NONE, ""));

    assertThat(decideWithDelay(created, "1h"))
        .isEqualTo(new SnapshotStep.CondemnContent(created, Instant.EPOCH.plus(HOUR)));
    assertThat(decideWithDelay(created, "soon")).isInstanceOf(CommonStep.Wait.class);
    assertThat(decideWithDelay(content, "1h"))
        .as("without data there is nothing to keep")
        .isInstanceOf(CommonStep.MarkContent.class);
  }
}
