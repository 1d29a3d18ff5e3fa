package dev.mooring.binder.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.RequeuedKeys;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.state.BinderState;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.SharedStorageIndex;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestGuards;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects that were deleted and created again, as one change. */
class BinderEventHandlersTest {
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");
  private static final ObjectKey VOLUME = ObjectKey.cluster("v");

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final RequeuedKeys queues = new RequeuedKeys();
  private final BinderState state =
      new BinderState(
          BinderPolicy.DEFAULTS,
          time,
          TestGuards.of(new DeletionBreaker(0, Duration.ofMinutes(1), time), time),
          queues);

  @BeforeEach
  void watch() {
    cluster.informers().of(Kind.VOLUME, SharedStorageIndex.BY_STORAGE);
    BinderEventHandlers handlers = new BinderEventHandlers(cluster.informers(), state, queues);
    handlers.watchVolumes();
    handlers.watchClaims();
  }

  private static Claim claim(String uid) {
    return TestObjects.claim(CLAIM).uid(uid).build();
  }

  private static Volume volume(String uid) {
    return TestObjects.volume(VOLUME).uid(uid).claimRef(CLAIM, "earlier").build();
  }

  private static KeyedOperations.Start start(
      KeyedOperations<ObjectKey> operations, ObjectKey key, JobResult result) {
    KeyedOperations.Start started = operations.start(key, () -> result);
    TestWait.until("the job has ended", () -> operations.runningJobs() == 0);
    return started;
  }

  private static void assertBackOffEnds(
      KeyedOperations<ObjectKey> operations, ObjectKey key, Runnable replacement) {
    start(operations, key, JobResult.unreachable("full"));
    assertThat(start(operations, key, JobResult.DONE)).isEqualTo(KeyedOperations.Start.BACKING_OFF);
    replacement.run();
    assertThat(start(operations, key, JobResult.DONE)).isEqualTo(KeyedOperations.Start.STARTED);
  }

  @Test
  void claim_createdAgain_hasNoBackOffOfItsPredecessor() {
    cluster.put(Kind.CLAIM, claim("earlier"));
    assertBackOffEnds(state.provisions(), CLAIM, () -> cluster.put(Kind.CLAIM, claim("later")));
  }

  @Test
  void volume_createdAgain_hasNoBackOffOfItsPredecessor() {
    cluster.put(Kind.VOLUME, volume("earlier"));
    assertBackOffEnds(state.deletions(), VOLUME, () -> cluster.put(Kind.VOLUME, volume("later")));
  }

  @Test
  void claim_createdAgain_requeuesTheVolumeOfItsPredecessor() {
    cluster.put(Kind.CLAIM, claim("earlier"));
    cluster.put(Kind.VOLUME, volume("v"));
    queues.volumes().clear();
    cluster.put(Kind.CLAIM, claim("later"));
    assertThat(queues.volumes()).contains(VOLUME);
  }
}
