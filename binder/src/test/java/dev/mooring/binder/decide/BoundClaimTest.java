package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Decisions about claims with the bind-completed annotation. */
class BoundClaimTest extends ClaimDeciderFixture {
  private static Stream<Row> rows() {
    Volume volume = volume("one", "1Gi");
    return Stream.of(
        row(
            "B1 3-1 it names no volume",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes")),
            List.of(),
            "lost REFERENCE_LOST"),
        row(
            "B2 3-2 its volume is missing",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(),
            "lost VOLUME_LOST"),
        row(
            "B3 3-3 its volume has no claimRef",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("one")),
            List.of(volume),
            "bind one"),
        row(
                "B3 37 kcm: any volume of that name",
                claim(
                    "5Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("one")),
                List.of(volume),
                "bind one")
            .policy(KCM),
        row(
            "B3 37 it cannot be the claim's own",
            claim("5Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("one")),
            List.of(volume),
            "lost NO_LONGER_FITS"),
        row(
            "B3 a claim being expanded accepts its present capacity",
            claim(
                "5Gi",
                c ->
                    c.annotation(BinderMarks.BIND_COMPLETED, "yes")
                        .volumeName("one")
                        .capacity("1Gi")),
            List.of(volume),
            "bind one"),
        row(
            "B4 3-5 its volume names it",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, "u"))),
            "bind v"),
        row(
            "B5 3-4 its volume names an earlier claim of the name",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, "x"))),
            "lost CLAIM_UID_DIFFERS"),
        row(
            "B5 3-6 its volume names another",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(ObjectKey.of("default", "d"), "y"))),
            "lost MISBOUND"),
        row(
            "B5 37 its volume has a claimRef without uid",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, ""))),
            "lost CLAIM_UID_DIFFERS"));
  }

  private static ClaimDecision decideMisbound(BinderPolicy policy, String volumeUid) {
    return decide(
        row(
                "B5",
                claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
                List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, volumeUid))),
                "")
            .policy(policy));
  }

  @Test
  void decide_claimRefHasAnotherUid_namesBothUids() {
    String message = "Two claims are bound to the same volume, this one is bound incorrectly";
    assertThat(decideMisbound(BinderPolicy.DEFAULTS, "x"))
        .isEqualTo(
            new ClaimDecision.MarkLost(
                Reason.CLAIM_UID_DIFFERS,
                message + ": the claimRef of volume \"v\" has uid x, the claim has uid u"));
    assertThat(decideMisbound(BinderPolicy.DEFAULTS, ""))
        .isEqualTo(
            new ClaimDecision.MarkLost(
                Reason.CLAIM_UID_DIFFERS,
                message + ": the claimRef of volume \"v\" has no uid, the claim has uid u"));
    assertThat(decideMisbound(KCM, "x"))
        .isEqualTo(new ClaimDecision.MarkLost(Reason.CLAIM_UID_DIFFERS, message));
  }

  @TestFactory
  Stream<DynamicTest> decide_tableRow_returnsDecision() {
    return rows().map(ClaimDeciderFixture::test);
  }
}
