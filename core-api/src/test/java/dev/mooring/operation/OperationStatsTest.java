package dev.mooring.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperationStatsTest {
  @Test
  void took_boundaryDurations_fallIntoKubernetesBuckets() {
    OperationStats stats = new OperationStats();
    stats.recordDuration("p", "volume_attach", true, 100_000_000L); // bounds are inclusive
    stats.recordDuration("p", "volume_attach", true, 100_000_001L);
    stats.recordDuration("p", "volume_attach", true, 700_000_000_000L);
    stats.recordDuration("p", "volume_attach", false, 1);
    assertThat(stats.read()).hasSize(2);
    OperationStats.Durations good =
        stats.read().stream().filter(d -> d.labels().succeeded()).findFirst().orElseThrow();
    assertThat(good.counts().getFirst()).isEqualTo(1);
    assertThat(good.counts().get(1)).isEqualTo(1);
    assertThat(good.counts().getLast()).isEqualTo(1);
    assertThat(good.total()).isEqualTo(3);
    assertThat(good.sumSeconds()).isBetween(700.1, 700.3);
  }
}
