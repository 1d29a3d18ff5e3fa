package dev.mooring.binder.execute;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.LiveServer;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.Policy;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Migration;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.Plugins;
import dev.mooring.testkit.Patience;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.VolumeBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server says last decides whether data is destroyed. */
@Timeout(300)
class ReclaimingTest {
  private final LiveServer server = new LiveServer();
  private final List<String> destroyed = new CopyOnWriteArrayList<>();
  private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
  private final SimTime time = new SimTime();
  private final KeyedOperations<ObjectKey> operations =
      new KeyedOperations<>("delete", time, Compat.MOORING, key -> {});

  private final DeletionBreaker breaker = new DeletionBreaker(2, Duration.ofHours(10), time);
  private volatile String refusal = "";

  private final Plugins plugins =
      new Plugins() {
        @Override
        public Optional<VolumePlugin> named(String name) {
          return Optional.of(
              new VolumePlugin() {
                @Override
                public String name() {
                  return name;
                }

                @Override
                public boolean supports(VolumeSource source) {
                  return true;
                }

                @Override
                public Optional<Deleter> deleter() {
                  return Optional.of(request -> {
                    if (!refusal.isEmpty()) {
                      return new Attempt.Failed<>(new Failure.Unreachable(refusal));
                    }
                    destroyed.add(request.volumeName());
                    return new Attempt.Done<>(new Deleter.Gone());
                  });
                }
              });
        }

        @Override
        public List<VolumePlugin> supporting(VolumeSource source) {
          return List.of();
        }
      };

  private static Volume released(UnaryOperator<VolumeBuilder> how) {
    return released("v", how);
  }

  private static Volume released(String name) {
    return released(name, v -> v);
  }

  private static Volume released(String name, UnaryOperator<VolumeBuilder> how) {
    return volume(
        name,
        "1Gi",
        v ->
            how.apply(
                v.claimRef(CLAIM, "u")
                    .phase(VolumePhase.RELEASED)
                    .reclaimPolicy(ReclaimPolicy.DELETE)
                    .source(VolumeSource.hostPath("/tmp/x"))
                    .annotation(Marks.PROVISIONED_BY, "kubernetes.io/host-path")));
  }

  private Reclaiming reclaiming() {
    BinderReporter reporter = new BinderReporter(events::add, time, EventStyle.EXPLAINING, false);
    Recycling recycling =
        new Recycling(
            new ClusterPorts(
                server.ports(),
                server.ports(),
                event -> {},
                (pod, uid) -> new ReadResult.Found<>(List.of()),
                time),
            breaker,
            (volume, pod) -> {
              throw new AssertionError("not recycled");
            },
            reporter,
            new Recycling.Method(Map.of(), RecyclerStyle.MOORING));
    return new Reclaiming(
        new Reclaiming.Tools(
            server.ports(), server.ports(), plugins, reporter, new BinderStats(time), name -> ""),
        recycling,
        operations,
        Policy.DEFAULTS,
        breaker);
  }

  private void reclaimed() throws InterruptedException {
    reclaimed(reclaiming(), released(v -> v));
  }

  private void reclaimed(Reclaiming reclaiming, Volume volume) throws InterruptedException {
    reclaiming.reclaim(volume);
    Patience.until("it is over", () -> operations.running() == 0);
    time.advance(Duration.ofMinutes(3)); // beyond any back-off
  }

  @Test
  void aReleasedVolumeIsDestroyed() throws InterruptedException {
    server.has(Kind.VOLUME, released(v -> v));
    reclaimed();
    assertThat(destroyed).containsExactly("v");
    assertThat(server.writes()).containsExactly("delete PersistentVolume v");
  }

  @Test
  void oneThatIsToBeKeptByNowIsNot() throws InterruptedException {
    server.has(Kind.VOLUME, released(v -> v.reclaimPolicy(ReclaimPolicy.RETAIN)));
    reclaimed();
    assertThat(destroyed).isEmpty();
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void oneThatIsTheDriversByNowIsNot() throws InterruptedException {
    server.has(
        Kind.VOLUME, released(v -> v.annotation(Migration.MIGRATED_TO, "driver.example.com")));
    reclaimed();
    assertThat(destroyed).isEmpty();
  }

  @Test
  void oneThatAnotherPluginMadeByNowIsNot() throws InterruptedException {
    server.has(
        Kind.VOLUME, released(v -> v.annotation(Marks.PROVISIONED_BY, "kubernetes.io/other")));
    reclaimed();
    assertThat(destroyed).isEmpty();
  }

  @Test
  void oneOfWhichTheServerSaysNothingIsNot() throws InterruptedException {
    server.has(Kind.VOLUME, released(v -> v)).isSilentAbout(Kind.CLAIM, CLAIM);
    reclaimed();
    assertThat(destroyed).isEmpty();
  }

  @Test
  void refusalsAreNoDeletions() throws InterruptedException {
    server.has(Kind.VOLUME, released(v -> v));
    Reclaiming reclaiming = reclaiming();
    refusal = "busy";
    for (int i = 0; i < 5; i++) {
      reclaimed(reclaiming, released(v -> v));
    }
    assertThat(breaker.isHolding()).isFalse();
    refusal = "";
    reclaimed(reclaiming, released(v -> v));
    assertThat(destroyed).containsExactly("v");
  }

  @Test
  void nothingIsAskedWhileDeletionsAreHeld() throws InterruptedException {
    Reclaiming reclaiming = reclaiming();
    for (String name : List.of("a", "b", "c", "c", "c")) {
      Volume volume = released(name);
      server.has(Kind.VOLUME, volume);
      reclaimed(reclaiming, volume);
    }
    assertThat(destroyed).containsExactly("a", "b");
    assertThat(server.reads()).filteredOn("PersistentVolume c"::equals).hasSize(1);
    assertThat(events)
        .singleElement()
        .satisfies(event ->
            assertThat(event.note()).contains("2 volumes or snapshots have been destroyed"));
    breaker.resume();
    reclaimed(reclaiming, released("c"));
    assertThat(destroyed).containsExactly("a", "b", "c");
  }
}
