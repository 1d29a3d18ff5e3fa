package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.SnapshotObjects.DRIVER;
import static dev.mooring.snapshots.decide.SnapshotObjects.OWN;
import static dev.mooring.snapshots.decide.SnapshotObjects.UID;
import static dev.mooring.snapshots.decide.SnapshotObjects.claim;
import static dev.mooring.snapshots.decide.SnapshotObjects.content;
import static dev.mooring.snapshots.decide.SnapshotObjects.heldClaim;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofSnapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofVolume;
import static dev.mooring.snapshots.decide.SnapshotObjects.snapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.snapshotClass;
import static dev.mooring.snapshots.decide.SnapshotObjects.status;
import static dev.mooring.snapshots.decide.SnapshotObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.model.ClaimPhase;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Decision table: a snapshot that is not being deleted, expected step. */
class SnapshotDeciderTest extends SnapshotDeciderFixture {
  static Stream<Arguments> rows() {
    VolumeSnapshot bare =
        TestObjects.like(dynamic("fast")).finalizers("x").status(status("", false, 0)).build();
    return Stream.of(
        arguments(
            "no source", view(snapshot("", "", ""), null, null, null), "SnapshotValidationError"),
        arguments(
            "two sources",
            view(snapshot("a", "c", ""), null, null, null),
            "SnapshotValidationError"),
        arguments("without finalizers", view(bare, null, null, null), "SetFinalizers"),
        arguments(
            "of a group",
            view(
                TestObjects.like(dynamic(""))
                    .finalizers()
                    .status(
                        new VolumeSnapshot.Status(
                            "", false, 0, Optional.empty(), Problem.NONE, "g"))
                    .build(),
                null,
                null,
                null),
            "NoAction"),
        // created from a claim, no content yet
        arguments(
            "no claim",
            view(dynamic("fast"), null, null, null, CLASS),
            "SnapshotContentCreationFailed: the source claim a does not exist"),
        arguments(
            "claim not bound",
            view(dynamic("fast"), null, claim(ClaimPhase.PENDING, false, List.of()), null, CLASS),
            "SnapshotContentCreationFailed: the PVC a is not yet bound"),
        arguments(
            "no volume",
            view(dynamic("fast"), null, heldClaim(), null, CLASS),
            "SnapshotContentCreationFailed: the volume pv of claim a does not exist"),
        arguments(
            "volume of another claim",
            view(
                dynamic("fast"),
                null,
                heldClaim(),
                volume(VolumeSource.csi(DRIVER, "v"), Uid.of("other")),
                CLASS),
            "SnapshotContentCreationFailed: claim in dataSource not bound"),
        arguments(
            "no CSI volume",
            view(
                dynamic("fast"),
                null,
                heldClaim(),
                volume(VolumeSource.hostPath("/x"), Uid.of("a")),
                CLASS),
            "SnapshotContentCreationFailed: volume pv does not belong to CSI driver"),
        arguments(
            "volume of another driver",
            view(
                dynamic("fast"),
                null,
                heldClaim(),
                volume(VolumeSource.csi("other", "v"), Uid.of("a")),
                CLASS),
            "SnapshotContentCreationFailed: volume pv does not belong to CSI driver"),
        arguments(
            "no such class",
            view(dynamic("slow"), null, heldClaim(), volume(), CLASS),
            "GetSnapshotClassFailed: \"slow\" not found"),
        arguments(
            "half a secret",
            view(
                dynamic("fast"),
                null,
                heldClaim(),
                volume(),
                snapshotClass(
                    "fast",
                    DRIVER,
                    false,
                    Map.of("csi.storage.k8s.io/snapshotter-secret-name", "x"))),
            "SnapshotContentCreationFailed: either name and namespace"),
        arguments(
            "claim not held",
            view(dynamic("fast"), null, claim(ClaimPhase.BOUND, false, List.of()), volume(), CLASS),
            "HoldClaim"),
        arguments(
            "claim deleted, not held",
            view(dynamic("fast"), null, claim(ClaimPhase.BOUND, true, List.of()), volume(), CLASS),
            "SnapshotContentCreationFailed: the source claim a is being deleted"),
        arguments(
            "claim deleted, held",
            view(
                dynamic("fast"),
                null,
                claim(ClaimPhase.BOUND, true, List.of(VolumeSnapshot.CLAIM_PROTECTION)),
                volume(),
                CLASS),
            "CreateContent"),
        arguments(
            "everything exists",
            view(dynamic("fast"), null, heldClaim(), volume(), CLASS),
            "CreateContent"),
        arguments(
            "content deleted before the snapshot was taken",
            view(
                TestObjects.like(dynamic("fast")).status(status(OWN, false, 0)).build(),
                null,
                heldClaim(),
                volume(),
                CLASS),
            "CreateContent"),
        arguments(
            "content deleted after the snapshot was taken",
            view(
                TestObjects.like(dynamic("fast")).status(status(OWN, false, 5)).build(),
                null,
                heldClaim(),
                volume(),
                CLASS),
            "SnapshotContentMissing"),
        // default class
        arguments(
            "no default",
            view(dynamic(""), null, heldClaim(), volume(), CLASS),
            "SetDefaultSnapshotClassFailed: cannot find default"),
        arguments(
            "another driver's default",
            view(
                dynamic(""),
                null,
                heldClaim(),
                volume(),
                snapshotClass("d", "other", true, Map.of())),
            "SetDefaultSnapshotClassFailed: cannot find default"),
        arguments(
            "two defaults",
            view(
                dynamic(""),
                null,
                heldClaim(),
                volume(),
                snapshotClass("d", DRIVER, true, Map.of()),
                snapshotClass("e", DRIVER, true, Map.of())),
            "SetDefaultSnapshotClassFailed: 2 default"),
        arguments(
            "one default",
            view(
                dynamic(""),
                null,
                heldClaim(),
                volume(),
                CLASS,
                snapshotClass("d", DRIVER, true, Map.of()),
                snapshotClass("e", "other", true, Map.of())),
            "SetClass"),
        arguments(
            "default, but no claim",
            view(dynamic(""), null, null, null, CLASS),
            "SetDefaultSnapshotClassFailed: the source claim a does not exist"),
        // created from a claim, with a content
        arguments(
            "content exists",
            view(
                dynamic("fast"),
                ownContent(SnapshotContent.Status.NONE),
                heldClaim(),
                volume(),
                CLASS),
            "WriteStatus"),
        arguments(
            "class deleted since then",
            view(dynamic("fast"), ownContent(SnapshotContent.Status.NONE), heldClaim(), volume()),
            "WriteStatus"),
        arguments(
            "claim released too early",
            view(
                dynamic("fast"),
                ownContent(SnapshotContent.Status.NONE),
                claim(ClaimPhase.BOUND, false, List.of()),
                volume(),
                CLASS),
            "HoldClaim"),
        arguments(
            "claim deleted since then",
            view(dynamic("fast"), ownContent(SnapshotContent.Status.NONE), null, null, CLASS),
            "WriteStatus"),
        arguments(
            "content of another snapshot",
            view(
                dynamic("fast"),
                content(OWN, Uid.of("other"), ofVolume(), READY),
                heldClaim(),
                volume(),
                CLASS),
            "SnapshotContentMisbound"),
        arguments(
            "unbound content",
            view(
                dynamic("fast"),
                content(OWN, Uid.NONE, ofVolume(), READY),
                heldClaim(),
                volume(),
                CLASS),
            "SnapshotContentMisbound"),
        arguments(
            "content of the other type",
            view(
                dynamic("fast"),
                content(OWN, UID, ofSnapshot(), READY),
                heldClaim(),
                volume(),
                CLASS),
            "SnapshotContentMismatch"),
        arguments(
            "finalizer of bound content missing",
            view(
                TestObjects.like(dynamic("fast")).status(status(OWN, true, 5)).build(),
                ownContent(READY),
                heldClaim(),
                volume(),
                CLASS),
            "SetFinalizers"),
        arguments(
            "ready",
            view(
                bound(dynamic("fast"), OWN, true), ownContent(READY), heldClaim(), volume(), CLASS),
            "NoAction"),
        arguments(
            "ready, content deleted",
            view(bound(dynamic("fast"), OWN, true), null, heldClaim(), volume(), CLASS),
            "SnapshotContentMissing"),
        arguments(
            "ready, content of another snapshot",
            view(
                bound(dynamic("fast"), OWN, true),
                content(OWN, Uid.of("other"), ofVolume(), READY),
                heldClaim(),
                volume(),
                CLASS),
            "SnapshotMisbound"),
        // pre-provisioned
        arguments(
            "content missing",
            view(preProvisioned(""), null, null, null),
            "SnapshotContentMissing"),
        arguments(
            "content dynamic",
            view(preProvisioned(""), content("c", UID, ofVolume(), READY), null, null),
            "SnapshotContentMismatch"),
        arguments(
            "content of another snapshot",
            view(
                preProvisioned(""), content("c", Uid.of("other"), ofSnapshot(), READY), null, null),
            "SnapshotContentMisbound"),
        arguments(
            "unbound content, to be bound",
            view(preProvisioned(""), content("c", Uid.NONE, ofSnapshot(), READY), null, null),
            "Bind"),
        arguments(
            "content without class",
            view(preProvisioned("fast"), content("c", UID, ofSnapshot(), READY), null, null),
            "Bind"),
        arguments(
            "content bound",
            view(preProvisioned(""), content("c", UID, ofSnapshot(), READY), null, null),
            "WriteStatus"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void decide_snapshot_returnsStep(String name, SnapshotView view, String expected) {
    SnapshotStep step = SnapshotDecider.decide(view);
    if (step instanceof CommonStep.ReportError(String reason, String message, boolean _)) {
      String[] stepAndDetail = expected.split(": ", 2);
      assertThat(reason).isEqualTo(stepAndDetail[0]);
      assertThat(message).contains(stepAndDetail.length > 1 ? stepAndDetail[1] : "");
    } else {
      assertThat(step.getClass().getSimpleName()).isEqualTo(expected);
    }
  }

  @Test
  void decide_newContent_hasNameHandleAndSecret() {
    SnapshotClass secret =
        snapshotClass(
            "fast",
            DRIVER,
            false,
            Map.of(
                "csi.storage.k8s.io/snapshotter-secret-name",
                "${volumesnapshot.name}-key",
                "csi.storage.k8s.io/snapshotter-secret-namespace",
                "${volumesnapshot.namespace}"));
    SnapshotStep step =
        SnapshotDecider.decide(view(dynamic("fast"), null, heldClaim(), volume(), secret));
    SnapshotStep.CreateContent create = (SnapshotStep.CreateContent) step;
    assertThat(create.name()).isEqualTo(OWN);
    assertThat(create.handle()).isEqualTo("vol-1");
    assertThat(create.secret().name()).isEqualTo("s-key");
    assertThat(create.secret().namespace()).isEqualTo("default");
  }

  @Test
  void decide_snapshotNameInSecretNamespace_isRefused() {
    SnapshotClass secret =
        snapshotClass(
            "fast",
            DRIVER,
            false,
            Map.of(
                "csi.storage.k8s.io/snapshotter-secret-name",
                "key",
                "csi.storage.k8s.io/snapshotter-secret-namespace",
                "${volumesnapshot.name}"));
    assertThat(SnapshotDecider.decide(view(dynamic("fast"), null, heldClaim(), volume(), secret)))
        .isInstanceOfSatisfying(
            CommonStep.ReportError.class, r -> assertThat(r.message()).contains("invalid tokens"));
  }

  @Test
  void decide_volumeOfSomeNodes_contentNamesNode() {
    SnapshotView view = view(dynamic("fast"), null, heldClaim(), volume(), CLASS);
    assertThat(nodeOf(SnapshotDecider.decide(view))).isEmpty();
    assertThat(
            nodeOf(
                SnapshotDecider.decide(view.withNode(new SnapshotView.NodeChoice(true, "node-1")))))
        .isEqualTo("node-1");
    CommonStep.ReportError problem =
        (CommonStep.ReportError)
            SnapshotDecider.decide(view.withNode(new SnapshotView.NodeChoice(true, "")));
    assertThat(problem.toString()).contains("no node matches the node affinity of volume pv");
  }

  private static String nodeOf(SnapshotStep step) {
    return ((SnapshotStep.CreateContent) step).node();
  }
}
