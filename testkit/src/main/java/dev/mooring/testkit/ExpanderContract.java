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
import org.junit.jupiter.api.Timeout;

/** What a plugin keeps that makes volumes larger. */
@Timeout(300)
public interface ExpanderContract {
  /** The plugin, started, over storage of its own for this test. */
  VolumePlugin plugin();

  /** A volume of one gibibyte. */
  VolumeSource expandable();

  private Expanded grow(Quantity to) {
    Attempt<Expanded> attempt =
        plugin()
            .expander()
            .orElseThrow()
            .expand(
                new Expander.Request(
                    "pvc-1", expandable(), VolumeMode.FILESYSTEM, Quantity.of("1Gi"), to));
    if (attempt instanceof Attempt.Done<Expanded>(Expanded expanded)) {
      return expanded;
    }
    throw new AssertionError(attempt);
  }

  @Test
  default void aVolumeBecomesAtLeastThatLargeHoweverOftenItIsAsked() {
    for (int i = 0; i < 2; i++) {
      assertThat(grow(Quantity.of("2Gi")).capacity()).isGreaterThanOrEqualTo(Quantity.of("2Gi"));
    }
    assertThat(grow(Quantity.of("3Gi")).capacity()).isGreaterThanOrEqualTo(Quantity.of("3Gi"));
  }
}
