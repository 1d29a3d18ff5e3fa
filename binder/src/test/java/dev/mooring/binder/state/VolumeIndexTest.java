package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.VolumeBuilder;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which changes keep a volume's place among the free volumes, and which offer it again. */
class VolumeIndexTest {
  private static VolumeBuilder volume() {
    return TestObjects.volume("v")
        .uid("1")
        .storage("1Gi")
        .accessModes("ReadWriteOnce")
        .source(VolumeSource.nfs("s", "/"))
        .phase(VolumePhase.PENDING);
  }

  private static Named<UnaryOperator<VolumeBuilder>> change(
      String field, UnaryOperator<VolumeBuilder> change) {
    return Named.of(field, change);
  }

  /** Every field that a test may read: a claim that rejected the volume may accept it now. */
  static Stream<Named<UnaryOperator<VolumeBuilder>>> replace_testedField_isRejected() {
    return Stream.of(
        change("uid", volume -> volume.uid("2")),
        change("deletion", volume -> volume.deleted(1)),
        change("label", volume -> volume.label("a", "b")),
        change("annotation", volume -> volume.annotation("a", "b")),
        change("size", volume -> volume.storage("2Gi")),
        change("source", volume -> volume.source(VolumeSource.hostPath("/p"))),
        change("access modes", volume -> volume.accessModes("ReadOnlyMany")),
        change("claim", volume -> volume.claimRef(new ClaimRef(ObjectKey.of("ns", "c"), Uid.NONE))),
        change("reclaim policy", volume -> volume.reclaimPolicy(ReclaimPolicy.DELETE)),
        change("class", volume -> volume.storageClass("fast")),
        change("mode", volume -> volume.volumeMode(VolumeMode.BLOCK)),
        change("attributes class", volume -> volume.attributesClass("gold")),
        change("nodes", volume -> volume.nodeAffinity(affinity())));
  }

  private static NodeAffinity affinity() {
    return new NodeAffinity(
        List.of(
            new NodeAffinity.Term(
                List.of(new Requirement("zone", "In", List.of("a"))), List.of())));
  }

  @ParameterizedTest
  @MethodSource
  void replace_testedField_isRejected(UnaryOperator<VolumeBuilder> change) {
    VolumeIndex index = new VolumeIndex();
    Volume old = volume().build();
    index.add(old);
    assertThat(index.replace(old, change.apply(volume()).build())).isFalse();
  }

  /** Fields that controllers write while they work on a volume: no claim is requeued. */
  static Stream<Named<UnaryOperator<VolumeBuilder>>> replace_irrelevantField_keepsThePlace() {
    return Stream.of(
        change("version", volume -> volume.version(2)),
        change("finalizer", volume -> volume.finalizer("kubernetes.io/pv-protection")),
        change("phase", volume -> volume.phase(VolumePhase.AVAILABLE)));
  }

  @ParameterizedTest
  @MethodSource
  void replace_irrelevantField_keepsThePlace(UnaryOperator<VolumeBuilder> change) {
    VolumeIndex index = new VolumeIndex();
    Volume old = volume().build();
    Volume current = change.apply(volume()).build();
    index.add(old);
    long moment = index.moment();
    assertThat(index.replace(old, current)).isTrue();
    assertThat(index.findBin(ExactKey.of(current)).contains(current)).isTrue();
    assertThat(index.moment()).isEqualTo(moment);
  }
}
