package dev.mooring.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumeBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeRulesTest {
  private static final ClaimRules.Names NAMES =
      new ClaimRules.Names(Set.of("ours"), Set.of("kubernetes.io/ours"));

  @ParameterizedTest
  @CsvSource({
    "ours,   ,       csi ours,  true",
    "others, ,       csi ours,  false",
    "others, ours,   nfs,       true",
    "others, others, nfs,       false",
    ",       ,       csi ours,  true",
    ",       ,       csi other, false",
    ",       ours,   nfs,       true",
    ",       ,       nfs,       false",
    "kubernetes.io/ours, ,  nfs,   true",
    ",       kubernetes.io/ours, nfs, false",
  })
  void volume_annotationsAndSource_determineOwner(
      String provisioner, String migratedTo, String sourceType, boolean isOurs) {
    Map<String, String> annotations = new HashMap<>();
    if (provisioner != null) {
      annotations.put("pv.kubernetes.io/provisioned-by", provisioner);
    }
    if (migratedTo != null) {
      annotations.put("pv.kubernetes.io/migrated-to", migratedTo);
    }
    VolumeSource source =
        sourceType.startsWith("csi")
            ? VolumeSource.csi(sourceType.substring(4), "h")
            : VolumeSource.nfs("s", "/");
    assertThat(VolumeRules.isOurs(ProvisionedClaims.volume(source, annotations), NAMES))
        .isEqualTo(isOurs);
  }

  /**
   * Columns: reclaim policy, phase, has finalizer, is being deleted; then the change of the
   * finalizer and whether to delete the storage.
   */
  @ParameterizedTest
  @CsvSource({
    "DELETE,  BOUND,     false, false, added,   false",
    "DELETE,  BOUND,     true,  false, same,    false",
    "DELETE,  BOUND,     false, true,  same,    false",
    "DELETE,  AVAILABLE, false, false, same,    false",
    "DELETE,  RELEASED,  true,  false, same,    true",
    "DELETE,  RELEASED,  false, false, same,    true",
    "DELETE,  RELEASED,  true,  true,  same,    true",
    "DELETE,  RELEASED,  false, true,  same,    false",
    "DELETE,  FAILED,    true,  false, same,    false",
    "RETAIN,  BOUND,     true,  false, removed, false",
    "RETAIN,  RELEASED,  true,  false, removed, false",
    "RETAIN,  RELEASED,  false, false, same,    false",
    "RECYCLE, BOUND,     true,  false, removed, false",
  })
  void volume_policyAndPhase_determineFinalizerAndDeletion(
      ReclaimPolicy policy,
      VolumePhase phase,
      boolean present,
      boolean deleting,
      String finalizer,
      boolean destroyed) {
    List<String> finalizers = present ? List.of("other", VolumeRules.FINALIZER) : List.of("other");
    Volume volume = ProvisionedClaims.volume(policy, phase, finalizers, deleting);
    Optional<List<String>> expected =
        switch (finalizer) {
          case "added" -> Optional.of(List.of("other", VolumeRules.FINALIZER));
          case "removed" -> Optional.of(List.of("other"));
          default -> Optional.empty();
        };
    assertThat(VolumeRules.finalizers(volume)).isEqualTo(expected);
    assertThat(VolumeRules.isToBeDestroyed(volume)).isEqualTo(destroyed);
  }

  @Test
  void finalizers_ofOthers_keepOrder() {
    Volume volume =
        ProvisionedClaims.volume(
            ReclaimPolicy.RETAIN,
            VolumePhase.BOUND,
            List.of("a", VolumeRules.FINALIZER, "b"),
            false);
    assertThat(VolumeRules.finalizers(volume)).contains(List.of("a", "b"));
  }

  private static DestroyVerdict judgeDestruction(Volume liveVolume, Fact<Claim> claim) {
    return judgeDestruction(liveVolume, claim, Optional.empty());
  }

  private static DestroyVerdict judgeDestruction(
      Volume liveVolume, Fact<Claim> claim, Optional<Claim> cached) {
    Volume cachedVolume =
        ProvisionedClaims.volume(
            ReclaimPolicy.DELETE, VolumePhase.RELEASED, List.of(VolumeRules.FINALIZER), false);
    Step<DestroyVerdict> step =
        VolumeRules.judgeDestruction(
            cachedVolume,
            NAMES,
            new ObservedClaims(uid -> false, key -> cached),
            List.of(),
            LiveFacts.NONE
                .with(
                    new Question.ObjectRead<>(Kind.VOLUME, cachedVolume.key()),
                    new Fact.Present<>(liveVolume))
                .with(new Question.ObjectRead<>(Kind.CLAIM, ProvisionedClaims.CLAIM), claim));
    return ((Step.Decided<DestroyVerdict>) step).decision();
  }

  /**
   * Columns: name, origin, creation time (the deletion of the claim is at 2), claim went without a
   * volume, claim still exists; then whether the volume is kept.
   */
  @ParameterizedTest
  @CsvSource({
    // created manually, and bound to a claim that is being deleted
    "disk,   none,     1, true,  false, true",
    "disk,   none,     1, true,  true,  true",
    "disk,   none,     3, false, true,  true",
    "disk,   bound,    3, false, true,  true",
    // the claim may have had it before its deletion
    "disk,   none,     1, false, true,  false",
    "disk,   none,     2, false, true,  false",
    "disk,   none,     3, false, false, false",
    // provisioned for the claim
    "pvc-u,  made,     3, true,  true,  false",
    "vol-u,  made,     3, true,  true,  false",
    // provisioned for another claim, or created manually with such a name
    "pvc-x,  made,     1, true,  true,  true",
    "pvc-u,  none,     1, true,  true,  true",
    "pvc-u,  rebound,  1, true,  true,  true",
    // an administrator requested the deletion
    "disk,   decided,  3, true,  true,  false",
  })
  void judgeDestruction_volumeNotOfDeletedClaim_isKept(
      String name,
      String condition,
      long created,
      boolean hadNone,
      boolean claimExists,
      boolean isTaken) {
    Map<String, String> annotations =
        switch (condition) {
          case "made" -> Map.of(VolumeRules.PROVISIONED_BY, "ours");
          case "bound" -> Map.of("pv.kubernetes.io/bound-by-controller", "yes");
          case "rebound" ->
              Map.of(
                  VolumeRules.PROVISIONED_BY,
                  "ours",
                  "pv.kubernetes.io/bound-by-controller",
                  "yes");
          case "decided" -> Map.of(VolumeRules.TAKEN_BY, VolumeRules.DESTROY);
          default -> Map.of();
        };
    Volume volume = ProvisionedClaims.claimedVolume(name, created, VolumePhase.BOUND, annotations);
    Optional<Claim> claim =
        claimExists ? Optional.of(ProvisionedClaims.deleted(false)) : Optional.empty();
    assertThat(VolumeRules.isTaken(volume, hadNone, claim)).isEqualTo(isTaken);
  }

  @Test
  void judgeDestruction_takenByAnnotation_isKept() {
    Volume annotated =
        ProvisionedClaims.claimedVolume(
            "v", 1, VolumePhase.RELEASED, Map.of(VolumeRules.TAKEN_BY, "u"));
    Fact<Claim> absentClaim = new Fact.Absent<>();
    assertThat(judgeDestruction(annotated, absentClaim))
        .isEqualTo(new DestroyVerdict.Kept(annotated));
    assertThat(VolumeRules.finalizers(annotated))
        .as("the object can be deleted")
        .contains(List.of());
    Volume ofEarlierClaim =
        ProvisionedClaims.claimedVolume(
            "v", 1, VolumePhase.RELEASED, Map.of(VolumeRules.TAKEN_BY, "x"));
    assertThat(judgeDestruction(ofEarlierClaim, absentClaim))
        .isEqualTo(new DestroyVerdict.Confirmed(ofEarlierClaim));
  }

  /** Only the end of the claim shows whether it ever had the volume. */
  @Test
  void judgeDestruction_claimEndUnknown_waits() {
    Volume byHand = ProvisionedClaims.claimedVolume("disk", 1, VolumePhase.RELEASED, Map.of());
    Fact<Claim> absentClaim = new Fact.Absent<>();
    assertThat(
            judgeDestruction(
                byHand, absentClaim, Optional.of(ProvisionedClaims.claim(Map.of(), ""))))
        .isInstanceOf(DestroyVerdict.NotYet.class);
    assertThat(judgeDestruction(byHand, absentClaim))
        .isEqualTo(new DestroyVerdict.Confirmed(byHand));
  }

  /**
   * Columns: name, origin, never observed as Bound, claim went without a volume; then whether it is
   * kept.
   */
  @ParameterizedTest
  @CsvSource({
    "disk,  none,     true,  false, true",
    "pvc-u, made,     true,  false, true",
    "pvc-u, copy,     true,  false, true",
    "disk,  none,     true,  true,  true",
    "pvc-u, original, true,  false, false",
    "pvc-u, made,     true,  true,  false",
    "disk,  decided,  true,  false, false",
    "disk,  none,     false, false, false",
  })
  void isNeverBound_releasedVolume_unlessItIsKnownToBeUnused(
      String name, String origin, boolean isSeenUnbound, boolean hadNoVolume, boolean isKept) {
    Map<String, String> annotations =
        switch (origin) {
          case "made" -> Map.of(VolumeRules.PROVISIONED_BY, "ours");
          case "copy", "original" -> {
            long second = origin.equals("copy") ? 0 : 999;
            yield Map.of(
                VolumeRules.PROVISIONED_BY,
                "ours",
                VolumeOrigin.MADE_AT,
                VolumeOrigin.formatCreationTime(Instant.ofEpochSecond(second)));
          }
          case "decided" -> Map.of(VolumeOrigin.NEVER_BOUND, VolumeOrigin.DESTROY);
          default -> Map.of();
        };
    Volume volume = ProvisionedClaims.claimedVolume(name, 1_000, VolumePhase.RELEASED, annotations);
    assertThat(VolumeRules.isNeverBound(volume, isSeenUnbound, hadNoVolume)).isEqualTo(isKept);
  }

  @Test
  void neverHadVolume_claimOfTheVolume_ifItWentWithoutOneOrHasAnother() {
    Volume volume = ProvisionedClaims.claimedVolume("v", 1, VolumePhase.RELEASED, Map.of());
    for (String otherVolume : List.of("", "v", "another")) {
      ObservedClaims claims =
          new ObservedClaims(
              uid -> false, key -> Optional.of(ProvisionedClaims.claim(Map.of(), otherVolume)));
      assertThat(claims.neverHadVolume(volume)).isEqualTo(otherVolume.equals("another"));
    }
    assertThat(new ObservedClaims(uid -> true, key -> Optional.empty()).neverHadVolume(volume))
        .isTrue();
    assertThat(new ObservedClaims(uid -> false, key -> Optional.empty()).neverHadVolume(volume))
        .isFalse();
  }

  private static Volume liveVolume(ReclaimPolicy policy, VolumePhase phase) {
    return ProvisionedClaims.volume(policy, phase, List.of(VolumeRules.FINALIZER), false);
  }

  @Test
  void judgeDestruction_serverState_overridesCache() {
    Volume released = liveVolume(ReclaimPolicy.DELETE, VolumePhase.RELEASED);
    Fact<Claim> absentClaim = new Fact.Absent<>();
    assertThat(judgeDestruction(released, absentClaim))
        .isEqualTo(new DestroyVerdict.Confirmed(released));
    assertThat(
            judgeDestruction(liveVolume(ReclaimPolicy.RETAIN, VolumePhase.RELEASED), absentClaim))
        .isEqualTo(new DestroyVerdict.Spare());
    assertThat(judgeDestruction(liveVolume(ReclaimPolicy.DELETE, VolumePhase.BOUND), absentClaim))
        .isEqualTo(new DestroyVerdict.Spare());
    assertThat(judgeDestruction(ProvisionedClaims.volumeOf("another", released), absentClaim))
        .isEqualTo(new DestroyVerdict.Spare());
    assertThat(judgeDestruction(released, new Fact.Unknown<>("no answer")))
        .isInstanceOf(DestroyVerdict.Unknown.class);
    assertThat(
            judgeDestruction(released, new Fact.Present<>(ProvisionedClaims.claim(Map.of(), "v"))))
        .isInstanceOf(DestroyVerdict.NotYet.class);
    assertThat(
            judgeDestruction(released, new Fact.Present<>(ProvisionedClaims.claim(Map.of(), ""))))
        .isInstanceOf(DestroyVerdict.NotYet.class);
    assertThat(
            judgeDestruction(
                released, new Fact.Present<>(ProvisionedClaims.claim(Map.of(), "another"))))
        .isInstanceOf(DestroyVerdict.NotYet.class);
  }

  private static Volume freed(String condition) {
    VolumeBuilder freed = TestObjects.like(liveVolume(ReclaimPolicy.DELETE, VolumePhase.RELEASED));
    return switch (condition) {
      case "no claimRef" -> freed.noClaimRef().build();
      case "no uid" -> freed.claimRef(new ClaimRef(ProvisionedClaims.CLAIM, Uid.NONE)).build();
      case "no claimRef, deleted" -> freed.noClaimRef().deleted(2).build();
      default -> throw new IllegalArgumentException(condition);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"no claimRef", "no uid", "no claimRef, deleted"})
  void judgeDestruction_volumeFreedByAdministrator_keepsVolume(String condition) {
    assertThat(judgeDestruction(freed(condition), new Fact.Absent<>()))
        .isEqualTo(new DestroyVerdict.Spare());
    for (String volume : List.of("", "v", "another")) {
      assertThat(
              judgeDestruction(
                  freed(condition), new Fact.Present<>(ProvisionedClaims.claim(Map.of(), volume))))
          .isEqualTo(new DestroyVerdict.Spare());
    }
  }

  @Test
  void judgeDestruction_claimBoundElsewhere_onlyIfTheVolumeWasProvisioned() {
    Fact<Claim> claimOfOtherVolume =
        new Fact.Present<>(ProvisionedClaims.claim(Map.of(), "another"));
    Volume byHand = ProvisionedClaims.claimedVolume("v", 1, VolumePhase.RELEASED, Map.of());
    Volume provisioned =
        ProvisionedClaims.claimedVolume(
            "v", 1, VolumePhase.RELEASED, Map.of(VolumeRules.PROVISIONED_BY, "ours"));
    assertThat(judgeDestruction(byHand, claimOfOtherVolume))
        .isInstanceOf(DestroyVerdict.NotYet.class);
    assertThat(judgeDestruction(provisioned, claimOfOtherVolume))
        .isEqualTo(new DestroyVerdict.Confirmed(provisioned));
  }
}
