package dev.mooring.csi.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DueTest {
  private static final Map<String, String> A = Map.of("zone", "a");
  private static final Map<String, String> B = Map.of("zone", "b");
  private static final long SECOND = 1_000_000_000L;

  private final Due due = new Due(Duration.ofMinutes(1));

  @Test
  void theFirstTimeItIsEveryPlace() {
    due.at("c", Optional.of(Set.of(A)));
    assertThat(due.take("c", 0)).isEmpty();
  }

  @Test
  void afterwardsItIsWhatWasNamed() {
    due.take("c", 0);
    due.at("c", Optional.of(Set.of(A)));
    due.at("c", Optional.of(Set.of(B)));
    assertThat(due.take("c", SECOND)).contains(Set.of(A, B));
    assertThat(due.take("c", 2 * SECOND)).as("nothing was named").isEmpty();
    due.at("c", Optional.of(Set.of(A)));
    due.at("c", Optional.empty());
    due.at("c", Optional.of(Set.of(A)));
    assertThat(due.take("c", 3 * SECOND)).isEmpty();
  }

  /** However often some are named meanwhile. */
  @Test
  void onceInEveryPeriodItIsEveryPlace() {
    due.take("c", 0);
    int whole = 0;
    for (int second = 1; second <= 600; second++) {
      due.at("c", Optional.of(Set.of(A)));
      whole += due.take("c", second * SECOND).isEmpty() ? 1 : 0;
    }
    assertThat(whole).isEqualTo(10);
    assertThat(due.left("c", 601 * SECOND)).isEqualTo(Duration.ofSeconds(59));
    assertThat(due.left("d", 601 * SECOND)).isZero();
  }
}
