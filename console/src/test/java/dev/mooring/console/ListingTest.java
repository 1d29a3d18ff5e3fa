package dev.mooring.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.view.Section;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.testkit.SimTime;
import org.junit.jupiter.api.Test;

/** Before the cluster is known. */
class ListingTest {
  private final FakeCluster cluster = new FakeCluster();
  private final Console console = new Console(cluster, new SimTime());

  private int codeOfTheClaim() throws InterruptedException {
    return ((ConsoleReply.Data)
            console.answer(new ConsoleRequest(Section.ROOT + "claims/ns/c.json", "", "")))
        .code();
  }

  /** It would ask the server for what is about to be listed, with rights that it does not need. */
  @Test
  void nothingIsExplainedBeforeEverythingIsListed() throws Exception {
    cluster.put(Kind.CLAIM, Some.claim("ns", "c", 1, ClaimPhase.BOUND));
    cluster.isListed(false);
    assertThat(codeOfTheClaim()).isEqualTo(503);
    assertThat(cluster.moments()).isZero();
    cluster.isListed(true);
    codeOfTheClaim();
    assertThat(cluster.moments()).isEqualTo(1);
  }
}
