package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Expander.Expanded;
import dev.mooring.spi.VolumePlugin;
import org.junit.jupiter.api.Test;

/** Contract of plugins that expand volumes. */
public interface ExpanderContract {
  /** Returns a started plugin with separate storage for this test. */
  VolumePlugin plugin();

  /** Returns a volume of 1Gi. */
  VolumeSource expandable();

  private Expanded expandTo(Quantity size) {
    Attempt<Expanded> attempt =
        plugin()
            .expander()
            .orElseThrow()
            .expand(
                new Expander.Request(
                    "pvc-1", expandable(), VolumeMode.FILESYSTEM, Quantity.of("1Gi"), size));
    if (attempt instanceof Attempt.Done<Expanded>(Expanded expanded)) {
      return expanded;
    }
    throw new AssertionError(attempt);
  }

  @Test
  default void expand_repeated_reachesSize() {
    for (int i = 0; i < 2; i++) {
      assertThat(expandTo(Quantity.of("2Gi")).capacity())
          .isGreaterThanOrEqualTo(Quantity.of("2Gi"));
    }
    assertThat(expandTo(Quantity.of("3Gi")).capacity()).isGreaterThanOrEqualTo(Quantity.of("3Gi"));
  }
}
