package dev.mooring.manager.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.command.UsageException;
import dev.mooring.manager.lifecycle.ManagerConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandbyWarmUpTest {
  private static ManagerConfig config(String mode) throws UsageException {
    return RunFlags.config(List.of("--mode=" + mode));
  }

  @Test
  void round_replaceMode_provisionsAttachesAndDeletes() throws Exception {
    try (WarmUpCluster cluster = WarmUpCluster.start(config("replace"), () -> false)) {
      assertThat(cluster.playRound(0)).isTrue();

      WarmUpObjects objects = cluster.objects();
      assertThat(objects.list(KindCatalogue.EVENTS))
          .extracting(event -> JsonBodies.textAt(event.tree(), "reason"))
          .contains("ProvisioningSucceeded", "SuccessfulAttachVolume");
      assertThat(objects.list(KindCatalogue.ATTACHMENTS)).isEmpty();
      assertThat(objects.list(KindCatalogue.CLAIMS)).isEmpty();
      assertThat(objects.list(KindCatalogue.VOLUMES))
          .extracting(volume -> volume.tree().toString())
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"beside", "replace"})
  void rounds_anyMode_endWithinTheirLimits(String mode) throws Exception {
    try (WarmUpCluster cluster = WarmUpCluster.start(config(mode), () -> false)) {
      assertThat(cluster.playRound(0)).isTrue();
      assertThat(cluster.playRound(1)).isTrue();
    }
  }

  @Test
  void warmUp_stopRequested_endsEarly() throws Exception {
    StandbyWarmUp warmUp = new StandbyWarmUp(config("replace"), Duration.ZERO);
    warmUp.stop();
    assertThat(warmUp.warmUp().isComplete()).isFalse();
  }
}
