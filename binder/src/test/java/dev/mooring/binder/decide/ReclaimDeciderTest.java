package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.binder.LiveServer;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumeBuilder;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Table of docs/dev/live-verdicts.md: live answers and the verdict. */
class ReclaimDeciderTest {
  private static final ObjectKey POD = ObjectKey.of("default", "recycler-for-v");
  private static final Uid POD_UID = Uid.of("r");

  private record Row(String name, LiveServer server, String expected) {}

  private static Volume judged(UnaryOperator<VolumeBuilder> change) {
    return volume(
        "v",
        "1Gi",
        v ->
            change.apply(
                v.claimRef(CLAIM, "u")
                    .phase(VolumePhase.RELEASED)
                    .reclaimPolicy(ReclaimPolicy.DELETE)
                    .source(VolumeSource.hostPath("/tmp/x"))
                    .annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/host-path")));
  }

  private static final Volume JUDGED = judged(v -> v);

  private static LiveServer server(UnaryOperator<VolumeBuilder> change) {
    return new LiveServer().withObject(Kind.VOLUME, judged(change));
  }

  private static Volume another() {
    Meta meta = JUDGED.meta();
    return TestObjects.volume(meta.key())
        .uid("later")
        .version(9)
        .created(9)
        .annotations(meta.annotations())
        .finalizers(meta.finalizers())
        .capacity(JUDGED.capacity())
        .source(JUDGED.source())
        .accessModes(JUDGED.accessModes())
        .claimRef(JUDGED.claimRef())
        .reclaimPolicy(JUDGED.reclaimPolicy())
        .storageClass(JUDGED.storageClass())
        .volumeMode(JUDGED.volumeMode())
        .attributesClass(JUDGED.attributesClass())
        .status(JUDGED.status())
        .build();
  }

  private static Stream<Row> rows() {
    return Stream.of(
        new Row("D1 it is gone", new LiveServer(), "gone"),
        new Row(
            "D2 it cannot be read",
            server(v -> v).withoutAnswerAbout(Kind.VOLUME, JUDGED.key()),
            "unknown"),
        new Row(
            "D3 another one has its name",
            new LiveServer().withObject(Kind.VOLUME, another()),
            "gone"),
        new Row("D4 it is to be kept", server(v -> v.reclaimPolicy(ReclaimPolicy.RETAIN)), "spare"),
        new Row(
            "D4 it is to be emptied, not deleted",
            server(v -> v.reclaimPolicy(ReclaimPolicy.RECYCLE)),
            "spare"),
        new Row(
            "D5 it is a driver's",
            server(v -> v.annotation(CsiMigration.MIGRATED_TO, "d")),
            "spare"),
        new Row(
            "D6 another plugin made it",
            server(v -> v.annotation(BinderMarks.PROVISIONED_BY, "p")),
            "spare"),
        new Row(
            "D6 it is made of something else",
            server(v -> v.source(VolumeSource.hostPath("/tmp/y"))),
            "spare"),
        new Row("D8 it has no claimRef", server(VolumeBuilder::noClaimRef), "spare"),
        new Row(
            "D7 it has no claim and is being deleted",
            server(v -> v.noClaimRef().deleting().finalizers(BinderMarks.IN_TREE_FINALIZER)),
            "confirmed"),
        new Row(
            "D7 it has an empty claimRef and is being deleted",
            server(v ->
                v.claimRef(ObjectKey.cluster(""), "")
                    .deleting()
                    .finalizers(BinderMarks.IN_TREE_FINALIZER)),
            "confirmed"),
        new Row("D9 it is reserved", server(v -> v.claimRef(CLAIM, "")), "spare"),
        new Row("D10 it is bound", server(v -> v.phase(VolumePhase.BOUND)), "spare"),
        new Row("D10 it is free", server(v -> v.phase(VolumePhase.AVAILABLE)), "spare"),
        new Row("D11 its claim is gone", server(v -> v), "confirmed"),
        new Row(
            "D11 its claim is gone, and an attempt failed",
            server(v -> v.phase(VolumePhase.FAILED)),
            "confirmed"),
        new Row(
            "D12 its claim cannot be read",
            server(v -> v).withoutAnswerAbout(Kind.CLAIM, CLAIM),
            "unknown"),
        new Row(
            "D13 a later claim has the name",
            server(v -> v.claimRef(CLAIM, "earlier")).withObject(Kind.CLAIM, claim("1Gi")),
            "confirmed"),
        new Row(
            "D14 its claim has another volume, and it was provisioned for it",
            server(v -> v).withObject(Kind.CLAIM, claim("1Gi", c -> c.volumeName("other"))),
            "confirmed"),
        new Row(
            "D15 its claim is there",
            server(v -> v).withObject(Kind.CLAIM, claim("1Gi", c -> c.volumeName("v"))),
            "spare"),
        new Row(
            "D15 its claim is there, and has yet to name it",
            server(v -> v).withObject(Kind.CLAIM, claim("1Gi")),
            "spare"));
  }

  private static String describe(ReclaimVerdict verdict) {
    return switch (verdict) {
      case ReclaimVerdict.Confirmed(Volume now) -> "confirmed";
      case ReclaimVerdict.Spare(String message) -> "spare";
      case ReclaimVerdict.Gone() -> "gone";
      case ReclaimVerdict.Twin(Volume twin) -> "twin";
      case ReclaimVerdict.Unknown(String message) -> "unknown";
    };
  }

  @TestFactory
  Stream<DynamicTest> decide_eachAnswer_returnsVerdict() {
    return rows()
        .map(row ->
            dynamicTest(
                row.name,
                () ->
                    assertThat(
                            describe(
                                LiveDecisions.decide(
                                    row.server.ports(),
                                    LiveFacts.NONE,
                                    facts -> ReclaimDecider.decide(JUDGED, facts))))
                        .isEqualTo(row.expected)));
  }

  @Test
  void decide_emptyClaimRef_namesNoClaim() throws InterruptedException {
    LiveServer server = server(v -> v.claimRef(ObjectKey.cluster(""), ""));
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            server.ports(), LiveFacts.NONE, facts -> ReclaimDecider.decide(JUDGED, facts));
    assertThat(verdict).isEqualTo(new ReclaimVerdict.Spare("it no longer has a claim"));
  }

  private static final Volume STATIC =
      volume(
          "v",
          "1Gi",
          v ->
              v.claimRef(CLAIM, "u")
                  .phase(VolumePhase.RELEASED)
                  .reclaimPolicy(ReclaimPolicy.RECYCLE)
                  .source(VolumeSource.nfs("s", "/")));

  private static Pod pod(String name, Uid uid, Pod.Phase phase, String... claims) {
    return TestObjects.pod(ObjectKey.of("default", name))
        .uid(uid)
        .created(1)
        .claims(List.of(claims))
        .phase(phase)
        .containersStopped(true)
        .build();
  }

  private static LiveServer recycled() {
    return new LiveServer().withObject(Kind.VOLUME, STATIC);
  }

  private static Stream<Row> recyclingRows() {
    Pod user = pod("p", Uid.of("p"), Pod.Phase.PENDING, "c");
    return Stream.of(
        new Row(
            "D14 a volume that was created by an administrator is freed, not emptied",
            recycled().withObject(Kind.CLAIM, claim("1Gi", c -> c.volumeName("other"))),
            "spare"),
        new Row(
            "S1 there is a claim of that name again, whose the pods are",
            recycled()
                .withObject(Kind.CLAIM, VolumesAndClaims.claimOf("later"))
                .withObject(Kind.POD, user),
            "confirmed"),
        new Row("S3 a pod still names the claim", recycled().withObject(Kind.POD, user), "spare"),
        new Row(
            "S4 a pod that named it has ended",
            recycled().withObject(Kind.POD, pod("p", Uid.of("p"), Pod.Phase.SUCCEEDED, "c")),
            "confirmed"),
        new Row(
            "S4 a pod names another claim",
            recycled().withObject(Kind.POD, pod("p", Uid.of("p"), Pod.Phase.RUNNING, "d")),
            "confirmed"));
  }

  @TestFactory
  Stream<DynamicTest> decideRecycling_eachAnswer_returnsVerdict() {
    return recyclingRows()
        .map(row ->
            dynamicTest(
                row.name,
                () ->
                    assertThat(
                            describe(
                                LiveDecisions.decide(
                                    row.server.ports(),
                                    LiveFacts.NONE,
                                    facts ->
                                        ReclaimDecider.decideRecycling(STATIC, List.of(), facts))))
                        .isEqualTo(row.expected)));
  }

  private static Stream<Row> recycledRows() {
    String name = POD.name();
    return Stream.of(
        new Row(
            "C1 the pod cannot be read", recycled().withoutAnswerAbout(Kind.POD, POD), "unknown"),
        new Row("C2 the pod is gone", recycled(), "spare"),
        new Row(
            "C3 the pod has succeeded",
            recycled().withObject(Kind.POD, pod(name, POD_UID, Pod.Phase.SUCCEEDED)),
            "confirmed"),
        new Row(
            "C4 the pod still runs",
            recycled().withObject(Kind.POD, pod(name, POD_UID, Pod.Phase.RUNNING)),
            "spare"),
        new Row(
            "C4 another pod of its name has succeeded",
            recycled().withObject(Kind.POD, pod(name, Uid.of("x"), Pod.Phase.SUCCEEDED)),
            "spare"));
  }

  @TestFactory
  Stream<DynamicTest> decideRecycled_eachAnswer_returnsVerdict() {
    return recycledRows()
        .map(row ->
            dynamicTest(
                row.name,
                () ->
                    assertThat(
                            describe(
                                LiveDecisions.decide(
                                    row.server.ports(),
                                    LiveFacts.NONE,
                                    facts ->
                                        ReclaimDecider.decideRecycled(
                                            STATIC, POD, POD_UID, facts))))
                        .isEqualTo(row.expected)));
  }

  private static DynamicTest reclaimRow(
      String title, Volume volume, boolean destroyed, ReclaimDecision decision) {
    return dynamicTest(
        title,
        () -> assertThat(ReclaimDecider.decideReclaim(volume, destroyed)).isEqualTo(decision));
  }

  @TestFactory
  Stream<DynamicTest> decideReclaim_eachPolicy_returnsDecision() {
    ReclaimDecision delete = new ReclaimDecision.Delete();
    return Stream.of(
        reclaimRow("X1 deleted", JUDGED, false, delete),
        reclaimRow(
            "X2 kept",
            judged(v -> v.reclaimPolicy(ReclaimPolicy.RETAIN)),
            false,
            new ReclaimDecision.Retain()),
        reclaimRow(
            "X3 emptied",
            judged(v -> v.reclaimPolicy(ReclaimPolicy.RECYCLE)),
            false,
            new ReclaimDecision.Recycle()),
        reclaimRow(
            "X4 unknown policy",
            judged(v -> v.reclaimPolicy(ReclaimPolicy.UNKNOWN)),
            false,
            new ReclaimDecision.UnknownPolicy()),
        reclaimRow(
            "X5 a driver's, whatever its policy",
            judged(v ->
                v.reclaimPolicy(ReclaimPolicy.RECYCLE).annotation(CsiMigration.MIGRATED_TO, "d")),
            false,
            new ReclaimDecision.Others()),
        reclaimRow("X6 destroyed, and not to go yet", JUDGED, true, delete),
        reclaimRow(
            "X6 destroyed, and our finalizer is there",
            judged(v -> v.deleting().finalizers(BinderMarks.IN_TREE_FINALIZER)),
            true,
            delete),
        reclaimRow(
            "X7 destroyed, and finalizers of others remain",
            judged(v -> v.deleting().finalizers("x/y")),
            true,
            new ReclaimDecision.Destroyed()),
        reclaimRow(
            "X8 finalizers of others remain",
            judged(v -> v.deleting().finalizers("x/y")),
            false,
            delete));
  }
}
