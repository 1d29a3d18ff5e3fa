package dev.mooring.binder.execute;

import static dev.mooring.binder.decide.Given.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.LiveServer;
import dev.mooring.binder.decide.Given.VolumeBuilder;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.Policy;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.Brake;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.Plugins;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server says last decides whether data is destroyed. */
@Timeout(30)
class ReclaimingTest {
  private final LiveServer server = new LiveServer();
  private final List<String> destroyed = new CopyOnWriteArrayList<>();
  private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
  private final SimTime time = new SimTime();
  private final KeyedOperations<ObjectKey> operations =
      new KeyedOperations<>("delete", time, key -> {});

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
    return volume(
        "v",
        "1Gi",
        v ->
            how.apply(
                v.ref("c", "u")
                    .phase(VolumePhase.RELEASED)
                    .policy(ReclaimPolicy.DELETE)
                    .source(VolumeSource.hostPath("/tmp/x"))
                    .mark(Marks.PROVISIONED_BY, "kubernetes.io/host-path")));
  }

  private void reclaimed() throws InterruptedException {
    Narrator narrator = new Narrator(events::add, time, true);
    Brake brake = new Brake(0, Duration.ofMinutes(1), time);
    Recycling recycling =
        new Recycling(
            new Recycling.Ports(
                server, server, (pod, uid) -> new ReadResult.Found<>(List.of()), time, brake),
            (volume, pod) -> {
              throw new AssertionError("not recycled");
            },
            narrator,
            new Recycling.Method(Map.of(), false));
    Reclaiming reclaiming =
        new Reclaiming(
            new Reclaiming.Ports(server, server, plugins, narrator),
            recycling,
            operations,
            Policy.DEFAULTS,
            brake,
            new BinderFigures(time));
    reclaiming.reclaim(released(v -> v));
    operations.close(Duration.ofSeconds(20));
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
    server.has(Kind.VOLUME, released(v -> v.policy(ReclaimPolicy.RETAIN)));
    reclaimed();
    assertThat(destroyed).isEmpty();
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void oneThatIsTheDriversByNowIsNot() throws InterruptedException {
    server.has(Kind.VOLUME, released(v -> v.mark(Marks.MIGRATED_TO, "driver.example.com")));
    reclaimed();
    assertThat(destroyed).isEmpty();
  }

  @Test
  void oneThatAnotherPluginMadeByNowIsNot() throws InterruptedException {
    server.has(Kind.VOLUME, released(v -> v.mark(Marks.PROVISIONED_BY, "kubernetes.io/other")));
    reclaimed();
    assertThat(destroyed).isEmpty();
  }

  @Test
  void oneOfWhichTheServerSaysNothingIsNot() throws InterruptedException {
    server
        .has(Kind.VOLUME, released(v -> v))
        .isSilentAbout(Kind.CLAIM, ObjectKey.of("default", "c"));
    reclaimed();
    assertThat(destroyed).isEmpty();
  }
}
