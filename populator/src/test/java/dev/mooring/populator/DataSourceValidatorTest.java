package dev.mooring.populator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.VolumePopulator;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DataSourceValidatorTest {
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final SimTime time = new SimTime();

  private DataSourceValidator validator(LoadedPlugins plugins) {
    return new DataSourceValidator(
        plugins, cluster.informers(), TestPorts.of(cluster, cluster, time));
  }

  private StepwiseController started(DataSourceValidator validator) throws InterruptedException {
    StepwiseController steps = new StepwiseController(validator.spec(), time);
    steps.start();
    return steps;
  }

  private void createClaim(String name, String kind, ClaimPhase phase, String volume) {
    createClaim(cluster, name, kind, phase, volume);
  }

  private static void createClaim(
      InMemoryCluster target, String name, String kind, ClaimPhase phase, String volume) {
    target.put(
        Kind.CLAIM,
        TestObjects.claim("default", name)
            .dataSourceRef(new DataSourceRef("example.com", kind, "", "a"))
            .volumeName(volume)
            .phase(phase)
            .build());
  }

  @Test
  void validation_unknownKind_isReportedOnce() throws InterruptedException {
    StepwiseController steps = started(validator(LoadedPlugins.NONE));
    createClaim("a", "Disk", ClaimPhase.PENDING, "");
    steps.settle();
    cluster.put(
        Kind.CLAIM,
        TestObjects.like(cluster.get(Kind.CLAIM, TestObjects.claim("default", "a").build().key()))
            .annotation("n", "1")
            .build());
    steps.settle();
    assertThat(cluster.events())
        .singleElement()
        .satisfies(event -> {
          assertThat(event.reason()).isEqualTo("UnrecognizedDataSourceKind");
          assertThat(event.note()).contains("Disk.example.com");
        });
  }

  @Test
  void validation_clusterWithoutVolumePopulators_isSilentUntilItServesThem()
      throws InterruptedException {
    FaultyCluster server = new FaultyCluster();
    server.onRead(request -> new ReadResult.Failed<>("the server does not serve them"));
    DataSourceValidator validator =
        new DataSourceValidator(
            LoadedPlugins.NONE,
            server.cluster().informers(),
            TestPorts.of(server, server.cluster(), time));
    StepwiseController steps = started(validator);
    createClaim(server.cluster(), "a", "Disk", ClaimPhase.PENDING, "");
    steps.settle();
    assertThat(server.cluster().events()).isEmpty();
    assertThat(steps.isIdle()).isTrue();
    server.onRead(request -> null);
    time.advance(Duration.ofMinutes(1));
    steps.settle();
    assertThat(server.cluster().events()).hasSize(1);
  }

  @Test
  void validation_claimsWithoutPopulator_causeNoRequest() throws InterruptedException {
    FaultyCluster server = new FaultyCluster();
    StepwiseController steps =
        started(
            new DataSourceValidator(
                LoadedPlugins.NONE,
                server.cluster().informers(),
                TestPorts.of(server, server.cluster(), time)));
    server.cluster().put(Kind.CLAIM, TestObjects.claim("default", "a").build());
    createClaim(server.cluster(), "b", "Disk", ClaimPhase.BOUND, "pv");
    steps.settle();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void validation_kindRegisteredLater_isCheckedAgain() throws InterruptedException {
    DataSourceValidator validator = validator(LoadedPlugins.NONE);
    StepwiseController steps = started(validator);
    createClaim("a", "Disk", ClaimPhase.PENDING, "");
    steps.settle();
    cluster.put(
        VolumePopulator.KIND,
        TestObjects.volumePopulator("disks").sourceGroup("example.com").sourceKind("Disk").build());
    time.advance(Duration.ofMinutes(1));
    steps.settle();
    assertThat(validator.counts()).containsEntry("invalid", 1L).containsEntry("populator", 1L);
  }

  @Test
  void validation_boundClaim_isNotReported() throws InterruptedException {
    StepwiseController steps = started(validator(LoadedPlugins.NONE));
    createClaim("a", "Disk", ClaimPhase.BOUND, "pv");
    steps.settle();
    assertThat(cluster.events()).isEmpty();
  }

  @Test
  void validation_kindOfLoadedPopulator_isNotReported() throws InterruptedException {
    DataSourceValidator validator =
        validator(new TestPlugin("example.com/p").withPopulator(new HttpPopulator()).loaded());
    StepwiseController steps = started(validator);
    createClaim("a", "Page", ClaimPhase.PENDING, "");
    steps.settle();
    assertThat(cluster.events()).isEmpty();
    assertThat(validator.counts()).containsEntry("populator", 1L);
  }
}
