package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Which volumes came nearest, and the tests that each failed. */
public final class NearMisses {
  private static final int NAMED = 5;

  private record Miss(Volume volume, List<String> failed) {}

  private NearMisses() {}

  /** The nearest five, for an event's note; "" if there are no volumes at all. */
  public static String of(Claim claim, VolumeCatalogue volumes) {
    List<Miss> misses = new ArrayList<>();
    for (Volume volume : volumes.sample()) {
      misses.add(new Miss(volume, Fit.misfits(claim, volume)));
    }
    Comparator<Miss> nearest =
        Comparator.comparingInt((Miss m) -> m.failed.size())
            .thenComparing(m -> m.volume.storage())
            .thenComparing(m -> m.volume.meta().name());
    return misses.stream()
        .filter(m -> !m.failed.isEmpty())
        .sorted(nearest)
        .limit(NAMED)
        .map(m -> m.volume.meta().name() + " " + String.join(" and ", m.failed))
        .collect(Collectors.joining("; "));
  }
}
