package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.PodMounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InMemoryClusterTest implements KindsContract {
  private final InMemoryCluster cluster = new InMemoryCluster();

  @Override
  public Cluster cluster() {
    return new Cluster(cluster, cluster, cluster.informers().of(Kind.CLAIM));
  }

  @Override
  public SharedInformers informers() {
    return cluster.informers();
  }

  /** Objects of a test are another client's writes: controllers must use their version. */
  @Test
  void patch_objectPutMeanwhile_isConflict() {
    Claim old = cluster.put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    cluster.put(Kind.CLAIM, TestObjects.like(old).annotation("a/b", "by a user").build());
    assertThat(
            cluster.patch(
                Kind.CLAIM,
                old.key(),
                Document.patchOf(old.meta()).set("pv", "spec", "volumeName")))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(cluster.get(Kind.CLAIM, old.key()).volumeName()).isEmpty();
  }

  /** Caches of the product drop them: a decision that reads them must fail in tests too. */
  @Test
  void put_annotationThatNoControllerReads_isOnlyInLiveReads() {
    Claim claim =
        cluster.put(
            Kind.CLAIM,
            TestObjects.claim("ns", "data").annotation("a/b", "by a user").label("a", "b").build());
    assertThat(cluster.get(Kind.CLAIM, claim.key()).meta().annotations()).containsKey("a/b");
    assertThat(cluster.informers().of(Kind.CLAIM).get(claim.key()).orElseThrow().meta())
        .satisfies(meta -> assertThat(meta.annotations()).isEmpty())
        .satisfies(meta -> assertThat(meta.labels()).isEmpty());
  }

  @Test
  void put_unsupportedKind_throws() {
    PodMounts pod = TestObjects.podMounts("ns", "p").build();
    assertThatIllegalArgumentException().isThrownBy(() -> cluster.put(Kind.POD_MOUNTS, pod));
  }

  @Test
  void readWhole_kindWithoutRecord_returnsContent() {
    ObjectKey key = ObjectKey.of("ns", "keys");
    cluster.create(Kind.SECRET, key, Document.empty().set("a2V5", "data", "key"));
    assertThat(cluster.readWhole(Kind.SECRET, key).toOptional().orElseThrow())
        .containsEntry("kind", "Secret")
        .containsEntry("data", Map.of("key", "a2V5"));
    assertThat(cluster.get(Kind.SECRET, key).meta().resourceVersion()).isPositive();
  }

  /** All caches of a resource receive a write, whatever kind wrote it. */
  @Test
  void patch_asMetadataKind_updatesEveryCacheOfResource() {
    Kind<PartialObject> metadataKind =
        new Kind<>(
            "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true, PartialObject.class);
    Claim claim = cluster.put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    cluster.patch(
        metadataKind,
        claim.key(),
        Document.patchOf(claim.meta()).set(List.of("a/b"), "metadata", "finalizers"));
    assertThat(cluster.informers().of(Kind.CLAIM).get(claim.key()).orElseThrow().meta())
        .isEqualTo(cluster.informers().of(metadataKind).get(claim.key()).orElseThrow().meta())
        .satisfies(meta -> assertThat(meta.finalizers()).containsExactly("a/b"));
  }
}
