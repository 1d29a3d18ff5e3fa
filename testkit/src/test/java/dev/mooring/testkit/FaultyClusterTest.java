package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import org.junit.jupiter.api.Test;

/** Without faults it satisfies the contract of the cluster behind it. */
class FaultyClusterTest implements ClusterContract {
  private final FaultyCluster cluster = new FaultyCluster();

  @Override
  public Cluster cluster() {
    return new Cluster(cluster, cluster, cluster.cluster().informers().of(Kind.CLAIM));
  }

  @Test
  void onWriteAndOnRead_replacedAnswer_doesNotReachCluster() throws InterruptedException {
    Claim claim = cluster.cluster().put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    Document patch = Document.patchOf(claim.meta()).set("pv", "spec", "volumeName");
    cluster.onWrite(request -> new WriteResult.Unreachable<>("no answer"));
    cluster.onRead(request -> new ReadResult.Failed<>("no answer"));
    assertThat(cluster.patch(Kind.CLAIM, claim.key(), patch))
        .isEqualTo(new WriteResult.Unreachable<>("no answer"));
    assertThat(cluster.read(Kind.CLAIM, claim.key()))
        .isEqualTo(new ReadResult.Failed<>("no answer"));
    assertThat(cluster.cluster().get(Kind.CLAIM, claim.key())).isEqualTo(claim);
    assertThat(cluster.requests())
        .extracting(Object::toString)
        .containsExactly(
            "patch PersistentVolumeClaim ns/data", "get PersistentVolumeClaim ns/data");
  }

  @Test
  void nextWrites_twoAnswers_areUsedOnceEach() throws InterruptedException {
    Claim claim = cluster.cluster().put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    Document patch = Document.patchOf(claim.meta()).set("pv", "spec", "volumeName");
    cluster.nextWrites(
        new WriteResult.Conflict<>("another writer was first"), new WriteResult.Gone<>());
    assertThat(cluster.patch(Kind.CLAIM, claim.key(), patch))
        .isEqualTo(new WriteResult.Conflict<>("another writer was first"));
    assertThat(cluster.patch(Kind.CLAIM, claim.key(), patch)).isEqualTo(new WriteResult.Gone<>());
    assertThat(cluster.patch(Kind.CLAIM, claim.key(), patch))
        .isInstanceOf(WriteResult.Written.class);
  }

  @Test
  void forbid_kind_failsItsReads() {
    Claim claim = cluster.cluster().put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    cluster.forbid(Kind.CLAIM);
    assertThat(cluster.read(Kind.CLAIM, claim.key())).isInstanceOf(ReadResult.Failed.class);
    assertThat(cluster.list(Kind.CLAIM_LABELS, "ns")).isInstanceOf(ReadResult.Failed.class);
    assertThat(cluster.isForbidden(Kind.CLAIM, claim.key())).isTrue();
    assertThat(cluster.isForbidden(Kind.VOLUME, ObjectKey.cluster("pv"))).isFalse();
  }

  @Test
  void patchAndRead_objectOmitted_returnsResultOnly() throws InterruptedException {
    Claim claim = cluster.cluster().put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    Document patch = Document.empty().set("pv", "spec", "volumeName");
    WrittenObject<Claim> answer =
        cluster.omitReadObject().patchAndRead(Kind.CLAIM, claim.key(), patch);
    assertThat(answer.result()).isInstanceOf(WriteResult.Written.class);
    assertThat(answer.read()).isEmpty();
  }

  @Test
  void interruptWrites_write_throwsAndIsRecorded() {
    Claim claim = cluster.cluster().put(Kind.CLAIM, TestObjects.claim("ns", "data").build());
    cluster.interruptWrites();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> cluster.delete(Kind.CLAIM, claim.key(), claim.meta().uid()));
    assertThat(cluster.writes())
        .singleElement()
        .satisfies(write -> assertThat(write.uid()).isEqualTo(claim.meta().uid()));
  }
}
