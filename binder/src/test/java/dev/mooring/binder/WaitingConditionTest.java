package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.VolumesAndClaims;
import dev.mooring.binder.decide.WaitingCondition;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that the condition Waiting is written once for each reason. */
class WaitingConditionTest {
  private static final Condition FOREIGN =
      new Condition("example.com/Backup", "True", "Done", "kept", 0, 7);

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster().onWrite(request -> answer(request));
  private final List<ClusterEvent> events = new ArrayList<>();
  private boolean refuses;

  /** Accepts status patches of claims with the current version only. */
  private @Nullable WriteResult<?> answer(FaultyCluster.Request request) {
    assertThat(request.verb() + " " + request.kind()).isEqualTo("patch status " + Kind.CLAIM);
    long newest = server.cluster().get(Kind.CLAIM, request.key()).meta().resourceVersion();
    assertThat(request.document().members().get("metadata"))
        .asInstanceOf(MAP)
        .containsEntry("resourceVersion", Long.toString(newest));
    return refuses ? new WriteResult.Rejected<>(403, "no") : null;
  }

  private long writes() {
    return server.requests().stream()
        .filter(request -> request.verb() == FaultyCluster.Verb.PATCH_STATUS)
        .count();
  }

  private static Claim claim(int number, String volume, Condition... conditions) {
    return TestObjects.like(VolumesAndClaims.claim("1Gi"))
        .meta(TestObjects.metaOf(key(number)).uid("u" + number).created(1).meta())
        .volumeName(volume)
        .status(
            new Claim.Status(
                ClaimPhase.PENDING,
                List.of(),
                Map.of(),
                "",
                Claim.Modification.NONE,
                Claim.Resize.NONE,
                List.of(conditions),
                List.of()))
        .build();
  }

  private static ObjectKey key(int number) {
    return ObjectKey.of("ns" + number % 7, "c" + number);
  }

  private Claim claim(int number) {
    return server.cluster().get(Kind.CLAIM, key(number));
  }

  private void putClaim(Claim claim) {
    server.cluster().put(Kind.CLAIM, claim);
  }

  private StepwiseController controller(Compat compat) throws InterruptedException {
    BinderConfig defaults = BinderConfig.DEFAULTS;
    StepwiseController steps =
        new StepwiseController(
            new BinderController(
                    new BinderConfig(
                        defaults.resync(),
                        defaults.workers(),
                        new BinderPolicy(compat, true),
                        defaults.recycle(),
                        defaults.breaker(),
                        defaults.delay(),
                        true),
                    server.cluster().informers(),
                    TestPorts.of(server, events::add, time),
                    LoadedPlugins.NONE)
                .spec(),
            time);
    steps.start();
    settle(steps);
    return steps;
  }

  private static void settle(StepwiseController steps) throws InterruptedException {
    while (steps.stepEach()) {
      // until all are done
    }
  }

  private void letTimePass(StepwiseController steps, Duration during) throws InterruptedException {
    Duration step = Duration.ofSeconds(5);
    for (Duration start = Duration.ZERO; start.compareTo(during) < 0; start = start.plus(step)) {
      time.advance(step);
      settle(steps);
    }
  }

  private Condition waitingCondition(int number) {
    return claim(number).status().conditions().stream()
        .filter(c -> c.type().equals(WaitingCondition.TYPE))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void write_thousandPendingClaims_writesEachOnce() throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      putClaim(claim(i, ""));
    }
    StepwiseController steps = controller(Compat.MOORING);
    assertThat(writes()).isEqualTo(1000);
    assertThat(waitingCondition(17).reason()).isEqualTo("NoVolume");
    assertThat(waitingCondition(17).message())
        .isEqualTo(events.stream().map(ClusterEvent::note).findFirst().orElseThrow());
    int eventsBefore = events.size();
    letTimePass(steps, Duration.ofMinutes(10));
    assertThat(writes()).as("ten quiet minutes").isEqualTo(1000);
    assertThat(events).as("each is a write too").hasSize(eventsBefore);
  }

  @Test
  void write_anotherReason_writesOnceMoreAndKeepsOtherConditions() throws InterruptedException {
    putClaim(claim(1, "", FOREIGN));
    StepwiseController steps = controller(Compat.MOORING);
    long writesBefore = waitingCondition(1).changed();
    time.advance(Duration.ofMinutes(1));
    putClaim(TestObjects.like(claim(1)).volumeName("gone").build());
    settle(steps);
    assertThat(writes()).isEqualTo(2);
    assertThat(waitingCondition(1).reason()).isEqualTo("VolumeMissing");
    assertThat(waitingCondition(1).changed())
        .as("it has waited all the time")
        .isEqualTo(writesBefore);
    assertThat(claim(1).status().conditions()).contains(FOREIGN).hasSize(2);
  }

  @Test
  void write_afterRestart_writesNothing() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      putClaim(claim(i, ""));
    }
    controller(Compat.MOORING).close();
    long writesBefore = writes();
    letTimePass(controller(Compat.MOORING), Duration.ofMinutes(1));
    assertThat(writes()).isEqualTo(writesBefore).isEqualTo(20);
  }

  @Test
  void write_rejected_isNotRepeated() throws InterruptedException {
    refuses = true;
    putClaim(claim(1, ""));
    letTimePass(controller(Compat.MOORING), Duration.ofMinutes(10));
    assertThat(writes()).isEqualTo(1);
  }

  @Test
  void write_kubernetesMode_writesNothing() throws InterruptedException {
    putClaim(claim(1, ""));
    letTimePass(controller(Compat.KUBERNETES), Duration.ofMinutes(1));
    assertThat(events).isNotEmpty();
    assertThat(writes()).isZero();
  }
}
