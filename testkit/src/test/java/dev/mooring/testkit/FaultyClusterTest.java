package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import org.junit.jupiter.api.Test;

/** Without faults it is as the one that it stands before. */
class FaultyClusterTest implements ClusterContract {
  private final FaultyCluster cluster = new FaultyCluster();

  @Override
  public Cluster cluster() {
    return new Cluster(cluster, cluster, cluster.cluster().informers().of(Kind.CLAIM));
  }

  @Test
  void whatIsAnsweredInItsPlaceItDoesNotHearOf() {
    Claim claim = cluster.cluster().put(Kind.CLAIM, Builders.claim("ns", "data").build());
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
}
