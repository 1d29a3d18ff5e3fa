package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
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

/** Contract of plugins that create and delete volumes. */
public interface ProvisionerContract {
  /** Returns a started plugin with separate storage for this test. */
  VolumePlugin plugin();

  /** Returns a request that the plugin can satisfy. */
  Provisioner.Request request(String volumeName);

  /** Returns true if the storage has the volume. */
  boolean exists(VolumeSource source);

  /** Returns a volume of the same type that the plugin did not create and must not delete. */
  Optional<VolumeSource> foreign();

  private Provisioner provisioner() {
    return plugin().provisioner().orElseThrow();
  }

  private Provisioned provision(Provisioner provisioner, String name) {
    Provisioner.Request request = request(name);
    assertThat(provisioner.refuses(request)).isEmpty();
    Attempt<Provisioned> attempt = provisioner.provision(request);
    if (attempt instanceof Attempt.Done<Provisioned>(Provisioned volume)) {
      return volume;
    }
    throw new AssertionError("volume " + name + " is not provisioned: " + attempt);
  }

  private Attempt<Deleted> delete(VolumePlugin plugin, String name, Provisioned volume) {
    return plugin.deleter().orElseThrow().delete(Deleter.Request.of(request(name), volume));
  }

  @Test
  default void provision_volume_existsWithRequestedSize() {
    VolumePlugin plugin = plugin();
    Provisioned volume = provision(plugin.provisioner().orElseThrow(), "pvc-1");
    assertThat(exists(volume.source())).isTrue();
    assertThat(plugin.supports(volume.source())).isTrue();
    assertThat(volume.capacity()).isGreaterThanOrEqualTo(request("pvc-1").capacity());
  }

  @Test
  default void provision_repeated_returnsSameVolume() {
    Provisioner provisioner = provisioner();
    assertThat(provision(provisioner, "pvc-1").source())
        .isEqualTo(provision(provisioner, "pvc-1").source());
  }

  /** After a crash, another instance of the plugin serves the same storage. */
  @Test
  default void provision_byNewInstance_returnsSameVolume() {
    Provisioned first = provision(plugin().provisioner().orElseThrow(), "pvc-1");
    assertThat(provision(plugin().provisioner().orElseThrow(), "pvc-1").source())
        .isEqualTo(first.source());
  }

  @Test
  default void provision_concurrently_createsDistinctVolumes()
      throws InterruptedException, ExecutionException {
    Provisioner provisioner = provisioner();
    Set<VolumeSource> sources = new HashSet<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Provisioned>> futures =
          IntStream.range(0, 32)
              .mapToObj(i -> threads.submit(() -> provision(provisioner, "pvc-" + i)))
              .toList();
      for (Future<Provisioned> future : futures) {
        sources.add(future.get().source());
      }
    }
    assertThat(sources).hasSize(32).allMatch(this::exists);
  }

  @Test
  default void delete_repeated_succeeds() {
    VolumePlugin plugin = plugin();
    Provisioned volume = provision(plugin.provisioner().orElseThrow(), "pvc-1");
    Provisioned otherVolume = provision(plugin.provisioner().orElseThrow(), "pvc-2");
    assertThat(delete(plugin, "pvc-1", volume)).isInstanceOf(Attempt.Done.class);
    assertThat(exists(volume.source())).isFalse();
    assertThat(exists(otherVolume.source())).as("the other volume").isTrue();
    assertThat(delete(plugin, "pvc-1", volume)).as("once more").isInstanceOf(Attempt.Done.class);
    assertThat(exists(provision(plugin.provisioner().orElseThrow(), "pvc-1").source()))
        .as("provisioned again")
        .isTrue();
  }

  @Test
  default void delete_foreignVolume_isRejected() {
    foreign()
        .ifPresent(source -> {
          Provisioner.Request request = request("pvc-foreign");
          Attempt<Deleted> attempt =
              plugin()
                  .deleter()
                  .orElseThrow()
                  .delete(new Deleter.Request("pvc-foreign", source, request.capacity(), Map.of()));
          assertThat(attempt).isInstanceOf(Attempt.Failed.class);
          assertThat(((Attempt.Failed<Deleted>) attempt).failure())
              .isInstanceOf(Failure.Rejected.class);
          assertThat(exists(source)).isTrue();
        });
  }

  /** The call returns, and its result is true: done, or a retry has the same outcome. */
  @Test
  default void provision_interrupted_returns() {
    Provisioner provisioner = provisioner();
    Thread.currentThread().interrupt();
    Attempt<Provisioned> attempt = provisioner.provision(request("pvc-1"));
    Thread.interrupted(); // clears the flag for the following calls
    if (attempt instanceof Attempt.Failed<Provisioned>(Failure failure)) {
      assertThat(failure).isInstanceOfAny(Failure.Uncertain.class, Failure.Unreachable.class);
    }
    assertThat(exists(provision(provisioner, "pvc-1").source())).isTrue();
  }
}
