package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mapping of plugin results, and of missing plugins, to results of the volume service. */
class PluginVolumesTest {
  private static final Order ORDER =
      new Order(
          "pvc-u",
          ProvisionedClaims.claim(Map.of(), ""),
          ProvisionedClaims.storageClass("example.com/disks", false),
          null);

  private Optional<Provisioner> provisioner = Optional.empty();
  private Optional<Deleter> deleter = Optional.empty();
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

            @Override
            public Optional<Deleter> deleter() {
              return deleter;
            }
          },
          () -> present);

  private ProvisionResult.Failed toFailure(Failure failure) {
    provisioner = Optional.of(request -> new Attempt.Failed<>(failure));
    return (ProvisionResult.Failed) provision();
  }

  private ProvisionResult provision() {
    return switch (volumes.plan(ORDER)) {
      case Plan.Ready(VolumeService.Call call) -> {
        try {
          yield call.run();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      case Plan.Blocked(ProvisionResult.Failed failure) -> failure;
      case Plan.NotResponsible _, Plan.Impossible _, Plan.Unknown _, Plan.Conflicted _ ->
          throw new AssertionError();
    };
  }

  @Test
  void failure_rejected_isFinal() {
    assertThat(toFailure(new Failure.Rejected("too odd")))
        .isEqualTo(
            new ProvisionResult.Failed(
                State.FINISHED,
                true,
                "failed to provision volume with StorageClass \"fast\": too odd"));
  }

  @Test
  void failure_unknownOutcome_isUnfinished() {
    assertThat(toFailure(new Failure.Uncertain("timed out")).state()).isEqualTo(State.BACKGROUND);
    assertThat(toFailure(new Failure.Fault("a bug", new IllegalStateException())).state())
        .isEqualTo(State.BACKGROUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unreachable", "exhausted"})
  void failure_temporary_isRetried(String description) {
    ProvisionResult.Failed failed =
        toFailure(
            description.equals("exhausted")
                ? new Failure.Exhausted("full", Duration.ZERO)
                : new Failure.Unreachable("away"));
    assertThat(failed.state()).isEqualTo(State.ENDED);
    assertThat(failed.isInfeasible()).isFalse();
  }

  /** Answers who serves claims and volumes; fails if that is all that it should be asked. */
  private record Ignoring(Attempt<Optional<String>> answer) implements Provisioner, Deleter {
    @Override
    public Attempt<Optional<String>> ignores(Provisioner.Request request) {
      return answer;
    }

    @Override
    public Attempt<Optional<String>> ignores(Deleter.Request request) {
      return answer;
    }

    @Override
    public Attempt<Provisioned> provision(Provisioner.Request request) {
      throw new AssertionError(request);
    }

    @Override
    public Attempt<Deleted> delete(Deleter.Request request) {
      throw new AssertionError(request);
    }
  }

  private void answer(Attempt<Optional<String>> answer) {
    Ignoring ignoring = new Ignoring(answer);
    provisioner = Optional.of(ignoring);
    deleter = Optional.of(ignoring);
  }

  private Optional<DestroyResult> checkService() {
    return volumes.checkService(
        ProvisionedClaims.volume(VolumeSource.nfs("server", "/x"), Map.of()));
  }

  @Test
  void plan_pluginIgnoresClaim_isNotResponsible() {
    answer(Attempt.done(Optional.of("team b serves it")));
    assertThat(volumes.plan(ORDER)).isEqualTo(new Plan.NotResponsible("team b serves it"));
    assertThat(checkService()).contains(new DestroyResult.NotResponsible("team b serves it"));
  }

  @Test
  void plan_sourceOfPopulator_isNotResponsible() {
    answer(Attempt.done(Optional.empty()));
    Claim claim =
        TestObjects.like(ORDER.claim())
            .dataSourceRef(new DataSourceRef("example.com", "Page", "", "index"))
            .build();
    assertThat(volumes.plan(ORDER.withClaim(claim)))
        .isEqualTo(new Plan.NotResponsible("a populator of Page.example.com fills it"));
  }

  /** The prime claim has no selector: the population succeeds. */
  @Test
  void plan_sourceOfPopulatorAndSelector_isNotResponsible() {
    answer(Attempt.done(Optional.empty()));
    Claim claim =
        TestObjects.like(ORDER.claim())
            .selector("tier", "fast")
            .dataSourceRef(new DataSourceRef("example.com", "Page", "", "index"))
            .build();
    assertThat(volumes.plan(ORDER.withClaim(claim))).isInstanceOf(Plan.NotResponsible.class);
  }

  @Test
  void plan_pluginDoesNotAnswerWhoServes_isRetried() {
    answer(new Attempt.Failed<>(new Failure.Unreachable("away")));
    assertThat(volumes.plan(ORDER))
        .isEqualTo(
            new Plan.Blocked(
                new ProvisionResult.Failed(
                    State.UNCHANGED,
                    false,
                    "failed to provision volume with StorageClass \"fast\": away")));
    assertThat(checkService()).contains(new DestroyResult.Failed("away"));
  }

  @Test
  void checkService_volumeIsServed_isEmpty() {
    answer(Attempt.done(Optional.empty()));
    assertThat(checkService()).isEmpty();
    assertThat(volumes.plan(ORDER)).isInstanceOf(Plan.Ready.class);
  }

  @Test
  void needsFullClaims_provisioner_decides() {
    assertThat(volumes.needsFullClaims(ORDER.storageClass())).as("no provisioner").isTrue();
    provisioner = Optional.of(request -> Attempt.rejected("no"));
    assertThat(volumes.needsFullClaims(ORDER.storageClass())).as("default").isTrue();
    provisioner =
        Optional.of(
            new Provisioner() {
              @Override
              public boolean needsFullClaims(Map<String, String> parameters) {
                return !parameters.equals(ORDER.storageClass().parameters());
              }

              @Override
              public Attempt<Provisioned> provision(Request request) {
                return Attempt.rejected("no");
              }
            });
    assertThat(volumes.needsFullClaims(ORDER.storageClass())).isFalse();
  }

  /** The plugin may be replaced by one with a provisioner, and an earlier one may have begun. */
  @Test
  void provision_pluginWithoutProvisioner_isRetried() {
    assertThat(provision())
        .isEqualTo(
            new ProvisionResult.Failed(
                State.ENDED, false, "plugin example.com/disks creates no volumes"));
  }

  @Test
  void unsupportedVolume_pluginNotLoaded_isNotRejected() {
    owner = false;
    assertThat(failureMessage()).contains("does not support volumes of type \"nfs\"");
    present = false;
    assertThat(failureMessage()).isEqualTo("plugin example.com/disks is not loaded now");
    assertThat(volumes.isReady()).isFalse();
  }

  private String failureMessage() {
    VolumeService.DestroyPlan prepared =
        volumes.planDestruction(
            ProvisionedClaims.volume(VolumeSource.nfs("server", "/x"), Map.of()));
    return ((DestroyResult.Failed) ((VolumeService.DestroyPlan.Blocked) prepared).reason())
        .message();
  }
}
