package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Populator.CleanUpRequest;
import dev.mooring.spi.Populator.CleanedUp;
import dev.mooring.spi.Populator.Progress;
import dev.mooring.spi.Populator.SourceKind;
import dev.mooring.spi.VolumePlugin;
import org.junit.jupiter.api.Test;

/** Contract of plugins that fill volumes. */
public interface PopulatorContract {
  /** Returns a started plugin with separate storage for this test. */
  VolumePlugin plugin();

  /** Returns a request whose data source exists and whose volume is empty. */
  Populator.Request fillable();

  private Populator populator() {
    return plugin().populator().orElseThrow();
  }

  private Progress populate(Populator.Request request) {
    Attempt<Progress> attempt = populator().populate(request);
    if (attempt instanceof Attempt.Done<Progress>(Progress progress)) {
      return progress;
    }
    throw new AssertionError(attempt);
  }

  private void cleanUp(Populator.Request request) {
    assertThat(
            populator().cleanUp(new CleanUpRequest(request.claim().key(), request.claim().uid())))
        .isEqualTo(Attempt.done(new CleanedUp()));
  }

  @Test
  default void kinds_includeKindOfTheRequest() {
    assertThat(populator().kinds())
        .contains(fillable().dataSource().kind())
        .doesNotHaveDuplicates()
        .noneMatch(kind -> kind.name().equals("PersistentVolumeClaim"))
        .extracting(SourceKind::version)
        .doesNotContain("");
  }

  @Test
  default void populate_repeated_succeeds() {
    Populator.Request request = fillable();
    Progress first = populate(request);
    assertThat(populate(request).getClass()).isEqualTo(first.getClass());
  }

  @Test
  default void populate_afterCleanUpOfAnotherAttempt_succeeds() {
    Populator.Request request = fillable();
    populate(request);
    cleanUp(request);
    assertThat(populate(request)).isNotNull();
  }

  @Test
  default void cleanUp_repeatedOrOfUnknownClaim_succeeds() {
    Populator.Request request = fillable();
    cleanUp(request);
    populate(request);
    cleanUp(request);
    cleanUp(request);
  }
}
