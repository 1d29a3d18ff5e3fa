package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Which volumes came nearest, and the tests that each failed. */
public final class NearMisses {
  private static final int NAMED = 5;

  private record Miss(Volume volume, long failed) {}

  private NearMisses() {}

  /**
   * The nearest five, for an event's note; "" if there are no volumes at all. Words are found for
   * those five only.
   *
   * @param volumes those that are looked at
   */
  public static String of(Claim claim, List<Volume> volumes) {
    Wanted wanted = Wanted.by(claim, false, Policy.DEFAULTS);
    Comparator<Miss> nearest =
        Comparator.comparingLong(Miss::failed)
            .thenComparing(m -> m.volume.storage())
            .thenComparing(m -> m.volume.meta().name());
    return volumes.stream()
        .map(volume -> new Miss(volume, failed(wanted, volume).size()))
        .filter(m -> m.failed > 0)
        .sorted(nearest)
        .limit(NAMED)
        .map(m ->
            m.volume.meta().name()
                + " "
                + failed(wanted, m.volume).stream()
                    .map(test -> test.note(wanted, m.volume))
                    .collect(Collectors.joining(" and ")))
        .collect(Collectors.joining("; "));
  }

  private static List<VolumeTest> failed(Wanted wanted, Volume volume) {
    return Fit.tests(wanted, volume).stream().filter(t -> !t.passes(wanted, volume)).toList();
  }
}
