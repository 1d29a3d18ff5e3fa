package dev.mooring.manager.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.LeaderElection;
import dev.mooring.kube.LeaseWatch;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.storage.BreakerState;
import dev.mooring.storage.BreakerState.DeletionCount;
import dev.mooring.storage.BreakerState.Hold;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseBreakerStoreTest {
  private static final ObjectKey LEASE = ObjectKey.of("kube-system", "mooring");
  private static final BreakerState HELD =
      new BreakerState(
          Hold.LIMIT,
          Instant.EPOCH,
          List.of(new DeletionCount(Instant.ofEpochSecond(1_700_000_000), 3)));

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final LeaseBreakerStore store = new LeaseBreakerStore(server, server, LEASE, "a");
  private final LeaderElection election = newElection("a");

  private LeaderElection newElection(String identity) {
    return new LeaderElection(
        new LeaderElection.Config(
            LEASE,
            identity,
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Map.of()),
        new LeaderElection.Ports(server, server, event -> {}, time, () -> 0, LeaseWatch.NONE));
  }

  @BeforeEach
  void awaitLeadership() throws InterruptedException {
    election.lead(() -> {});
  }

  @Test
  void save_leader_isReadByNextLeader() throws InterruptedException {
    assertThat(store.load()).isEqualTo(new ReadResult.Found<>(BreakerState.EMPTY));
    assertThat(store.save(HELD)).isEmpty();
    election.release();
    CountDownLatch leading = new CountDownLatch(1);
    LeaderElection next = newElection("b");
    next.lead(leading::countDown);
    assertThat(server.cluster().get(Kind.LEASE, LEASE).holder()).isEqualTo("b");
    LeaseBreakerStore nextStore = new LeaseBreakerStore(server, server, LEASE, "b");
    assertThat(nextStore.load()).isEqualTo(new ReadResult.Found<>(HELD));
    next.release();
  }

  @Test
  void save_conflictWithRenewal_isRetried() throws InterruptedException {
    server.nextWrites(new WriteResult.Conflict<>("renewed"), new WriteResult.Conflict<>("again"));
    assertThat(store.save(HELD)).isEmpty();
    assertThat(store.load()).isEqualTo(new ReadResult.Found<>(HELD));
  }

  @Test
  void update_annotationChangedMeanwhile_runsOnTheNewState() throws InterruptedException {
    server.onWrite(write -> {
      server.onWrite(later -> null);
      annotate("RESTORE 0");
      return null;
    });
    List<Hold> changed = new ArrayList<>();
    String problem =
        store.update(state -> {
          changed.add(state.hold());
          return state;
        });
    assertThat(problem).isEmpty();
    assertThat(changed).containsExactly(Hold.NONE, Hold.RESTORE);
    assertThat(store.load().map(BreakerState::hold))
        .isEqualTo(new ReadResult.Found<>(Hold.RESTORE));
  }

  @Test
  void save_anotherReplicaLeads_writesNothing() throws InterruptedException {
    LeaseBreakerStore standby = new LeaseBreakerStore(server, server, LEASE, "b");
    server.clearRequests();
    assertThat(standby.save(HELD)).contains("is not the leader", "a");
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void save_serverUnreachable_returnsReason() throws InterruptedException {
    server.onWrite(write -> new WriteResult.Unreachable<Lease>("not today"));
    assertThat(store.save(HELD)).contains("not today");
    server.onRead(read -> new ReadResult.Failed<>("not today either"));
    assertThat(store.save(HELD)).contains("not today either");
    assertThat(store.load()).isEqualTo(new ReadResult.Failed<>("not today either"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"?", "HELD", "NONE 99999999999999999", "NONE 1 5"})
  void load_invalidAnnotation_failsWithRemedy(String annotation) throws InterruptedException {
    annotate(annotation);
    assertThat(((ReadResult.Failed<BreakerState>) store.load()).message())
        .contains(LeaseBreakerStore.ANNOTATION, "remove it", "resume-deletions");
    assertThat(store.update(state -> HELD)).contains("remove it");
    assertThat(store.save(HELD)).as("resuming replaces it").isEmpty();
  }

  private void annotate(String text) {
    server
        .cluster()
        .patch(
            Kind.LEASE,
            LEASE,
            Document.empty().set(text, "metadata", "annotations", LeaseBreakerStore.ANNOTATION));
  }

  /** The annotation that docs/operations.md tells administrators to write. */
  @Test
  void syncHold_holdWrittenByAdministrator_holdsDeletions() throws InterruptedException {
    DeletionBreaker breaker = new DeletionBreaker(1000, Duration.ofMinutes(10), time);
    breaker.setStore(store);
    breaker.syncHold();
    assertThat(breaker.isHolding()).isFalse();
    annotate("RESTORE 0");
    breaker.syncHold();
    assertThat(breaker.isHolding()).isTrue();
    assertThat(breaker.resume()).isEmpty();
    assertThat(breaker.isHolding()).isFalse();
  }
}
