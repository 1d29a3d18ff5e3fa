package dev.mooring.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.spi.Failure;
import org.junit.jupiter.api.Test;

class OutcomeTest {
  @Test
  void after_eachWriteResult_returnsOutcome() {
    assertThat(Outcome.ofWrite("w", new WriteResult.Written<>("now"))).isEqualTo(Outcome.SETTLED);
    assertThat(Outcome.ofWrite("w", new WriteResult.Gone<>())).isEqualTo(Outcome.SETTLED);
    assertThat(Outcome.ofWrite("w", new WriteResult.Conflict<>("c")))
        .isEqualTo(new Outcome.Conflicted("w: c"));
    assertThat(Outcome.ofWrite("w", new WriteResult.Rejected<>(403, "r")))
        .isEqualTo(new Outcome.Retry(new Failure.Rejected("w: the server refused (403): r")));
    assertThat(Outcome.ofWrite("w", new WriteResult.Unreachable<>("u")))
        .isEqualTo(new Outcome.Unanswered("w: u"));
  }
}
