package dev.mooring.kube;

import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

// The API server's clock, as the dates of its responses show it in whole seconds.
final class ServerClock {
  private static final System.Logger LOG = System.getLogger(ServerClock.class.getName());
  private static final Duration TOLERANCE = Duration.ofSeconds(5);
  private static final Duration REPORTED = Duration.ofMinutes(1);

  private final Time time;
  private volatile Duration ahead = Duration.ZERO;
  private volatile String lastDate = "";

  ServerClock(Time time) {
    this.time = time;
  }

  Duration ahead() {
    return ahead;
  }

  void record(String date) {
    if (!date.equals(lastDate)) { // parsing at each response of a burst costs CPU time
      lastDate = date;
      parseDate(date).ifPresent(now -> update(Duration.between(time.now(), now)));
    }
  }

  private void update(Duration difference) {
    Duration newAhead = exceeds(difference, TOLERANCE) ? difference : Duration.ZERO;
    if (exceeds(newAhead, REPORTED) && !exceeds(ahead, REPORTED)) {
      LOG.log(
          Level.WARNING,
          () ->
              "the API server's clock differs from this machine's by %s s: condemned volumes and snapshots are kept until both clocks have passed the deadline"
                  .formatted(newAhead.toSeconds()));
    }
    ahead = newAhead;
  }

  private static boolean exceeds(Duration difference, Duration limit) {
    return difference.abs().compareTo(limit) > 0;
  }

  static Optional<Instant> parseDate(String header) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
