package dev.mooring.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.Stepwise;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the server is asked before claims are let go that no pod in the cache uses. */
class ClaimProtectionTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final SharedInformers cache = new SharedInformers();
  private final Stepwise steps =
      new Stepwise(
          new ClaimProtection(
                  cache,
                  new ClusterPorts(
                      server,
                      server,
                      server.cluster(),
                      (about, uid) -> new ReadResult.Found<>(List.of()),
                      time),
                  Compat.MOORING,
                  new ProtectionConfig(false, 1))
              .spec(),
          time);

  @BeforeEach
  void begin() throws InterruptedException {
    steps.listen();
  }

  private void delete(String claim) {
    cache
        .of(Kind.CLAIM)
        .wrote(
            server
                .cluster()
                .put(
                    Kind.CLAIM,
                    Builders.claim(
                            Builders.metaOf(ObjectKey.of("ns", claim))
                                .deleted(2)
                                .finalizers(List.of(FinalizerDecider.CLAIM_FINALIZER))
                                .meta())
                        .build()));
  }

  private void run(Pod pod) {
    server.cluster().put(Kind.POD, pod);
  }

  private void settle() throws InterruptedException {
    time.advance(Duration.ofMillis(10));
    steps.settle();
  }

  private List<ObjectKey> released() {
    return server.writes().stream().map(FaultyCluster.Request::key).toList();
  }

  private long lists() {
    return server.requests().stream().filter(asked -> asked.verb() == Verb.LIST).count();
  }

  @Test
  void claimsThatAreDeletedTogetherCostOneList() throws InterruptedException {
    List.of("a", "b", "c").forEach(this::delete);
    settle();
    assertThat(released()).hasSize(3);
    assertThat(lists()).isEqualTo(1);
  }

  @Test
  void aPodThatOnlyTheServerHasKeepsItsClaimAndNoOther() throws InterruptedException {
    run(ProtectedObjects.pod("node", Pod.Phase.RUNNING, "b"));
    List.of("a", "b", "c").forEach(this::delete);
    settle();
    assertThat(released())
        .containsExactlyInAnyOrder(ObjectKey.of("ns", "a"), ObjectKey.of("ns", "c"));
    assertThat(lists())
        .as("a list that is shared proves no use: for b there is one of its own")
        .isEqualTo(2);
  }

  @Test
  void aPodInTheCacheKeepsItsClaimUnasked() throws InterruptedException {
    cache
        .of(Kind.POD)
        .wrote(
            Builders.like(ProtectedObjects.pod("node", Pod.Phase.RUNNING, "a")).version(1).build());
    delete("a");
    settle();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void nothingIsLetGoWhileTheServerDoesNotSay() throws InterruptedException {
    server.onRead(asked -> new ReadResult.Failed<>("no answer"));
    delete("a");
    settle();
    assertThat(released()).isEmpty();
    server.onRead(asked -> null);
    time.advance(Duration.ofSeconds(2));
    settle();
    assertThat(released()).containsExactly(ObjectKey.of("ns", "a"));
  }
}
