package dev.mooring.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.view.ConsoleSection;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.testkit.SimTime;
import org.junit.jupiter.api.Test;

class ConsoleStartTest {
  private final FakeCluster cluster = new FakeCluster();
  private final Console console = new Console(cluster, new SimTime());

  private int claimPageStatus() throws InterruptedException {
    return ((ConsoleReply.Data)
            console.answer(new ConsoleRequest(ConsoleSection.ROOT + "claims/ns/c.json", "", "")))
        .code();
  }

  /**
   * An explanation would read single objects from the server, with rights that the console does not
   * need.
   */
  @Test
  void answer_cachesNotListed_is503WithoutSnapshot() throws Exception {
    cluster.put(Kind.CLAIM, SampleObjects.claim("ns", "c", 1, ClaimPhase.BOUND));
    cluster.setListed(false);
    assertThat(claimPageStatus()).isEqualTo(503);
    assertThat(cluster.snapshotCount()).isZero();
    cluster.setListed(true);
    claimPageStatus();
    assertThat(cluster.snapshotCount()).isEqualTo(1);
  }
}
