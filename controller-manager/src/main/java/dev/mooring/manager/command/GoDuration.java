package dev.mooring.manager.command;

import dev.mooring.time.DurationText;
import java.time.Duration;
import picocli.CommandLine;

/** Converts flags to durations, with the texts of {@link DurationText}. */
public final class GoDuration implements CommandLine.ITypeConverter<Duration> {
  public GoDuration() {}

  @Override
  public Duration convert(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
