package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.binder.decide.VolumeView.KnownClaim;
import dev.mooring.binder.decide.VolumeView.VolumeHistory;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.VolumeBuilder;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Phases, releases and reclaims of volumes. */
class VolumeDeciderTest {
  private static final KnownClaim NOT_CACHED = new KnownClaim.NotCached();
  private static final BinderPolicy KUBERNETES = new BinderPolicy(Compat.KUBERNETES, true);

  private record Row(
      String name, Volume volume, KnownClaim claim, VolumeHistory past, String expected) {
    Row(String name, Volume volume, KnownClaim claim, String expected) {
      this(name, volume, claim, VolumeHistory.UNKNOWN, expected);
    }

    VolumeView view() {
      return new VolumeView(volume, claim, past);
    }
  }

  private static String describe(Step<VolumeDecision> step) {
    return switch (step) {
      case Step.Decided<VolumeDecision>(VolumeDecision decision) -> describe(decision);
      case Step.Ask<VolumeDecision> _ -> "look live";
    };
  }

  private static String describe(VolumeDecision decision) {
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) -> "phase " + phase;
      case VolumeDecision.Reclaim(boolean released, boolean claimGone) ->
          (released ? "release and reclaim" : "reclaim") + (claimGone ? ", claim gone" : "");
      case VolumeDecision.Unbind() -> "unbind";
      case VolumeDecision.WakeClaim(ObjectKey key) -> "wake " + key;
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) ->
          unbind ? "mode mismatch, unbind" : "mode mismatch";
      case VolumeDecision.Keep(Reason reason, String _) -> "keep " + reason;
      case VolumeDecision.Unknown(String reason) -> "unknown";
    };
  }

  private static Volume marked(UnaryOperator<VolumeBuilder> change) {
    return volume(
        "v",
        "1Gi",
        v ->
            change.apply(
                v.claimRef(CLAIM, "x")
                    .status(
                        new Volume.Status(VolumePhase.RELEASED, "", BinderMarks.BEING_DESTROYED))));
  }

  private static Stream<Row> rows() {
    KnownClaim notCached = new KnownClaim.NotCached();
    KnownClaim absentClaim = new KnownClaim.Gone();
    Volume releasedVolume =
        volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.BOUND));
    Volume released = volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.RELEASED));
    Volume failed = volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.FAILED));
    KnownClaim unbound = new KnownClaim.Cached(claim("1Gi"));
    KnownClaim claimOfOtherVolume = new KnownClaim.Cached(claim("1Gi", c -> c.volumeName("other")));
    return Stream.of(
        new Row(
            "V1 4-1 free",
            volume("v", "1Gi", v -> v.phase(VolumePhase.PENDING)),
            notCached,
            "phase Available"),
        new Row(
            "V1 50 free again, from any phase",
            volume("v", "1Gi", v -> v.phase(VolumePhase.FAILED)),
            notCached,
            "phase Available"),
        new Row(
            "V2 4-2 reserved by name",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "")),
            unbound,
            "phase Available"),
        new Row(
            "V12 freed while a plugin may have destroyed it",
            marked(v -> v.noClaimRef()),
            notCached,
            "keep DELETION_INTERRUPTED"),
        new Row(
            "V12 reserved by name while a plugin may have destroyed it",
            marked(v -> v.claimRef(CLAIM, "")),
            unbound,
            "keep DELETION_INTERRUPTED"),
        new Row(
            "V12 given to a claim while a plugin may have destroyed it",
            marked(v -> v.claimRef(CLAIM, "u")),
            unbound,
            "keep DELETION_INTERRUPTED"),
        new Row("V5 a deletion that was interrupted", marked(v -> v), absentClaim, "reclaim"),
        new Row(
            "V14 destroyed, and finalizers of others keep the object",
            marked(v ->
                v.noClaimRef()
                    .deleting()
                    .annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/host-path")
                    .finalizers(BinderMarks.PROTECTION)),
            notCached,
            "phase Released"),
        new Row(
            "V12 freed and being deleted, and a plugin may not have finished",
            marked(v ->
                v.noClaimRef()
                    .deleting()
                    .reclaimPolicy(ReclaimPolicy.RETAIN)
                    .finalizers(BinderMarks.IN_TREE_FINALIZER)),
            notCached,
            "keep DELETION_INTERRUPTED"),
        new Row("V4 4-3 not cached is not gone", releasedVolume, notCached, "look live"),
        new Row(
            "V4 4-3 gone for certain",
            releasedVolume,
            absentClaim,
            "release and reclaim, claim gone"),
        new Row(
            "V4 a claim without a namespace cannot exist",
            volume(
                "v", "1Gi", v -> v.claimRef(ObjectKey.of("", "c"), "u").phase(VolumePhase.BOUND)),
            notCached,
            "release and reclaim"),
        new Row("V4 4-3 no answer", releasedVolume, new KnownClaim.Unknown("no answer"), "unknown"),
        new Row(
            "V4 4-4 cached under another uid is not gone",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "x").phase(VolumePhase.BOUND)),
            unbound,
            "look live"),
        new Row(
            "V4 4-4 live under another uid",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "x").phase(VolumePhase.BOUND)),
            new KnownClaim.Live(claim("1Gi")),
            "release and reclaim"),
        new Row(
            "V9 4-11 only the API server has it",
            releasedVolume,
            new KnownClaim.Live(claim("1Gi", c -> c.volumeName("v"))),
            "phase Bound"),
        new Row("V5 released before", released, notCached, "reclaim"),
        new Row("V5 failed before", failed, absentClaim, "reclaim"),
        new Row(
            "V5 released before, and its claim's name now belongs to another claim",
            volume(
                "v",
                "1Gi",
                v ->
                    v.claimRef(CLAIM, "x")
                        .phase(VolumePhase.RELEASED)
                        .reclaimPolicy(ReclaimPolicy.DELETE)),
            unbound,
            "reclaim"),
        new Row(
            "V5 failed before, and its claim's name now belongs to another claim",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "x").phase(VolumePhase.FAILED)),
            unbound,
            "reclaim"),
        new Row(
            "V6 14-13 modes differ",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").volumeMode(VolumeMode.BLOCK)),
            unbound,
            "mode mismatch"),
        new Row("V7 4-5 a binding under way", releasedVolume, unbound, "wake default/c"),
        new Row(
            "V9 4-6 bound",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "u")),
            new KnownClaim.Cached(claim("1Gi", c -> c.volumeName("v"))),
            "phase Bound"),
        new Row(
            "V9 50 bound again after Released",
            released,
            new KnownClaim.Cached(claim("1Gi", c -> c.volumeName("v"))),
            "phase Bound"),
        new Row(
            "V10 64 provisioned and surplus",
            volume(
                "v",
                "1Gi",
                v ->
                    v.claimRef(CLAIM, "u")
                        .phase(VolumePhase.BOUND)
                        .reclaimPolicy(ReclaimPolicy.DELETE)
                        .annotation(BinderMarks.PROVISIONED_BY, "p")),
            claimOfOtherVolume,
            "release and reclaim"),
        new Row(
            "V10 provisioned, surplus and released",
            volume(
                "v",
                "1Gi",
                v ->
                    v.claimRef(CLAIM, "u")
                        .phase(VolumePhase.RELEASED)
                        .reclaimPolicy(ReclaimPolicy.DELETE)
                        .annotation(BinderMarks.PROVISIONED_BY, "p")),
            claimOfOtherVolume,
            "reclaim"),
        new Row(
            "V11 4-7 created by a user, and surplus", releasedVolume, claimOfOtherVolume, "unbind"),
        new Row(
            "V11 51 provisioned, but to be kept",
            volume(
                "v",
                "1Gi",
                v -> v.claimRef(CLAIM, "u").annotation(BinderMarks.PROVISIONED_BY, "p")),
            claimOfOtherVolume,
            "unbind"),
        new Row(
            "V11 51 static, though to be deleted",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").reclaimPolicy(ReclaimPolicy.DELETE)),
            claimOfOtherVolume,
            "unbind"));
  }

  @TestFactory
  Stream<DynamicTest> decide_tableRow_returnsDecision() {
    return rows()
        .map(row ->
            dynamicTest(
                row.name,
                () ->
                    assertThat(describe(VolumeDecider.decide(row.view(), KUBERNETES)))
                        .isEqualTo(row.expected)));
  }

  private static Stream<Row> mooringRows() {
    KnownClaim unbound = new KnownClaim.Cached(claim("1Gi"));
    return Stream.of(
        new Row(
            "V5 failed, and then retained",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.FAILED)),
            new KnownClaim.Gone(),
            "phase Released"),
        new Row(
            "V6 modes differ: claimRef is removed",
            volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").volumeMode(VolumeMode.BLOCK)),
            unbound,
            "mode mismatch, unbind"),
        new Row(
            "V6 modes differ, but made for this claim: it would be lost",
            volume(
                "v",
                "1Gi",
                v ->
                    v.claimRef(CLAIM, "u")
                        .volumeMode(VolumeMode.BLOCK)
                        .reclaimPolicy(ReclaimPolicy.DELETE)
                        .annotation(BinderMarks.PROVISIONED_BY, "p")),
            unbound,
            "mode mismatch"),
        new Row(
            "V1 in-tree, without claim, being deleted",
            volume(
                "v",
                "1Gi",
                v ->
                    v.deleting()
                        .reclaimPolicy(ReclaimPolicy.DELETE)
                        .annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/host-path")
                        .finalizers(BinderMarks.IN_TREE_FINALIZER)),
            new KnownClaim.NotCached(),
            "reclaim"),
        new Row(
            "V1 in-tree, with an empty claimRef, being deleted",
            volume(
                "v",
                "1Gi",
                v ->
                    v.claimRef(ObjectKey.cluster(""), "")
                        .deleting()
                        .reclaimPolicy(ReclaimPolicy.DELETE)
                        .annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/host-path")
                        .finalizers(BinderMarks.IN_TREE_FINALIZER)),
            new KnownClaim.NotCached(),
            "reclaim"),
        new Row(
            "V1 in-tree, without claim, not being deleted",
            volume(
                "v",
                "1Gi",
                v ->
                    v.reclaimPolicy(ReclaimPolicy.DELETE)
                        .annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/host-path")
                        .finalizers(BinderMarks.IN_TREE_FINALIZER)),
            new KnownClaim.NotCached(),
            "phase Available"));
  }

  /**
   * Returns a volume whose claim does not exist and whose reclaim policy would destroy its storage.
   */
  private static Volume restored(UnaryOperator<VolumeBuilder> change) {
    return volume(
        "pvc-u",
        "1Gi",
        v ->
            change.apply(
                v.created(1_000)
                    .claimRef(CLAIM, "u")
                    .reclaimPolicy(ReclaimPolicy.DELETE)
                    .annotation(BinderMarks.PROVISIONED_BY, "p")
                    .phase(VolumePhase.PENDING)));
  }

  private static String madeAt(long second) {
    return VolumeOrigin.formatCreationTime(Instant.ofEpochSecond(second));
  }

  private static Stream<Row> neverBound() {
    KnownClaim absentClaim = new KnownClaim.Gone();
    KnownClaim laterClaim = new KnownClaim.Live(claim("1Gi", c -> c.uid("later")));
    KnownClaim claimOfOtherVolume = new KnownClaim.Cached(claim("1Gi", c -> c.volumeName("other")));
    VolumeHistory hadNone = new VolumeHistory(true, false);
    VolumeHistory keptHistory = new VolumeHistory(false, true);
    String keeps = "keep " + Reason.NEVER_BOUND;
    return Stream.of(
        new Row("V13 no such claim", restored(v -> v), absentClaim, keeps),
        new Row("V13 a later claim of that name", restored(v -> v), laterClaim, keeps),
        new Row("V13 no phase", restored(v -> v.phase(VolumePhase.UNSET)), absentClaim, keeps),
        new Row("V13 reserved", restored(v -> v.phase(VolumePhase.AVAILABLE)), absentClaim, keeps),
        new Row(
            "V13 Recycle",
            restored(v -> v.reclaimPolicy(ReclaimPolicy.RECYCLE)),
            absentClaim,
            keeps),
        new Row(
            "V13 a copy that is younger than its mark",
            restored(v -> v.annotation(VolumeOrigin.MADE_AT, madeAt(0))),
            absentClaim,
            keeps),
        new Row(
            "V13 an invalid made-at annotation",
            restored(v -> v.annotation(VolumeOrigin.MADE_AT, "yesterday")),
            absentClaim,
            keeps),
        new Row(
            "V13 bound to a deleted claim, but not made for it",
            restored(v -> v.annotation(BinderMarks.BOUND_BY_CONTROLLER, "yes")),
            absentClaim,
            hadNone,
            keeps),
        new Row(
            "V13 a copy, whose claim has another volume",
            restored(v -> v.key(ObjectKey.cluster("pvc-x"))),
            claimOfOtherVolume,
            keeps),
        new Row(
            "V13 kept before: not asked again", restored(v -> v), NOT_CACHED, keptHistory, keeps),
        new Row("V4 not kept before", restored(v -> v), NOT_CACHED, "look live"),
        new Row(
            "V4 the original, made for the claim",
            restored(v -> v.annotation(VolumeOrigin.MADE_AT, madeAt(990))),
            absentClaim,
            "release and reclaim, claim gone"),
        new Row(
            "V4 made by another for a claim that never had it",
            restored(v -> v),
            absentClaim,
            hadNone,
            "release and reclaim, claim gone"),
        new Row(
            "V4 the administrator decided",
            restored(v -> v.annotation(VolumeOrigin.NEVER_BOUND, VolumeOrigin.DESTROY)),
            absentClaim,
            "release and reclaim, claim gone"),
        new Row(
            "V4 its policy destroys nothing",
            restored(v -> v.reclaimPolicy(ReclaimPolicy.RETAIN)),
            absentClaim,
            "release and reclaim, claim gone"),
        new Row(
            "V4 it was Bound",
            restored(v -> v.phase(VolumePhase.BOUND)),
            absentClaim,
            "release and reclaim, claim gone"),
        new Row(
            "V10 made for the claim, which has another one",
            restored(v -> v),
            claimOfOtherVolume,
            "release and reclaim"));
  }

  @TestFactory
  Stream<DynamicTest> decide_volumeThatWasNeverBound_isKeptUnlessItIsKnownToBeUnused() {
    return neverBound()
        .map(row ->
            dynamicTest(
                row.name,
                () ->
                    assertThat(describe(VolumeDecider.decide(row.view(), BinderPolicy.DEFAULTS)))
                        .isEqualTo(row.expected)));
  }

  /** A volume that was Bound, freed and reserved again is kept as well. */
  @Test
  void decide_keptVolume_ignoresHistoryIfItWasBound() {
    Volume reserved = restored(v -> v.key(ObjectKey.cluster("pvc-x")).phase(VolumePhase.AVAILABLE));
    KnownClaim claimOfOtherVolume = new KnownClaim.Cached(claim("1Gi", c -> c.volumeName("other")));
    assertThat(decide(reserved, new KnownClaim.Gone()))
        .isEqualTo(
            Step.decided(
                new VolumeDecision.Keep(
                    Reason.NEVER_BOUND,
                    "no claim default/c with the uid in the claimRef exists, and the volume is not Bound")));
    assertThat(decide(reserved, claimOfOtherVolume))
        .isEqualTo(
            Step.decided(
                new VolumeDecision.Keep(
                    Reason.NEVER_BOUND,
                    "claim default/c has another volume, and this one is not Bound")));
    assertThat(Reason.NEVER_BOUND.meaning()).doesNotContain("never");
  }

  private static Step<VolumeDecision> decide(Volume volume, KnownClaim claim) {
    return VolumeDecider.decide(
        new VolumeView(volume, claim, VolumeHistory.UNKNOWN), BinderPolicy.DEFAULTS);
  }

  @TestFactory
  Stream<DynamicTest> decide_eachRow_mooringBehaviour() {
    return mooringRows()
        .map(row ->
            dynamicTest(
                row.name,
                () ->
                    assertThat(describe(VolumeDecider.decide(row.view(), BinderPolicy.DEFAULTS)))
                        .isEqualTo(row.expected)));
  }
}
