package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.DriverClaims;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.testkit.FaultyCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results of a driver call are written despite concurrent writes of others. */
class ClaimStatusWriterTest {
  private final List<String> writtenStatuses = new ArrayList<>();
  private final FaultyCluster server = new FaultyCluster();
  private final ClaimStatusWriter writer = new ClaimStatusWriter(server, server);

  private static Claim claim(String uid) {
    return DriverClaims.claim().uid(uid).build();
  }

  private Claim put(String uid) {
    return server.cluster().put(Kind.CLAIM, claim(uid));
  }

  private WriteResult<Claim> report(Claim claim) throws InterruptedException {
    return writer.write(
        claim,
        current -> {
          writtenStatuses.add(Long.toString(current.meta().resourceVersion()));
          return Document.patchOf(current.meta());
        });
  }

  @Test
  void write_conflict_isRetriedFromLiveClaim() throws InterruptedException {
    Claim old = put("u");
    Claim current = put("u");
    assertThat(report(old).toOptional()).contains(current);
    assertThat(writtenStatuses).containsExactly(version(old), version(current));
  }

  private static String version(Claim claim) {
    return Long.toString(claim.meta().resourceVersion());
  }

  @Test
  void write_claimReplaced_returnsConflict() throws InterruptedException {
    Claim old = put("u");
    put("other");
    assertThat(report(old)).isInstanceOf(WriteResult.Conflict.class);
    assertThat(writtenStatuses).containsExactly(version(old));
  }

  @Test
  void write_permanentConflict_endsAfterFiveAttempts() throws InterruptedException {
    Claim claim = put("u");
    server.onWrite(request -> new WriteResult.Conflict<>("changed"));
    assertThat(report(claim)).isInstanceOf(WriteResult.Conflict.class);
    assertThat(writtenStatuses).hasSize(5);
  }
}
