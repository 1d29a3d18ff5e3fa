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
  void whoActsOnWhatWasThereBeforeLoses() {
    Claim before = cluster.put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    cluster.put(Kind.CLAIM, TestObjects.like(before).annotation("a/b", "by a user").build());
    assertThat(
            cluster.patch(
                Kind.CLAIM,
                before.key(),
                Document.patchOf(before.meta()).set("pv", "spec", "volumeName")))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(cluster.get(Kind.CLAIM, before.key()).volumeName()).isEmpty();
  }

  @Test
  void aKindThatItDoesNotHaveIsRefusedAtOnce() {
    PodMounts pod = TestObjects.podMounts("ns", "p").build();
    assertThatIllegalArgumentException().isThrownBy(() -> cluster.put(Kind.POD_MOUNTS, pod));
  }

  @Test
  void aKindThatThereIsNoRecordOfIsReadWhole() {
    ObjectKey key = ObjectKey.of("ns", "keys");
    cluster.create(Kind.SECRET, key, Document.empty().set("a2V5", "data", "key"));
    assertThat(cluster.readWhole(Kind.SECRET, key).found().orElseThrow())
        .containsEntry("kind", "Secret")
        .containsEntry("data", Map.of("key", "a2V5"));
    assertThat(cluster.get(Kind.SECRET, key).meta().resourceVersion()).isPositive();
  }

  /** All caches of a resource receive a write, whatever kind wrote it. */
  @Test
  void whatIsWrittenAsOneKindIsCachedAsEvery() {
    Kind<PartialObject> less =
        new Kind<>(
            "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true, PartialObject.class);
    Claim claim = cluster.put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    cluster.patch(
        less,
        claim.key(),
        Document.patchOf(claim.meta()).set(List.of("a/b"), "metadata", "finalizers"));
    assertThat(cluster.informers().of(Kind.CLAIM).get(claim.key()).orElseThrow().meta())
        .isEqualTo(cluster.informers().of(less).get(claim.key()).orElseThrow().meta())
        .satisfies(meta -> assertThat(meta.finalizers()).containsExactly("a/b"));
  }
}
