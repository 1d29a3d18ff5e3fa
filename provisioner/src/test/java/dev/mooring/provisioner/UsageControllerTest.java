package dev.mooring.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UsageControllerTest {
  private static final class MeasuringPlugin implements VolumePlugin {
    @Override
    public String name() {
      return "example.com/nfs";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("nfs");
    }

    @Override
    public Optional<UsageMeter> usage() {
      return Optional.of(request -> Attempt.done(new UsageMeter.Usage(10, 1)));
    }
  }

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final UsageController controller =
      new UsageController(
          cluster.informers(),
          TestPorts.of(cluster, cluster, time),
          TestPlugin.loaded(new MeasuringPlugin()),
          new UsageController.Config(Duration.ofMinutes(1)));
  private final StepwiseController steps = new StepwiseController(controller.spec(), time);

  private static Volume volume(String uid) {
    return TestObjects.volume("v")
        .uid(uid)
        .source(VolumeSource.nfs("s", "/"))
        .claimRef(ObjectKey.of("ns", "c"), "claim-" + uid)
        .phase(VolumePhase.BOUND)
        .build();
  }

  /** The watch missed the deletion. Metrics of one name must not occur twice. */
  @Test
  void usage_volumeWasCreatedAgain_isThatOfTheNewVolume() throws InterruptedException {
    cluster.put(Kind.VOLUME, volume("earlier"));
    steps.start();
    steps.settle();
    assertThat(controller.usage()).hasSize(1);
    cluster.put(Kind.VOLUME, volume("later"));
    steps.settle();
    time.advance(Duration.ofMinutes(2));
    steps.settle();
    assertThat(controller.usage()).hasSize(1);
  }
}
