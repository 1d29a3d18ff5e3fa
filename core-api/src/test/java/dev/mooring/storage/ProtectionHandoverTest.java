package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.ProtectionRule;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtectionHandoverTest {
  private static final String OWN = "own";

  private final List<ObjectKey> requeued = new ArrayList<>();
  private final ProtectionHandover handover = new ProtectionHandover();

  private static Volume volume(VolumePhase phase, boolean isBeingDeleted) {
    return TestObjects.volume(
            TestObjects.metaOf(ObjectKey.cluster("v"))
                .uid("v")
                .deleted(isBeingDeleted ? 2 : 0)
                .finalizers(List.of(ProtectionRule.FINALIZER, OWN, "others"))
                .meta())
        .status(new Volume.Status(phase, "", ""))
        .build();
  }

  private static Volume deletedVolume(VolumePhase phase) {
    return volume(phase, true);
  }

  @Test
  void finalizersWithout_protectionInAnotherProcess_keepsItsFinalizer() {
    Volume volume = deletedVolume(VolumePhase.RELEASED);
    handover.begin(volume);
    assertThat(handover.contains(volume)).isFalse();
    assertThat(handover.finalizersWithout(OWN, volume))
        .containsExactly(ProtectionRule.FINALIZER, "others");
  }

  @Test
  void finalizersWithout_deletionRuns_removesBothIfTheVolumeIsReleasable() {
    handover.start(requeued::add);
    Volume volume = deletedVolume(VolumePhase.RELEASED);
    assertThat(handover.finalizersWithout(OWN, volume)).contains(ProtectionRule.FINALIZER);
    handover.begin(volume);
    assertThat(handover.finalizersWithout(OWN, volume)).containsExactly("others");
    assertThat(handover.finalizersWithout(OWN, deletedVolume(VolumePhase.BOUND)))
        .as("bound meanwhile")
        .containsExactly(ProtectionRule.FINALIZER, "others");
    assertThat(handover.finalizersWithout(OWN, volume(VolumePhase.RELEASED, false)))
        .as("not under deletion")
        .containsExactly(ProtectionRule.FINALIZER, "others");
  }

  /** The cache may show the volume with its finalizers until the watch event arrives. */
  @Test
  void end_finalizerIsRemoved_keepsVolumeUntilItsObjectIsGone() {
    handover.start(requeued::add);
    Volume volume = deletedVolume(VolumePhase.RELEASED);
    handover.begin(volume);
    handover.recordRemoval(volume, new WriteResult.Gone<>());
    handover.end(volume);
    assertThat(requeued).isEmpty();
    assertThat(handover.contains(volume)).isTrue();
    handover.forget(volume);
    assertThat(handover.contains(volume)).isFalse();
  }

  @Test
  void end_finalizerStays_requeuesTheVolume() {
    handover.start(requeued::add);
    Volume volume = deletedVolume(VolumePhase.RELEASED);
    for (WriteResult<Volume> result :
        List.of(
            new WriteResult.Conflict<Volume>("another client was first"),
            new WriteResult.Written<>(volume))) {
      handover.begin(volume);
      handover.recordRemoval(volume, result);
      handover.end(volume);
    }
    assertThat(requeued).hasSize(2);
  }

  @Test
  void end_handedOverVolume_isRequeuedOnce() {
    handover.start(requeued::add);
    Volume volume = deletedVolume(VolumePhase.RELEASED);
    handover.begin(volume);
    assertThat(handover.contains(volume)).isTrue();
    handover.end(volume);
    handover.end(volume);
    assertThat(handover.contains(volume)).isFalse();
    assertThat(requeued).containsExactly(volume.key());
    assertThat(handover.finalizersWithout(OWN, volume)).contains(ProtectionRule.FINALIZER);
  }
}
