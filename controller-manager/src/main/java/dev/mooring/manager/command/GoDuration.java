package dev.mooring.manager.command;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Durations as Kubernetes' flags take them: 15s, 1m30s, 1.5h, 200ms. */
public final class GoDuration implements CommandLine.ITypeConverter<Duration> {
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");

  /** For picocli. */
  public GoDuration() {}

  @Override
  public Duration convert(String text) {
    Matcher part = PART.matcher(text);
    int end = 0;
    BigDecimal nanos = BigDecimal.ZERO;
    while (part.find() && part.start() == end) {
      end = part.end();
      long unit =
          switch (part.group(2)) {
            case "ns" -> 1L;
            case "us", "µs" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
          };
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    if (end == 0 || end != text.length()) {
      throw new CommandLine.TypeConversionException(
          "'" + text + "' is not a duration (for example 15s, 1m30s or 200ms)");
    }
    return Duration.ofNanos(nanos.longValue());
  }
}
