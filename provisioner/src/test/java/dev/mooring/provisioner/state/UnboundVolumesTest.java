package dev.mooring.provisioner.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.storage.SharedStorageIndex;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnboundVolumesTest {
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final Informer<Volume> cache =
      cluster.informers().of(Kind.VOLUME, SharedStorageIndex.BY_STORAGE);
  private final UnboundVolumes unbound = new UnboundVolumes(cache);

  private static Volume volumeIn(VolumePhase phase, boolean hasFinalizer) {
    List<String> finalizers = hasFinalizer ? List.of(VolumeRules.FINALIZER) : List.of();
    return ProvisionedClaims.volume(ReclaimPolicy.DELETE, phase, finalizers, false);
  }

  private boolean isSeenOnlyUnbound() {
    return unbound.isSeenOnlyUnbound(volumeIn(VolumePhase.PENDING, false));
  }

  private void changeVolume(Volume before, Volume now) {
    unbound.volumeChanged(new Change.Updated<>(before, now));
  }

  @Test
  void isSeenOnlyUnbound_volumeThatWasReleasedAtOnce_isTrue() {
    unbound.volumeChanged(new Change.Added<>(volumeIn(VolumePhase.PENDING, true)));
    assertThat(isSeenOnlyUnbound()).isTrue();
    changeVolume(volumeIn(VolumePhase.PENDING, true), volumeIn(VolumePhase.RELEASED, true));
    assertThat(isSeenOnlyUnbound()).isTrue();
    unbound.volumeChanged(new Change.Deleted<>(volumeIn(VolumePhase.RELEASED, true), false));
    assertThat(isSeenOnlyUnbound()).isFalse();
  }

  @Test
  void isSeenOnlyUnbound_volumeThatWasBound_isFalse() {
    unbound.volumeChanged(new Change.Added<>(volumeIn(VolumePhase.AVAILABLE, false)));
    changeVolume(volumeIn(VolumePhase.AVAILABLE, false), volumeIn(VolumePhase.BOUND, false));
    changeVolume(volumeIn(VolumePhase.BOUND, false), volumeIn(VolumePhase.RELEASED, false));
    assertThat(isSeenOnlyUnbound()).isFalse();
  }

  @Test
  void isSeenOnlyUnbound_administratorSetsAReleasedVolumeToDelete_isFalse() {
    Volume retained =
        ProvisionedClaims.volume(ReclaimPolicy.RETAIN, VolumePhase.RELEASED, List.of(), false);
    unbound.volumeChanged(new Change.Added<>(volumeIn(VolumePhase.PENDING, false)));
    changeVolume(volumeIn(VolumePhase.PENDING, false), retained);
    changeVolume(retained, volumeIn(VolumePhase.RELEASED, false));
    assertThat(isSeenOnlyUnbound()).isFalse();
  }

  /**
   * An earlier process added the finalizer only to volumes that it provisioned or observed as
   * Bound.
   */
  @Test
  void isSeenOnlyUnbound_volumeThatWasReleasedBefore_ifItLacksTheFinalizer() {
    unbound.volumeChanged(new Change.Added<>(volumeIn(VolumePhase.RELEASED, true)));
    assertThat(isSeenOnlyUnbound()).isFalse();
    unbound.volumeChanged(new Change.Deleted<>(volumeIn(VolumePhase.RELEASED, true), false));
    unbound.volumeChanged(new Change.Added<>(volumeIn(VolumePhase.RELEASED, false)));
    assertThat(isSeenOnlyUnbound()).isTrue();
  }

  @Test
  void latest_othersHaveWritten_isTheirVersion() {
    Volume cachedVolume = cluster.put(Kind.VOLUME, volumeIn(VolumePhase.BOUND, false));
    Volume second = cluster.put(Kind.VOLUME, volumeIn(VolumePhase.RELEASED, false));
    assertThat(unbound.latest(cachedVolume)).isEqualTo(second);
    cluster.remove(Kind.VOLUME, cachedVolume.key());
    assertThat(unbound.latest(cachedVolume)).isEqualTo(cachedVolume);
  }

  @Test
  void volumesOfSameStorage_otherVolumesOfTheSameHandle_areFound() {
    Volume volume = cluster.put(Kind.VOLUME, volumeIn(VolumePhase.BOUND, false));
    Volume twin = cluster.put(Kind.VOLUME, ProvisionedClaims.twinOf("twin", volume));
    assertThat(unbound.volumesOfSameStorage(volume)).containsExactly(twin);
    cluster.put(Kind.VOLUME, TestObjects.like(twin).source(VolumeSource.csi("ours", "x")).build());
    assertThat(unbound.volumesOfSameStorage(volume)).isEmpty();
  }
}
