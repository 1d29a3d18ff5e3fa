package dev.mooring.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Go durations, as in Kubernetes' flags: 15s, 1m30s, 1.5h, 200ms. The maximum {@link #LONGEST}
 * prevents overflow of time arithmetic.
 */
public final class DurationText {
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");

  // Fast path for common values: BigDecimal costs 20 ms at startup.
  private static final Pattern FEW_WHOLE = Pattern.compile("(\\d{1,5}(ns|us|µs|ms|s|m|h)){1,9}");

  private static final Duration LONGEST = Duration.ofHours(876_000); // a hundred years

  private static final int MAX_LENGTH = 100; // users write annotations of up to 256 KiB

  private DurationText() {}

  /**
   * Parses a duration that is not negative.
   *
   * @throws IllegalArgumentException if the text is no duration or exceeds the maximum; the message
   *     is one line
   */
  public static Duration parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a text of %s characters is not a duration (for example 15s, 1m30s or 200ms)"
              .formatted(text.length()));
    }
    if (FEW_WHOLE.matcher(text).matches()) {
      return limited(text, sumWholeParts(PART.matcher(text)));
    }
    return text.equals("0") ? Duration.ZERO : exact(text);
  }

  private static Duration limited(String text, Duration duration) {
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is too long (maximum: " + LONGEST.toHours() + "h)");
    }
    return duration;
  }

  private static Duration sumWholeParts(Matcher matcher) {
    long nanos = 0;
    while (matcher.find()) {
      nanos += Long.parseLong(matcher.group(1)) * unit(matcher.group(2));
    }
    return Duration.ofNanos(nanos);
  }

  private static long unit(String name) {
    return switch (name) {
      case "ns" -> 1L;
      case "us", "µs" -> 1_000L;
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      default -> 3_600_000_000_000L;
    };
  }

  private static Duration exact(String text) {
    Matcher matcher = PART.matcher(text);
    int end = 0;
    BigDecimal nanos = BigDecimal.ZERO;
    while (matcher.find() && matcher.start() == end) {
      end = matcher.end();
      BigDecimal unit = BigDecimal.valueOf(unit(matcher.group(2)));
      nanos = nanos.add(new BigDecimal(matcher.group(1)).multiply(unit));
    }
    if (end == 0 || end != text.length()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration (for example 15s, 1m30s or 200ms)");
    }
    BigDecimal limitNanos = BigDecimal.valueOf(LONGEST.toNanos()).add(BigDecimal.ONE);
    return limited(text, Duration.ofNanos(nanos.min(limitNanos).longValue()));
  }
}
