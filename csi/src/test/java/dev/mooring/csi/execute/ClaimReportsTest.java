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

/** What a driver has done is written down whatever others write meanwhile. */
class ClaimReportsTest {
  private final List<String> written = new ArrayList<>();
  private final FaultyCluster server = new FaultyCluster();
  private final ClaimReports reports = new ClaimReports(server, server);

  private static Claim claim(String uid) {
    return DriverClaims.claim().uid(uid).build();
  }

  private Claim there(String uid) {
    return server.cluster().put(Kind.CLAIM, claim(uid));
  }

  private WriteResult<Claim> report(Claim claim) throws InterruptedException {
    return reports.write(
        claim,
        now -> {
          written.add(Long.toString(now.meta().resourceVersion()));
          return Document.patchOf(now.meta());
        });
  }

  @Test
  void aConflictIsOvercomeFromWhatTheServerHas() throws InterruptedException {
    Claim old = there("u");
    Claim now = there("u");
    assertThat(report(old).written()).contains(now);
    assertThat(written).containsExactly(version(old), version(now));
  }

  private static String version(Claim claim) {
    return Long.toString(claim.meta().resourceVersion());
  }

  @Test
  void aClaimThatIsAnotherByNowIsLeftAlone() throws InterruptedException {
    Claim old = there("u");
    there("other");
    assertThat(report(old)).isInstanceOf(WriteResult.Conflict.class);
    assertThat(written).containsExactly(version(old));
  }

  @Test
  void itIsNotTriedForEver() throws InterruptedException {
    Claim claim = there("u");
    server.onWrite(request -> new WriteResult.Conflict<>("changed"));
    assertThat(report(claim)).isInstanceOf(WriteResult.Conflict.class);
    assertThat(written).hasSize(5);
  }
}
