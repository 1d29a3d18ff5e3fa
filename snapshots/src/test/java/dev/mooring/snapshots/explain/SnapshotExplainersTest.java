package dev.mooring.snapshots.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SnapshotExplainersTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "nightly");
  private static final String CONTENT = "groupsnapcontent-u";
  private static final Optional<LabelSelector> SELECTOR =
      Optional.of(new LabelSelector(Map.of("app", "db"), List.of()));
  private static final Problem PROBLEM = new Problem(9, "the array is full");

  private final GivenClusterView view = new GivenClusterView();

  private Explanation explain(Kind<?> kind, ObjectKey key) throws InterruptedException {
    for (Explainer explainer : SnapshotExplainers.of(view)) {
      if (explainer.kind().equals(kind)) {
        List<Explanation> explanations = explainer.explain(key, Detail.EVIDENCE);
        assertThat(explanations).hasSize(1);
        return explanations.getFirst();
      }
    }
    throw new AssertionError("no explainer of " + kind);
  }

  private static void assertCause(
      Explanation explanation, String code, CauseRank rank, String message) {
    assertThat(explanation.cause().code()).isEqualTo(code);
    assertThat(explanation.cause().rank()).isEqualTo(rank);
    assertThat(explanation.message()).contains(message);
  }

  private void putGroup(String className, GroupSnapshot.Status status) {
    view.with(
        Kind.GROUP_SNAPSHOT,
        List.of(
            TestObjects.groupSnapshot(KEY.namespace(), KEY.name())
                .uid("u")
                .selector(SELECTOR)
                .className(className)
                .finalizers(List.of(GroupSnapshot.BOUND_PROTECTION))
                .status(status)
                .build()));
  }

  private static GroupSnapshotContent content(GroupSnapshotContent.Status status) {
    return TestObjects.groupSnapshotContent(CONTENT)
        .uid("c")
        .group(new SnapshotContent.Ref(KEY, Uid.of("u")))
        .driver("d")
        .policy(ReclaimPolicy.DELETE)
        .source(new GroupSnapshotContent.Source(List.of("v-1"), "", List.of()))
        .status(status)
        .build();
  }

  private static GroupSnapshotContent.Status status(boolean isReady, Problem problem) {
    return new GroupSnapshotContent.Status("", 0, isReady, problem, List.of());
  }

  private static GroupSnapshotClass groupClass(String name, boolean isDefault) {
    return TestObjects.groupSnapshotClass(name)
        .driver("d")
        .policy(ReclaimPolicy.DELETE)
        .annotations(Map.of(GroupSnapshotClass.DEFAULT, Boolean.toString(isDefault)))
        .build();
  }

  @Test
  void group_selectorWithoutClaims_isRefused() throws InterruptedException {
    putGroup("fast", GroupSnapshot.Status.NONE);
    view.with(Kind.GROUP_SNAPSHOT_CLASS, List.of(groupClass("fast", false)));
    assertCause(
        explain(Kind.GROUP_SNAPSHOT, KEY),
        "SnapshotRefused",
        CauseRank.MISCONFIGURED,
        "not applied to any PVC");
  }

  @Test
  void group_classMissing_isRefused() throws InterruptedException {
    putGroup("fast", GroupSnapshot.Status.NONE);
    assertCause(
        explain(Kind.GROUP_SNAPSHOT, KEY),
        "SnapshotRefused",
        CauseRank.MISCONFIGURED,
        "\"fast\" not found");
  }

  @Test
  void group_claimIsPending_isRefusedWithItsName() throws InterruptedException {
    putGroup("fast", GroupSnapshot.Status.NONE);
    view.with(Kind.GROUP_SNAPSHOT_CLASS, List.of(groupClass("fast", false)));
    ObjectKey claim = ObjectKey.of("shop", "data");
    view.with(
        Kind.CLAIM_LABELS,
        List.of(TestObjects.claimLabels("shop", "data").labels(Map.of("app", "db")).build()));
    view.with(Kind.CLAIM, List.of(TestObjects.claim(claim).phase(ClaimPhase.PENDING).build()));
    assertCause(
        explain(Kind.GROUP_SNAPSHOT, KEY),
        "SnapshotRefused",
        CauseRank.MISCONFIGURED,
        "the PVC data is not yet bound");
  }

  @Test
  void group_claimsUnreadable_isUnknown() throws InterruptedException {
    putGroup("fast", GroupSnapshot.Status.NONE);
    view.with(Kind.GROUP_SNAPSHOT_CLASS, List.of(groupClass("fast", false)));
    view.withoutKind(Kind.CLAIM_LABELS);
    Explanation explanation = explain(Kind.GROUP_SNAPSHOT, KEY);
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.UNKNOWN);
    assertThat(explanation.unreadableKinds()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(DriverState.class)
  void group_contentExists_isExplainedByDriver(DriverState state) throws InterruptedException {
    putGroup("fast", GroupSnapshot.Status.NONE);
    view.with(Kind.GROUP_SNAPSHOT_CONTENT, List.of(content(state.status)));
    Explanation explanation = explain(Kind.GROUP_SNAPSHOT, KEY);
    assertCause(explanation, state.code, state.rank, state.message);
    assertThat(explanation.evidence().facts())
        .extracting("name", "value")
        .contains(tuple("Driver", "d"));
    Explanation ofContent = explain(Kind.GROUP_SNAPSHOT_CONTENT, ObjectKey.cluster(CONTENT));
    assertThat(ofContent.cause().code()).isEqualTo(state.contentCode);
  }

  private enum DriverState {
    WORKING(
        status(false, Problem.NONE),
        "SnapshotWaitsForDriver",
        CauseRank.WORKING,
        "",
        "SnapshotWaitsForDriver"),
    FAILING(
        status(false, PROBLEM),
        "SnapshotFailing",
        CauseRank.FAILING,
        "the array is full",
        "SnapshotFailing"),
    READY(
        status(true, Problem.NONE),
        "SnapshotWaitsForController",
        CauseRank.WAITING,
        "",
        "SnapshotReady");

    private final GroupSnapshotContent.Status status;
    private final String code;
    private final CauseRank rank;
    private final String message;
    private final String contentCode;

    DriverState(
        GroupSnapshotContent.Status status,
        String code,
        CauseRank rank,
        String message,
        String contentCode) {
      this.status = status;
      this.code = code;
      this.rank = rank;
      this.message = message;
      this.contentCode = contentCode;
    }
  }

  @Test
  void group_ready_isFine() throws InterruptedException {
    putGroup("fast", new GroupSnapshot.Status(CONTENT, true, 5, Problem.NONE));
    view.with(Kind.GROUP_SNAPSHOT_CONTENT, List.of(content(status(true, Problem.NONE))));
    Explanation explanation = explain(Kind.GROUP_SNAPSHOT, KEY);
    assertCause(explanation, "SnapshotReady", CauseRank.FINE, "");
    assertThat(explanation.isWaiting()).isFalse();
  }

  @Test
  void group_deletedWhileMemberIsRestored_isHeld() throws InterruptedException {
    view.with(
        Kind.GROUP_SNAPSHOT,
        List.of(
            TestObjects.groupSnapshot(KEY.namespace(), KEY.name())
                .uid("u")
                .deleted(7)
                .selector(SELECTOR)
                .finalizers(List.of(GroupSnapshot.BOUND_PROTECTION))
                .status(new GroupSnapshot.Status(CONTENT, true, 5, Problem.NONE))
                .build()));
    view.with(
        Kind.SNAPSHOT,
        List.of(
            TestObjects.volumeSnapshot("shop", "member")
                .finalizers(List.of(VolumeSnapshot.RESTORE_PROTECTION))
                .status(
                    new VolumeSnapshot.Status(
                        "m", true, 5, Optional.empty(), Problem.NONE, "nightly"))
                .build()));
    Explanation explanation = explain(Kind.GROUP_SNAPSHOT, KEY);
    assertCause(explanation, "SnapshotHeld", CauseRank.WAITING, "shop/member");
    assertThat(explanation.state()).isEqualTo("Terminating");
    assertThat(explanation.stateSince()).isEqualTo(7);
  }

  @Test
  void snapshot_sourceClaimMissing_isRefused() throws InterruptedException {
    view.with(
        Kind.SNAPSHOT,
        List.of(
            TestObjects.volumeSnapshot(KEY.namespace(), KEY.name())
                .sourceClaim("data")
                .className("fast")
                .finalizers(List.of(VolumeSnapshot.SOURCE_PROTECTION))
                .build()));
    view.with(
        Kind.SNAPSHOT_CLASS,
        List.of(
            TestObjects.snapshotClass("fast").driver("d").policy(ReclaimPolicy.DELETE).build()));
    assertCause(
        explain(Kind.SNAPSHOT, KEY),
        "SnapshotRefused",
        CauseRank.MISCONFIGURED,
        "the source claim data does not exist");
  }

  @Test
  void snapshot_contentsUnreadable_isUnknown() throws InterruptedException {
    view.with(
        Kind.SNAPSHOT,
        List.of(TestObjects.volumeSnapshot(KEY.namespace(), KEY.name()).sourceClaim("d").build()));
    view.withReadError(Kind.SNAPSHOT_CONTENT, "forbidden");
    Explanation explanation = explain(Kind.SNAPSHOT, KEY);
    assertThat(explanation.cause().rank()).isEqualTo(CauseRank.UNKNOWN);
  }

  @Test
  void class_twoDefaultsOfOneDriver_isAmbiguous() throws InterruptedException {
    view.with(
        Kind.GROUP_SNAPSHOT_CLASS,
        List.of(groupClass("fast", true), groupClass("slow", true), groupClass("other", false)));
    assertCause(
        explain(Kind.GROUP_SNAPSHOT_CLASS, ObjectKey.cluster("fast")),
        "SnapshotClassAmbiguous",
        CauseRank.MISCONFIGURED,
        "fast, slow");
    assertCause(
        explain(Kind.GROUP_SNAPSHOT_CLASS, ObjectKey.cluster("other")),
        "SnapshotClassReady",
        CauseRank.FINE,
        "");
  }
}
