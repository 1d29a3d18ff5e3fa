package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.BinderStats;
import dev.mooring.binder.state.BinderStats.FailingOperation;
import dev.mooring.binder.state.BinderStats.TimedOperation;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.SavePolicy;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which failures count as failed provisioning. */
class ProvisionErrorsTest {
  private static final Meta META =
      TestObjects.metaOf(ObjectKey.of("ns", "c")).uid("c").created(1).meta();
  private static final Claim CLAIM =
      TestObjects.claim(META)
          .storageClass("gold")
          .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
          .build();
  private static final StorageClass GOLD =
      TestObjects.storageClass(ObjectKey.cluster("gold"))
          .uid(Uid.NONE)
          .created(1)
          .provisioner("x")
          .build();
  private static final Volume VOLUME =
      TestObjects.volume(ObjectKey.cluster("v"))
          .uid("v")
          .created(1)
          .source(VolumeSource.nfs("s", "/"))
          .reclaimPolicy(ReclaimPolicy.DELETE)
          .storageClass("gold")
          .status(new Volume.Status(VolumePhase.AVAILABLE, "", ""))
          .build();
  private static final FaultyCluster REFUSING =
      new FaultyCluster().onWrite(request -> new WriteResult.Rejected<>(422, "no"));

  private final SimTime time = new SimTime();
  private final List<ClusterEvent> events = new ArrayList<>();
  private final BinderState state = GivenState.of(time);
  private final BinderStats stats = state.stats();
  private final BinderReporter reporter =
      new BinderReporter(events::add, state.eventMemory(), EventStyle.EXPLAINING, false);
  private final ClusterPorts ports = TestPorts.of(REFUSING, event -> {}, time);
  private final ClaimExecutor executor =
      new ClaimExecutor(
          ports,
          reporter,
          new VolumeProvisioner(
              ports,
              LoadedPlugins.NONE,
              reporter,
              new JobSaver(ports, reporter, SavePolicy.FEW_ATTEMPTS),
              state),
          state,
          ProvisionerMark.WITH_VOLUME);

  @Test
  void execute_failedHandOver_counts() throws InterruptedException {
    executor.execute(CLAIM, new ClaimDecision.HandOver(GOLD, "x"));
    assertThat(stats.errors())
        .containsOnly(Map.entry(new FailingOperation("x", TimedOperation.PROVISION), 1L));
  }

  @Test
  void execute_refusedCopy_counts() throws InterruptedException {
    assertThat(executor.execute(CLAIM, new ClaimDecision.RefuseDataSource("p", "no copies")))
        .isEqualTo(Outcome.SETTLED);
    assertThat(stats.errors())
        .containsOnly(Map.entry(new FailingOperation("p", TimedOperation.PROVISION), 1L));
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().reason()).isEqualTo("ProvisioningFailed");
  }

  @Test
  void execute_failedBinding_countsForTheStartedProvisioning() throws InterruptedException {
    executor.execute(CLAIM, new ClaimDecision.Bind(VOLUME));
    assertThat(stats.errors()).isEmpty();
    stats.recordStart(TimedOperation.PROVISION, CLAIM.key(), "x");
    executor.execute(CLAIM, new ClaimDecision.Bind(VOLUME));
    assertThat(stats.errors())
        .containsOnly(Map.entry(new FailingOperation("x", TimedOperation.PROVISION), 1L));
  }
}
