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
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UsageControllerTest {
  private static final class MeasuringPlugin implements VolumePlugin {
    private UsageMeter.Usage usage = new UsageMeter.Usage(10, 1);

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
      return Optional.of(request -> Attempt.done(usage));
    }
  }

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final MeasuringPlugin plugin = new MeasuringPlugin();
  private final UsageController controller =
      new UsageController(
          cluster.informers(),
          TestPorts.of(cluster, cluster, time),
          TestPlugin.loaded(plugin),
          new UsageController.Config(Duration.ofMinutes(1)));
  private final StepwiseController steps = new StepwiseController(controller.spec(), time);

  private static Volume volume(String uid) {
    return TestObjects.volume("v")
        .uid(uid)
        .source(VolumeSource.nfs("s", "/"))
        .claimRef(ObjectKey.of("ns", "c"), "claim-" + uid)
        .phase(VolumePhase.BOUND)
        .storage("1Ki")
        .build();
  }

  private List<String> measure(UsageMeter.Usage usage) throws InterruptedException {
    plugin.usage = usage;
    cluster.put(Kind.CLAIM, TestObjects.claim("ns", "c").uid("claim-v").build());
    cluster.put(Kind.VOLUME, volume("v"));
    steps.start();
    steps.settle();
    return cluster.events().stream().map(event -> event.reason() + " " + event.note()).toList();
  }

  @Test
  void measure_unreadableDirectoriesAndTooManyBytes_reportsOverSize() throws InterruptedException {
    assertThat(measure(new UsageMeter.Usage(2000, 5, 1)))
        .singleElement()
        .asString()
        .startsWith(
            "VolumeOverSize volume v contains at least 2000 bytes in 5 files, and its capacity is 1Ki");
    assertThat(controller.usage()).hasSize(1);
  }

  @Test
  void measure_unreadableDirectories_reportsThemOnce() throws InterruptedException {
    assertThat(measure(new UsageMeter.Usage(10, 5, 3)))
        .singleElement()
        .asString()
        .startsWith("VolumeUsageIncomplete volume v contains at least 10 bytes")
        .contains("3 directories cannot be read", "nfs.runAsUser");
    time.advance(Duration.ofMinutes(2));
    steps.settle();
    assertThat(cluster.events()).hasSize(1);
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
