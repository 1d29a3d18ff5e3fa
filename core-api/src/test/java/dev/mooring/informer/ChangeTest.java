package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.testkit.Builders;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ChangeTest {
  private static final Claim PLAIN = Builders.claim("ns", "c").build();
  private static final Claim MARKED = Builders.like(PLAIN).label("mark", "yes").build();
  private static final Predicate<Claim> IS_MARKED =
      claim -> claim.meta().labels().containsKey("mark");

  @Test
  void ends_conditionNoLongerHolds_isTrue() {
    assertThat(new Change.Updated<>(MARKED, PLAIN).ends(IS_MARKED)).isTrue();
    assertThat(new Change.Deleted<>(MARKED).ends(IS_MARKED)).isTrue();
  }

  @Test
  void ends_conditionHoldsOrNeverHeld_isFalse() {
    assertThat(new Change.Updated<>(MARKED, MARKED).ends(IS_MARKED)).isFalse();
    assertThat(new Change.Updated<>(PLAIN, MARKED).ends(IS_MARKED)).isFalse();
    assertThat(new Change.Updated<>(PLAIN, PLAIN).ends(IS_MARKED)).isFalse();
    assertThat(new Change.Deleted<>(PLAIN).ends(IS_MARKED)).isFalse();
    assertThat(new Change.Added<>(MARKED).ends(IS_MARKED)).isFalse();
  }
}
