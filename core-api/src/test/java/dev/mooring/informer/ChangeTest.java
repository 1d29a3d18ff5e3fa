package dev.mooring.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Claim;
import dev.mooring.testkit.TestObjects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ChangeTest {
  private static final Claim PLAIN = TestObjects.claim("ns", "c").build();
  private static final Claim MARKED = TestObjects.like(PLAIN).label("mark", "yes").build();
  private static final Predicate<Claim> IS_MARKED =
      claim -> claim.meta().labels().containsKey("mark");

  @Test
  void endsCondition_conditionNoLongerHolds_isTrue() {
    assertThat(new Change.Updated<>(MARKED, PLAIN).endsCondition(IS_MARKED)).isTrue();
    assertThat(new Change.Deleted<>(MARKED, false).endsCondition(IS_MARKED)).isTrue();
  }

  @Test
  void endsCondition_conditionHoldsOrNeverHeld_isFalse() {
    assertThat(new Change.Updated<>(MARKED, MARKED).endsCondition(IS_MARKED)).isFalse();
    assertThat(new Change.Updated<>(PLAIN, MARKED).endsCondition(IS_MARKED)).isFalse();
    assertThat(new Change.Updated<>(PLAIN, PLAIN).endsCondition(IS_MARKED)).isFalse();
    assertThat(new Change.Deleted<>(PLAIN, false).endsCondition(IS_MARKED)).isFalse();
    assertThat(new Change.Added<>(MARKED).endsCondition(IS_MARKED)).isFalse();
  }
}
