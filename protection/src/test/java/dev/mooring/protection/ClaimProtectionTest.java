package dev.mooring.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.RunningController;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestGuards;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the live lists before claims without a cached user are released. */
class ClaimProtectionTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final SharedInformers cache = new SharedInformers();
  private final StepwiseController steps = new StepwiseController(controller(time).spec(), time);

  private ClaimProtection controller(Time controllerTime) {
    return new ClaimProtection(
        cache,
        TestPorts.of(server, server.cluster(), controllerTime),
        Compat.MOORING,
        new ProtectionConfig(UnusedCondition.OFF, 1),
        TestGuards.delay(controllerTime));
  }

  @BeforeEach
  void listen() throws InterruptedException {
    steps.startWithoutFirstPasses();
  }

  private void delete(String claim) {
    delete(ObjectKey.of("ns", claim));
  }

  private void delete(ObjectKey claim) {
    cache
        .of(Kind.CLAIM)
        .applyOwnWrite(
            server
                .cluster()
                .put(
                    Kind.CLAIM,
                    TestObjects.claim(
                            TestObjects.metaOf(claim)
                                .deleted(2)
                                .finalizers(List.of(FinalizerDecider.CLAIM_FINALIZER))
                                .meta())
                        .build()));
  }

  private void putPod(Pod pod) {
    server.cluster().put(Kind.POD, pod);
  }

  private void settle() throws InterruptedException {
    time.advance(Duration.ofMillis(10));
    steps.settle();
  }

  private List<ObjectKey> releasedClaims() {
    return server.writes().stream().map(FaultyCluster.Request::key).toList();
  }

  private long countLists() {
    return server.requests().stream().filter(asked -> asked.verb() == Verb.LIST).count();
  }

  @Test
  void sync_claimsDeletedTogether_listsPodsOnce() throws InterruptedException {
    List.of("a", "b", "c").forEach(this::delete);
    settle();
    assertThat(releasedClaims()).hasSize(3);
    assertThat(countLists()).isEqualTo(1);
  }

  @Test
  void sync_podMissingInCache_keepsOnlyItsClaim() throws InterruptedException {
    putPod(ProtectedObjects.pod("node", Pod.Phase.RUNNING, "b"));
    List.of("a", "b", "c").forEach(this::delete);
    settle();
    assertThat(releasedClaims())
        .containsExactlyInAnyOrder(ObjectKey.of("ns", "a"), ObjectKey.of("ns", "c"));
    assertThat(countLists()).as("a shared list proves no use: b needs its own list").isEqualTo(2);
  }

  /** The pod came and went while the watch of pods had a gap: no event shows its end. */
  @Test
  void sync_podMissingInCacheIsGone_releasesItsClaim() throws InterruptedException {
    Pod pod = ProtectedObjects.pod("node", Pod.Phase.RUNNING, "b");
    putPod(pod);
    delete("b");
    settle();
    assertThat(releasedClaims()).isEmpty();
    server.cluster().remove(Kind.POD, pod.key());
    time.advance(Duration.ofMinutes(1));
    settle();
    assertThat(releasedClaims()).containsExactly(ObjectKey.of("ns", "b"));
  }

  @Test
  void sync_cachedPodUsesClaim_keepsItWithoutList() throws InterruptedException {
    cache
        .of(Kind.POD)
        .applyOwnWrite(
            TestObjects.like(ProtectedObjects.pod("node", Pod.Phase.RUNNING, "a"))
                .version(1)
                .build());
    delete("a");
    settle();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void sync_listFails_keepsClaims() throws InterruptedException {
    server.onRead(asked -> new ReadResult.Failed<>("no answer"));
    delete("a");
    settle();
    assertThat(releasedClaims()).isEmpty();
    server.onRead(asked -> null);
    time.advance(Duration.ofSeconds(2));
    settle();
    assertThat(releasedClaims()).containsExactly(ObjectKey.of("ns", "a"));
  }

  private void putPodAndCache(Pod pod) {
    cache.of(Kind.POD).applyOwnWrite(server.cluster().put(Kind.POD, pod));
  }

  /** Foreground deletion of the pod waits for its claim, and its node is dead. */
  @Test
  void sync_ephemeralPodIsForceDeleted_releasesItsClaim() throws InterruptedException {
    Pod pod = ProtectedObjects.ephemeralPod(true, false, Pod.Phase.RUNNING, "v");
    putPodAndCache(pod);
    cache
        .of(Kind.CLAIM)
        .applyOwnWrite(
            server
                .cluster()
                .put(
                    Kind.CLAIM,
                    TestObjects.claim("ns", "p-v")
                        .controller(pod.meta().uid())
                        .deleted(2)
                        .finalizers(FinalizerDecider.CLAIM_FINALIZER)
                        .build()));
    settle();
    assertThat(releasedClaims()).as("the kubelet may still use it").isEmpty();
    putPodAndCache(TestObjects.like(pod).shutDown(true).build());
    settle();
    assertThat(releasedClaims()).containsExactly(ObjectKey.of("ns", "p-v"));
  }

  /** The API server answers for one namespace only after the others were served. */
  @Test
  void sync_slowNamespace_leavesWorkersToOtherNamespaces() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger listing = new AtomicInteger();
    server.onRead(asked -> {
      if (asked.verb() == Verb.LIST && asked.key().namespace().equals("slow")) {
        listing.incrementAndGet();
        await(gate);
      }
      return null;
    });
    try (SystemTime real = new SystemTime();
        RunningController _ = RunningController.start(controller(real).spec(), real)) {
      for (int i = 0; i < 40; i++) {
        delete(ObjectKey.of("slow", "c" + i));
      }
      TestWait.until("the slow namespace is listed", () -> listing.get() > 0);
      ObjectKey otherClaim = ObjectKey.of("ns", "a");
      delete(otherClaim);
      TestWait.until("the other claim is released", () -> releasedClaims().contains(otherClaim));
      assertThat(releasedClaims()).containsExactly(otherClaim);
      assertThat(listing).as("one worker waits for the namespace").hasValue(1);
      gate.countDown();
      TestWait.until("all are released", () -> releasedClaims().size() == 41);
      assertThat(listing).hasValueLessThanOrEqualTo(3);
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
