package dev.mooring.protection.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.ProtectedObjects;
import dev.mooring.protection.decide.EphemeralDecision;
import dev.mooring.reconcile.Outcome;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the handling of claims that could not be created. */
class EphemeralExecutorTest {
  private static final Pod POD =
      ProtectedObjects.ephemeralPod(false, false, Pod.Phase.PENDING, "data");

  private static final Map<String, Object> POD_DOCUMENT =
      Map.of(
          "metadata",
          Map.of("uid", POD.meta().uid().toString()),
          "spec",
          Map.of(
              "volumes",
              List.of(
                  Map.of(
                      "name",
                      "data",
                      "ephemeral",
                      Map.of("volumeClaimTemplate", Map.of("spec", Map.of("a", "b")))))));

  private final FaultyCluster server =
      new FaultyCluster()
          .onWrite(request -> new WriteResult.Unreachable<>("no answer"))
          .onRead(request -> new ReadResult.Found<>(POD_DOCUMENT));
  private final List<ClusterEvent> events = new ArrayList<>();
  private final EphemeralExecutor executor = new EphemeralExecutor(server, server, events::add);

  private Outcome createClaim() throws InterruptedException {
    return executor.execute(
        POD, new EphemeralDecision.CreateClaim("data", ObjectKey.of("ns", "p-data")));
  }

  @Test
  void execute_writeUnanswered_retriesSoonAndEmitsOneEvent() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      assertThat(createClaim()).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(events).hasSize(1);
  }

  @Test
  void execute_podReplacedUnderItsName_emitsEventOnEachPod() throws InterruptedException {
    Pod successor = TestObjects.like(POD).uid("successor").build();
    EphemeralDecision decision =
        new EphemeralDecision.ForeignClaim("data", ObjectKey.of("ns", "p-data"));
    for (Pod pod : List.of(POD, POD, successor, successor)) {
      executor.execute(pod, decision);
    }
    assertThat(events)
        .extracting(event -> event.subject().uid())
        .containsExactly(POD.meta().uid(), successor.meta().uid());
  }

  static List<WriteResult<?>> answers() {
    return List.of(
        new WriteResult.Rejected<>(403, "quota"),
        new WriteResult.Conflict<>("there is one"),
        new WriteResult.Gone<>());
  }

  @ParameterizedTest
  @MethodSource("answers")
  void execute_rejectedClaim_emitsEventOnPod(WriteResult<?> answer) throws InterruptedException {
    server.onWrite(request -> answer);
    assertThat(createClaim()).isInstanceOf(Outcome.Retry.class);
  }
}
