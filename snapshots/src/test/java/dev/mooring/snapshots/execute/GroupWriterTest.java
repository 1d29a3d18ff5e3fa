package dev.mooring.snapshots.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.Kind;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.GroupMember;
import dev.mooring.snapshots.decide.GroupStep;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupWriterTest {
  private static final Problem PROBLEM = new Problem(3, "can not find snapshot");

  private final InMemoryCluster cluster = new InMemoryCluster();
  private final GroupWriter writer = new GroupWriter(cluster, cluster, new SimTime());

  /** The driver may not find the snapshot before its group is complete. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void writeMemberContent_contentWithError_clearsItIfReady(boolean isReady)
      throws InterruptedException {
    SnapshotContent memberContent =
        cluster.put(
            Kind.SNAPSHOT_CONTENT,
            TestObjects.snapshotContent("m")
                .status(new SnapshotContent.Status("snap-1", 7, 0, false, PROBLEM, "group-1"))
                .build());
    Member info = new Member("vol-1", "snap-1", 7, isReady, 1024);
    GroupSnapshotContent groupContent =
        TestObjects.groupSnapshotContent("g")
            .status(
                new GroupSnapshotContent.Status("group-1", 7, false, Problem.NONE, List.of(info)))
            .build();
    GroupSnapshot group = TestObjects.groupSnapshot("default", "g").build();
    GroupMember member =
        new GroupMember(info, "m", Optional.empty(), Optional.of(memberContent), Optional.empty());
    writer.apply(group, new GroupStep.WriteMemberContent(groupContent, member, memberContent));
    SnapshotContent.Status status =
        cluster.get(Kind.SNAPSHOT_CONTENT, memberContent.key()).status();
    assertThat(status.ready()).isEqualTo(isReady);
    assertThat(status.problem()).isEqualTo(isReady ? Problem.NONE : PROBLEM);
  }
}
