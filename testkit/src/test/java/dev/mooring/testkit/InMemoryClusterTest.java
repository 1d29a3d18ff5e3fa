package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import org.junit.jupiter.api.Test;

/** The fake keeps what the real one keeps. */
class InMemoryClusterTest implements ClusterContract {
  private final InMemoryCluster cluster = new InMemoryCluster();

  @Override
  public Cluster cluster() {
    return new Cluster(cluster, cluster, cluster.informers().of(Kind.CLAIM));
  }

  /** What a test puts there is what a user would have written: controllers meet its version. */
  @Test
  void whoActsOnWhatWasThereBeforeLoses() {
    Claim before = cluster.put(Kind.CLAIM, Builders.claim("ns", "data").build());
    cluster.put(Kind.CLAIM, Builders.like(before).annotation("a/b", "by a user").build());
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
    Lease lease = Builders.lease("ns", "leader").build();
    assertThatIllegalArgumentException().isThrownBy(() -> cluster.put(Kind.LEASE, lease));
  }
}
