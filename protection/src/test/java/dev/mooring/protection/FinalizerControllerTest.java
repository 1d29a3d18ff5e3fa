package dev.mooring.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerRule;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPorts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the cost of a decision about one object. */
class FinalizerControllerTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final Informer<Claim> claims = server.cluster().informers().of(Kind.CLAIM);
  private int reads;

  /** Claims that no cached pod uses. */
  private final class CountingController extends FinalizerController<Claim> {
    CountingController() {
      super(
          "counting",
          "counting",
          claims,
          TestPorts.of(server, server.cluster(), time),
          ObjectKey::namespace);
    }

    @Override
    ControllerSpec.Builder declareInputs(ControllerSpec.Builder spec) {
      return spec.reads(claims).addHandler(claims, change -> enqueue(change.key()));
    }

    @Override
    FinalizerRule<Claim> createRule() {
      return FinalizerDecider.claimRule(
          claim -> {
            reads++;
            return List.of();
          },
          Compat.MOORING,
          1);
    }
  }

  /** A claim may have thousands of pods, and thousands of claims may be deleted at once. */
  @Test
  void sync_unusedClaim_readsCachedPodsOnce() throws InterruptedException {
    StepwiseController steps = new StepwiseController(new CountingController().spec(), time);
    steps.startWithoutFirstPasses();
    server
        .cluster()
        .put(Kind.CLAIM, ProtectedObjects.claim(true, FinalizerDecider.CLAIM_FINALIZER));
    steps.settle();
    assertThat(server.writes()).as("it is released").hasSize(1);
    assertThat(reads).isEqualTo(1);
  }
}
