package dev.mooring.binder;

import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.DeletionBreaker.Admission;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Simulates an API server restored from a backup in which a volume was still Released. */
class RestoredServerTest {
  private final SimTime time = new SimTime(true);
  private final LiveServer server = new LiveServer();
  private final SharedInformers informers = new SharedInformers();
  private volatile boolean restored;

  /** Ends its watches immediately without an event, so that the reflector compares versions. */
  private final class Server implements ListWatch<Volume> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<Volume> consumer) {
      consumer.accept(
          volume(
              "v", "1Gi", v -> v.phase(restored ? VolumePhase.RELEASED : VolumePhase.AVAILABLE)));
      return restored ? 7 : 20;
    }

    @Override
    public Page listFirstPage(int limit, Consumer<Volume> consumer) {
      return new Page(restored ? 7 : 20, false);
    }

    @Override
    public void watch(long version, boolean everything, Sink<Volume> sink) {}

    @Override
    public void catchUp(long version, Sink<Volume> sink) {}
  }

  @Test
  void deletions_versionsOfTheServerWentBack_areHeldUntilResumed() throws InterruptedException {
    BinderController controller =
        new BinderController(
            BinderConfig.DEFAULTS,
            informers,
            TestPorts.of(server.ports(), event -> {}, time),
            LoadedPlugins.NONE);
    Reflector<Volume> reflector =
        new Reflector<>(informers.of(Kind.VOLUME), new Server(), time, () -> 0);
    reflector.start();
    informers.of(Kind.VOLUME).awaitSynced();
    assertThat(controller.areDeletionsHeld()).isFalse();
    restored = true;
    TestWait.until("deletions are held", controller::areDeletionsHeld);
    reflector.stop();
    assertThat(controller.breaker().admit(Uid.of("u"))).isEqualTo(Admission.HELD);
    assertThat(controller.breaker().describeHold()).contains("restore", "mooring resume-deletions");
    assertThat(controller.breakerTrips()).isOne();
    assertThat(controller.resumeDeletions()).isEmpty();
    assertThat(controller.breaker().admit(Uid.of("u"))).isEqualTo(Admission.GRANTED);
  }
}
