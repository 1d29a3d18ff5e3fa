package dev.mooring.manager.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotCheckTest {
  private static Explanation explanation(CauseRank rank) {
    return new Explanation(
        new SubjectRef(Kind.GROUP_SNAPSHOT, ObjectKey.of("shop", "nightly")),
        "Pending",
        0,
        new Cause("SnapshotRefused", rank, "it is refused", "correct it"),
        "no claim",
        NextStep.NOTHING,
        Evidence.NONE,
        List.of());
  }

  @Test
  void results_kindsNotServed_areOk() {
    assertThat(
            new SnapshotCheck(0, List.of(), List.of(), List.of(Kind.SNAPSHOT, Kind.GROUP_SNAPSHOT))
                .results())
        .containsExactly(
            CheckFinding.ok(
                "snapshots",
                "no objects; the API server does not serve volumesnapshots, volumegroupsnapshots"));
  }

  @Test
  void results_groupOnlyWaits_areOk() {
    assertThat(
            new SnapshotCheck(2, List.of(explanation(CauseRank.WAITING)), List.of(), List.of())
                .results())
        .containsExactly(CheckFinding.ok("snapshots", "2 objects, 1 wait"));
  }

  @Test
  void results_groupRefused_warnWithRemedy() {
    assertThat(
            new SnapshotCheck(
                    1, List.of(explanation(CauseRank.MISCONFIGURED)), List.of(), List.of())
                .results())
        .containsExactly(
            CheckFinding.warn(
                "snapshots",
                "VolumeGroupSnapshot shop/nightly: it is refused (no claim)",
                "correct it"));
  }

  @Test
  void results_manyProblems_areCounted() {
    List<CheckFinding> findings =
        new SnapshotCheck(
                9, Collections.nCopies(5, explanation(CauseRank.FAILING)), List.of(), List.of())
            .results();
    assertThat(findings).hasSize(4);
    assertThat(findings.getLast().text()).isEqualTo("2 more have problems");
  }

  @Test
  void results_unreadableKind_isNamed() {
    assertThat(
            new SnapshotCheck(
                    0,
                    List.of(),
                    List.of(new UnreadableKind(Kind.SNAPSHOT, "forbidden", "whether they wait")),
                    List.of())
                .results())
        .extracting(CheckFinding::text)
        .containsExactly("not checked: cannot list volumesnapshots: forbidden");
  }
}
