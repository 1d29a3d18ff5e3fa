package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plugin's answers, and their absence, say about the volume. */
class PluginVolumesTest {
  private static final Order ORDER =
      new Order(
          "pvc-u",
          ProvisionedClaims.claim(Map.of(), ""),
          ProvisionedClaims.storageClass("example.com/disks", false),
          null);

  private Optional<Provisioner> provisioner = Optional.empty();
  private boolean present = true;
  private boolean owner = true;
  private final PluginVolumes volumes =
      new PluginVolumes(
          new VolumePlugin() {
            @Override
            public String name() {
              return "example.com/disks";
            }

            @Override
            public boolean supports(VolumeSource source) {
              return owner;
            }

            @Override
            public Optional<Provisioner> provisioner() {
              return provisioner;
            }
          },
          () -> present);

  private ProvisionResult.Failed failure(Failure why) {
    provisioner = Optional.of(request -> new Attempt.Failed<>(why));
    return (ProvisionResult.Failed) made();
  }

  private ProvisionResult made() {
    return switch (volumes.plan(ORDER)) {
      case Plan.Ask(VolumeService.Call call) -> {
        try {
          yield call.run();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      case Plan.Not(ProvisionResult.Failed why) -> why;
      case Plan.Left _, Plan.Never _, Plan.Unknown _ -> throw new AssertionError();
    };
  }

  @Test
  void whatAPluginRejectsIsNeverMade() {
    assertThat(failure(new Failure.Rejected("too odd")))
        .isEqualTo(
            new ProvisionResult.Failed(
                State.FINISHED,
                true,
                "failed to provision volume with StorageClass \"fast\": too odd"));
  }

  @Test
  void whatIsNotKnownMayBeThere() {
    assertThat(failure(new Failure.Uncertain("timed out")).state()).isEqualTo(State.BACKGROUND);
    assertThat(failure(new Failure.Fault("a bug", new IllegalStateException())).state())
        .isEqualTo(State.BACKGROUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unreachable", "exhausted"})
  void whatMayPassIsTriedAgain(String how) {
    ProvisionResult.Failed failed =
        failure(
            how.equals("exhausted")
                ? new Failure.Exhausted("full", Duration.ZERO)
                : new Failure.Unreachable("away"));
    assertThat(failed.state()).isEqualTo(State.ENDED);
    assertThat(failed.infeasible()).isFalse();
  }

  /** The jar may be replaced by one that can; and one of before may have begun. */
  @Test
  void aPluginThatMakesNoVolumesSaysNothingAboutThisOne() {
    assertThat(made())
        .isEqualTo(
            new ProvisionResult.Failed(
                State.ENDED, false, "plugin example.com/disks creates no volumes"));
  }

  @Test
  void aVolumeIsOnlyCalledSomebodyElsesByAPluginThatIsThere() {
    owner = false;
    assertThat(said()).contains("does not support volumes of type \"nfs\"");
    present = false;
    assertThat(said()).isEqualTo("plugin example.com/disks is not loaded now");
    assertThat(volumes.isReady()).isFalse();
  }

  private String said() {
    VolumeService.Destruction prepared =
        volumes.prepare(ProvisionedClaims.volume(VolumeSource.nfs("server", "/x"), Map.of()));
    return ((Destroying.Failed) ((VolumeService.Destruction.Not) prepared).why()).message();
  }
}
