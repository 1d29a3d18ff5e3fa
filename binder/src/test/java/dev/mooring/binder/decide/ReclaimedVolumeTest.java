package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.claim;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Decisions about claims whose volume is still being reclaimed. */
class ReclaimedVolumeTest extends ClaimDeciderFixture {
  /** The volume may still be scrubbed or deleted for its earlier claim. */
  private static Stream<Row> rowsOfVolumesThatAreReclaimed() {
    Volume freed = volume("v", "1Gi", v -> v.phase(VolumePhase.RELEASED));
    Volume failed = volume("v", "1Gi", v -> v.claimRef(CLAIM, "").phase(VolumePhase.FAILED));
    return Stream.of(
        row(
            "U10 by its name",
            claim("1Gi", c -> c.volumeName("v")),
            List.of(freed),
            "leave VOLUME_BEING_RECLAIMED"),
        row(
            "U12 by its name, reserved",
            claim("1Gi", c -> c.volumeName("v")),
            List.of(failed),
            "leave VOLUME_BEING_RECLAIMED"),
        row("U3 reserved", claim("1Gi"), List.of(failed), "leave VOLUME_BEING_RECLAIMED"),
        row(
            "B3 created again under the name of the lost volume",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(freed),
            "leave VOLUME_BEING_RECLAIMED"),
        row(
            "B4 its own",
            claim("1Gi", c -> c.annotation(BinderMarks.BIND_COMPLETED, "yes").volumeName("v")),
            List.of(volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").phase(VolumePhase.FAILED))),
            "bind v"));
  }

  @TestFactory
  Stream<DynamicTest> decide_reclaimedVolume_isGivenToNoClaim() {
    return rowsOfVolumesThatAreReclaimed()
        .flatMap(row -> Stream.of(row, row.policy(KCM)))
        .map(row ->
            dynamicTest(
                row.name() + (row.policy().compat().isKubernetes() ? ", kcm" : ""),
                () -> assertThat(describe(decide(row))).isEqualTo(row.expected())));
  }
}
