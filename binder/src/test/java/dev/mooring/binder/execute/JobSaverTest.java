package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.VolumesAndClaims;
import dev.mooring.binder.state.EventMemory;
import dev.mooring.binder.state.ProvisionJob;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.SavePolicy;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests volumes that were made but that the API server rejects. */
class JobSaverTest {
  private static final Claim CLAIM = VolumesAndClaims.claim("1Gi");
  private static final StorageClass GOLD =
      TestObjects.storageClass(ObjectKey.cluster("gold"))
          .uid(Uid.NONE)
          .created(1)
          .provisioner("disks")
          .build();
  private static final WriteResult<?> NO_ANSWER = new WriteResult.Unreachable<>("no answer");
  private static final WriteResult<?> REFUSED = new WriteResult.Rejected<>(403, "a quota");

  private final List<String> destroyed = new ArrayList<>();
  private final List<ClusterEvent> events = new ArrayList<>();
  private final LoadedPlugins plugins =
      new TestPlugin("disks")
          .withProvisioner(request ->
              Attempt.done(
                  new Provisioner.Provisioned(
                      VolumeSource.hostPath("/x"),
                      Quantity.of("1Gi"),
                      CLAIM.accessModes(),
                      Map.of())))
          .withDeleter(request -> {
            destroyed.add(request.volumeName());
            return Attempt.done(new Deleter.Deleted());
          })
          .loaded();

  private JobResult save(WriteResult<?> answer, ReadResult<?> liveRead)
      throws InterruptedException {
    SimTime time = new SimTime(true);
    FaultyCluster server = new FaultyCluster().onWrite(r -> answer).onRead(r -> liveRead);
    ClusterPorts ports = TestPorts.of(server, event -> {}, time);
    ProvisionJob job = new ProvisionJob(CLAIM, GOLD, "disks");
    Attempt<PluginStorage.CreatedVolume> attempt =
        job.storage(plugins).volumeCreator().orElseThrow().provision(job.order());
    return new JobSaver(
            ports,
            new BinderReporter(
                events::add, new EventMemory(time, false), EventStyle.EXPLAINING, false),
            SavePolicy.FEW_ATTEMPTS)
        .save(job, ((Attempt.Done<PluginStorage.CreatedVolume>) attempt).value());
  }

  @Test
  void save_noAnswer_keepsVolumeAndRetriesSoon() throws InterruptedException {
    assertThat(save(NO_ANSWER, new ReadResult.Failed<>("no answer either")))
        .isEqualTo(new JobResult.Unanswered("no answer"));
    assertThat(destroyed).isEmpty();
    assertThat(events).singleElement().extracting(ClusterEvent::note).asString().contains("kept");
  }

  @Test
  void save_rejected_destroysOnlyIfTheObjectIsAbsent() throws InterruptedException {
    assertThat(save(REFUSED, new ReadResult.Failed<>("no answer")))
        .isEqualTo(new JobResult.Unanswered("a quota"));
    assertThat(destroyed).isEmpty();
    assertThat(save(REFUSED, new ReadResult.Absent<>()))
        .isEqualTo(new JobResult.Failed(new Failure.Unreachable("a quota")));
    assertThat(destroyed).containsExactly("pvc-u");
  }
}
