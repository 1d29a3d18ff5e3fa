package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.DriverClaims;
import dev.mooring.csi.state.HealthMemory;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Source: KEP-1432 and the health status of claims in Kubernetes 1.37. */
class HealthReporterTest {
  private static final List<HealthCondition> LOST =
      List.of(new HealthCondition("DataLoss", "DiskGone", "lost its disk"));
  private static final List<HealthCondition> SLOW =
      List.of(new HealthCondition("Degraded", "Slow", ""));

  private final FaultyCluster server = new FaultyCluster();
  private final SimTime time = new SimTime();
  private final List<String> events = new ArrayList<>();
  private final HealthReporter reporter =
      new HealthReporter(
          new DriverReporter(event -> events.add(describe(event)), "d"),
          new ClusterPorts(
              server, server, event -> {}, (key, uid) -> new ReadResult.Found<>(List.of()), time),
          new HealthMemory());
  private final Volume volume = VolumesFixture.volume(Map.of());
  private Claim claim = server.cluster().put(Kind.CLAIM, DriverClaims.claim().uid("u").build());

  private static String describe(ClusterEvent event) {
    return event.reason() + ": " + event.note();
  }

  private void report(List<HealthCondition> conditions) throws InterruptedException {
    reporter.reportHealth(volume, claim, conditions);
    claim = server.cluster().get(Kind.CLAIM, claim.key());
  }

  private void dropHealthStatus() {
    server.onWrite(request -> new WriteResult.Written<>(claim));
  }

  @Test
  void reportHealth_changedProblem_replacesConditions() throws InterruptedException {
    report(LOST);
    assertThat(claim.status().healthConditions()).isEqualTo(LOST);

    report(SLOW);
    assertThat(claim.status().healthConditions()).isEqualTo(SLOW);
    assertThat(events).isEmpty();
  }

  @Test
  void reportHealth_sameProblem_isNotWrittenAgain() throws InterruptedException {
    report(LOST);
    time.advance(Duration.ofDays(1));
    report(LOST);

    assertThat(server.writes()).hasSize(1);
  }

  @Test
  void reportHealth_recovered_removesStatus() throws InterruptedException {
    report(LOST);
    report(List.of());

    assertThat(claim.status().healthConditions()).isEmpty();
    report(List.of());
    assertThat(server.writes()).hasSize(2);
  }

  @Test
  void reportHealth_serverDropsStatus_emitsEvents() throws InterruptedException {
    dropHealthStatus();
    report(LOST);
    report(LOST);
    assertThat(events)
        .containsExactly("VolumeConditionAbnormal: DataLoss: DiskGone: lost its disk");

    report(SLOW);
    report(List.of());
    report(List.of());
    assertThat(events)
        .containsExactly(
            "VolumeConditionAbnormal: DataLoss: DiskGone: lost its disk",
            "VolumeConditionAbnormal: Degraded: Slow",
            "VolumeConditionNormal: The Volume returns to the healthy state");
  }

  @Test
  void reportHealth_serverDropsStatus_isRetriedAfterAnHour() throws InterruptedException {
    dropHealthStatus();
    report(LOST);
    time.advance(Duration.ofMinutes(59));
    report(LOST);
    assertThat(server.writes()).hasSize(1);

    server.onWrite(request -> null);
    time.advance(Duration.ofMinutes(2));
    report(LOST);
    assertThat(claim.status().healthConditions()).isEqualTo(LOST);
  }

  @Test
  void reportHealth_writeFails_isRepeated() throws InterruptedException {
    server.nextWrites(new WriteResult.Unreachable<>("down"));
    report(LOST);
    assertThat(events).isEmpty();

    report(LOST);
    assertThat(claim.status().healthConditions()).isEqualTo(LOST);
  }
}
