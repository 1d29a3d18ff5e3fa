package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.state.BinderState;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
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

/** Tests the event about a binding that the API server rejects. */
class RefusedWriteTest {
  private static final Claim CLAIM =
      TestObjects.claim(ObjectKey.of("ns", "c"))
          .uid("c")
          .created(1)
          .status(new Claim.Status(ClaimPhase.PENDING, List.of(), Map.of(), ""))
          .build();

  private static final FaultyCluster REFUSING =
      new FaultyCluster()
          .onWrite(request -> new WriteResult.Rejected<>(422, "policy \"no-gold\" forbids it"));

  private final List<ClusterEvent> events = new ArrayList<>();

  private Outcome decided(boolean explaining) throws InterruptedException {
    SimTime time = new SimTime();
    BinderState state = GivenState.of(time);
    ClaimExecutor executor =
        executor(
            new BinderReporter(
                events::add,
                state.eventMemory(),
                explaining ? EventStyle.EXPLAINING : EventStyle.AS_KUBERNETES,
                false),
            state,
            time);
    executor.execute(CLAIM, new ClaimDecision.TakeDefaultClass("gold"));
    return executor.execute(CLAIM, new ClaimDecision.TakeDefaultClass("gold"));
  }

  private static ClaimExecutor executor(BinderReporter reporter, BinderState state, SimTime time) {
    ClusterPorts ports = TestPorts.of(REFUSING, event -> {}, time);
    VolumeProvisioner provisioning =
        new VolumeProvisioner(
            ports,
            LoadedPlugins.NONE,
            reporter,
            new JobSaver(ports, reporter, SavePolicy.FEW_ATTEMPTS),
            state);
    return new ClaimExecutor(ports, reporter, provisioning, state, ProvisionerMark.WITH_VOLUME);
  }

  @Test
  void execute_rejectedBinding_emitsOneEvent() throws InterruptedException {
    assertThat(decided(true)).isInstanceOf(Outcome.Retry.class);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().reason()).isEqualTo("FailedBinding");
    assertThat(events.getFirst().note())
        .contains("policy \"no-gold\" forbids it", "422", "[WriteRefused]", "admission webhook");
  }

  @Test
  void execute_kubernetesStyle_emitsNoEvent() throws InterruptedException {
    assertThat(decided(false)).isInstanceOf(Outcome.Retry.class);
    assertThat(events).isEmpty();
  }
}
