package dev.mooring.manager.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds CSI drivers that are away, by the events that Mooring emits for the objects that wait for
 * them. Any process can read these events.
 */
public final class DriverOutages {
  private static final String REASON = "DriverUnavailable";

  // Mooring repeats the event every ten minutes while the driver is away.
  private static final Duration MAX_AGE = Duration.ofMinutes(15);

  private static final int MAX_READ_OBJECTS = 3;

  private DriverOutages() {}

  public static boolean isWaiting(Claim claim) {
    return claim.phase() != ClaimPhase.BOUND
        && claim.volumeName().isEmpty()
        && !claim.meta().isBeingDeleted();
  }

  /**
   * Reads the events of the oldest objects, three at most.
   *
   * @param waiting objects that wait for one driver
   * @return the newest report of an outage, without advice; empty if there is none
   */
  public static Optional<String> find(
      List<? extends Resource> waiting, EventReader events, Instant now)
      throws InterruptedException {
    List<? extends Resource> oldest =
        waiting.stream()
            .sorted(
                Comparator.comparingLong((Resource o) -> o.meta().created())
                    .thenComparing(Resource::key))
            .limit(MAX_READ_OBJECTS)
            .toList();
    for (Resource object : oldest) {
      Optional<String> report =
          events.readEvents(object).toOptional().stream()
              .flatMap(List::stream)
              .filter(event -> event.reason().equals(REASON))
              .filter(event -> now.getEpochSecond() - event.lastSeen() <= MAX_AGE.toSeconds())
              .max(Comparator.comparingLong(PastEvent::lastSeen))
              .map(event -> event.note().split(";", 2)[0]);
      if (report.isPresent()) {
        return report;
      }
    }
    return Optional.empty();
  }
}
