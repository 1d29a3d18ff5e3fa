package dev.mooring.expander;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Expander;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plugin grows volumes up to 5Gi. */
class ExpandControllerTest {
  private static final VolumeSource SOURCE =
      new VolumeSource("local", Map.of("path", "/volumes/v"));
  private static final Quantity LARGEST = Quantity.of("5Gi");

  private record SmallVolumes() implements VolumePlugin {
    @Override
    public String name() {
      return "example.com/small";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.equals(SOURCE);
    }

    @Override
    public Optional<Expander> expander() {
      return Optional.of(request ->
          request.requestedSize().compareTo(LARGEST) > 0
              ? Attempt.rejected("at most 5Gi")
              : Attempt.done(new Expander.Expanded(request.requestedSize(), false)));
    }
  }

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final StepwiseController steps =
      new StepwiseController(
          new ExpandController(
                  cluster.informers(),
                  TestPorts.of(cluster, cluster, time),
                  TestPlugin.loaded(new SmallVolumes()),
                  ExpandController.Scope.ALL,
                  Compat.MOORING)
              .spec(),
          time);

  @BeforeEach
  void requestTooMuch() throws InterruptedException {
    cluster.put(Kind.CLAIM, ExpandableClaims.claim("10Gi", "1Gi"));
    cluster.put(Kind.VOLUME, ExpandableClaims.volume(SOURCE, "1Gi", VolumeMode.FILESYSTEM, ""));
    steps.start();
    settle();
    assertThat(claim().status().resize().state()).isEqualTo(ResizeState.CONTROLLER_INFEASIBLE);
  }

  private Claim claim() {
    return cluster.get(Kind.CLAIM, ExpandableClaims.KEY);
  }

  private void request(String size) {
    cluster.put(Kind.CLAIM, TestObjects.like(claim()).request(size).build());
    settle();
  }

  private void settle() {
    TestWait.stepUntil(
        "no work is left",
        () -> {
          steps.settle();
          return steps.isWorkQuiet() && steps.isIdle();
        });
  }

  @Test
  void refusedSize_claimRequestsLess_isGrownToThat() {
    request("4Gi");
    assertThat(claim().status().storage()).isEqualTo(Quantity.of("4Gi"));
    assertThat(claim().status().resize().state()).isEqualTo(ResizeState.NONE);
  }

  @Test
  void refusedSize_claimRequestsMore_isRequestedOnce() {
    int before = cluster.events().size();
    request("11Gi");
    assertThat(claim().status().resize().allocated()).isEqualTo(Quantity.of("11Gi"));
    assertThat(claim().status().resize().state()).isEqualTo(ResizeState.CONTROLLER_INFEASIBLE);
    assertThat(cluster.events()).hasSize(before + 1);
  }

  /** The watch missed the deletion. */
  @Test
  void refusedSize_claimCreatedAgain_isGrown() {
    cluster.put(
        Kind.VOLUME, ExpandableClaims.volume(SOURCE, "1Gi", VolumeMode.FILESYSTEM, "", "another"));
    cluster.put(
        Kind.CLAIM, TestObjects.like(ExpandableClaims.claim("4Gi", "1Gi")).uid("another").build());
    settle();
    assertThat(claim().status().storage()).isEqualTo(Quantity.of("4Gi"));
  }
}
