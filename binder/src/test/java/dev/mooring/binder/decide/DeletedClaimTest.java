package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Decisions about claims that are being deleted. */
class DeletedClaimTest extends ClaimDeciderFixture {
  /** A claim that is being deleted gets only its own volume. */
  private static Stream<Row> deletedClaims() {
    Volume free = volume("v", "1Gi");
    Volume byName = volume("v", "1Gi", v -> v.claimRef(CLAIM, ""));
    Volume ownVolume = volume("v", "1Gi", v -> v.claimRef(CLAIM, "u"));
    return Stream.of(
        row(
            "U3 a free volume",
            claim("1Gi", c -> c.deleting()),
            List.of(free),
            "leave BEING_DELETED"),
        row(
            "U3 a volume that is reserved by name",
            claim("1Gi", c -> c.deleting()),
            List.of(byName),
            "leave BEING_DELETED"),
        row(
            "U3 a binding under way is finished",
            claim("1Gi", c -> c.deleting()),
            List.of(byName, ownVolume),
            "bind v"),
        row(
            "U10 the volume that it names",
            claim("1Gi", c -> c.deleting().volumeName("v")),
            List.of(free),
            "leave BEING_DELETED"),
        row(
            "U12 the volume that it names, which is reserved by name",
            claim("1Gi", c -> c.deleting().volumeName("v")),
            List.of(byName),
            "leave BEING_DELETED"),
        row(
            "U12 the volume that it names is its own",
            claim("1Gi", c -> c.deleting().volumeName("v")),
            List.of(ownVolume),
            "bind v"),
        row(
            "B3 a volume with the name of the lost one",
            claim(
                "1Gi",
                c -> c.deleting().annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(free),
            "leave BEING_DELETED"),
        row(
            "B4 its own",
            claim(
                "1Gi",
                c -> c.deleting().annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(ownVolume),
            "bind v"));
  }

  @TestFactory
  Stream<DynamicTest> decide_deletedClaim_getsNoNewVolume() {
    return deletedClaims()
        .flatMap(row -> Stream.of(row, withKubernetesPolicy(row)))
        .map(row ->
            dynamicTest(
                row.name() + (row.policy().compat().isKubernetes() ? ", kcm" : ""),
                () -> assertThat(describe(decide(row))).isEqualTo(row.expected())));
  }

  /** Kubernetes decides as if the claim were not being deleted. */
  private static Row withKubernetesPolicy(Row row) {
    return row.name().startsWith("U3") && row.expected().startsWith("leave")
        ? row("U8 " + row.name(), row.claim(), row.volumes(), "wait NO_VOLUME pending").policy(KCM)
        : row.policy(KCM);
  }

  private static Stream<Row> deletedClaimsWithoutVolume() {
    Claim deletedClaim = claim("1Gi", c -> c.deleting().storageClass("gold"));
    return Stream.of(
        row(
                "U4 no class is given",
                claim("1Gi", c -> c.deleting()),
                List.of(),
                "leave BEING_DELETED")
            .byDefault("gold"),
        row("U7 nothing is provisioned", deletedClaim, List.of(), "leave BEING_DELETED")
            .by(new Provisioning.ByPlugin("kubernetes.io/host-path")),
        row("U7 no other provisioner", deletedClaim, List.of(), "leave BEING_DELETED")
            .by(new Provisioning.ByOthers("driver")),
        row(
                "U7 kcm: it is provisioned anyway",
                deletedClaim,
                List.of(),
                "provision kubernetes.io/host-path")
            .by(new Provisioning.ByPlugin("kubernetes.io/host-path"))
            .policy(KCM));
  }

  @TestFactory
  Stream<DynamicTest> decide_deletedClaimWithoutVolume_isNotProvisioned() {
    return deletedClaimsWithoutVolume()
        .map(row ->
            dynamicTest(
                row.name(), () -> assertThat(describe(decide(row))).isEqualTo(row.expected())));
  }
}
