package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.spi.VolumePlugin;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a plugin keeps that makes volumes and destroys them. */
@Timeout(300)
public interface ProvisionerContract {
  /** The plugin, started, over storage of its own for this test. */
  VolumePlugin plugin();

  /** A request that it can fulfil, for a volume of that name. */
  Provisioner.Request request(String volumeName);

  /** Whether the storage has the volume. */
  boolean exists(VolumeSource source);

  /** Something of the same kind that the plugin has not made, and must not destroy. */
  Optional<VolumeSource> foreign();

  private Provisioner provisioner() {
    return plugin().provisioner().orElseThrow();
  }

  private Provisioned make(Provisioner provisioner, String name) {
    Provisioner.Request request = request(name);
    assertThat(provisioner.refuses(request)).isEmpty();
    Attempt<Provisioned> attempt = provisioner.provision(request);
    if (attempt instanceof Attempt.Done<Provisioned>(Provisioned made)) {
      return made;
    }
    throw new AssertionError("volume " + name + " is not made: " + attempt);
  }

  private Attempt<Gone> delete(VolumePlugin plugin, String name, Provisioned volume) {
    return plugin.deleter().orElseThrow().delete(Deleter.Request.of(request(name), volume));
  }

  @Test
  default void aVolumeIsThereAndItsOwnAndLargeEnough() {
    VolumePlugin plugin = plugin();
    Provisioned made = make(plugin.provisioner().orElseThrow(), "pvc-1");
    assertThat(exists(made.source())).isTrue();
    assertThat(plugin.supports(made.source())).isTrue();
    assertThat(made.capacity()).isGreaterThanOrEqualTo(request("pvc-1").capacity());
  }

  @Test
  default void askedAgainItReturnsTheSameVolume() {
    Provisioner provisioner = provisioner();
    assertThat(make(provisioner, "pvc-1").source()).isEqualTo(make(provisioner, "pvc-1").source());
  }

  /** After a crash another object of the plugin's class is asked, over the same storage. */
  @Test
  default void anotherLifeOfThePluginFindsWhatTheFirstHasMade() {
    Provisioned first = make(plugin().provisioner().orElseThrow(), "pvc-1");
    assertThat(make(plugin().provisioner().orElseThrow(), "pvc-1").source())
        .isEqualTo(first.source());
  }

  @Test
  default void manyAreMadeAtOnceAndEachIsItsOwn() throws InterruptedException, ExecutionException {
    Provisioner provisioner = provisioner();
    Set<VolumeSource> sources = new HashSet<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Provisioned>> all =
          IntStream.range(0, 32)
              .mapToObj(i -> threads.submit(() -> make(provisioner, "pvc-" + i)))
              .toList();
      for (Future<Provisioned> one : all) {
        sources.add(one.get().source());
      }
    }
    assertThat(sources).hasSize(32).allMatch(this::exists);
  }

  @Test
  default void whatIsDeletedIsGoneAndMayBeDeletedAgain() {
    VolumePlugin plugin = plugin();
    Provisioned made = make(plugin.provisioner().orElseThrow(), "pvc-1");
    Provisioned other = make(plugin.provisioner().orElseThrow(), "pvc-2");
    assertThat(delete(plugin, "pvc-1", made)).isInstanceOf(Attempt.Done.class);
    assertThat(exists(made.source())).isFalse();
    assertThat(exists(other.source())).as("the other one").isTrue();
    assertThat(delete(plugin, "pvc-1", made)).as("once more").isInstanceOf(Attempt.Done.class);
    assertThat(exists(make(plugin.provisioner().orElseThrow(), "pvc-1").source()))
        .as("made again")
        .isTrue();
  }

  @Test
  default void whatItHasNotMadeItDoesNotDestroy() {
    foreign()
        .ifPresent(source -> {
          Provisioner.Request request = request("pvc-foreign");
          Attempt<Gone> attempt =
              plugin()
                  .deleter()
                  .orElseThrow()
                  .delete(new Deleter.Request("pvc-foreign", source, request.capacity(), Map.of()));
          assertThat(attempt).isInstanceOf(Attempt.Failed.class);
          assertThat(((Attempt.Failed<Gone>) attempt).why()).isInstanceOf(Failure.Rejected.class);
          assertThat(exists(source)).isTrue();
        });
  }

  /** It ends, and what it says is true: done, or tried again with the same outcome as without. */
  @Test
  default void anInterruptedCallEnds() {
    Provisioner provisioner = provisioner();
    Thread.currentThread().interrupt();
    Attempt<Provisioned> attempt = provisioner.provision(request("pvc-1"));
    Thread.interrupted(); // whether it was left or taken, the rest is not interrupted
    if (attempt instanceof Attempt.Failed<Provisioned>(Failure why)) {
      assertThat(why).isInstanceOfAny(Failure.Uncertain.class, Failure.Unreachable.class);
    }
    assertThat(exists(make(provisioner, "pvc-1").source())).isTrue();
  }
}
