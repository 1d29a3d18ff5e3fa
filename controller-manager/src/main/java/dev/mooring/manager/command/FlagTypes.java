package dev.mooring.manager.command;

import dev.mooring.time.DurationText;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** Converts flags of all commands; errors are in words instead of Java types. */
public final class FlagTypes {
  private FlagTypes() {}

  static CommandLine commandLine(Object command) {
    return register(new CommandLine(command));
  }

  public static CommandLine register(CommandLine line) {
    return line.registerConverter(int.class, FlagTypes::toInt)
        .registerConverter(Integer.class, FlagTypes::toInt)
        .registerConverter(long.class, FlagTypes::toLong)
        .registerConverter(Long.class, FlagTypes::toLong)
        .registerConverter(Duration.class, FlagTypes::toDuration)
        .registerConverter(CompatFlag.class, CompatFlag::parse)
        .registerConverter(LeaseLabel.class, LeaseLabel::parse)
        .setDefaultValueProvider(FlagTypes::findDefault);
  }

  private static int toInt(String text) {
    try {
      return Math.toIntExact(toLong(text));
    } catch (ArithmeticException e) {
      throw new CommandLine.TypeConversionException("'" + text + "' is too large");
    }
  }

  private static long toLong(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new CommandLine.TypeConversionException("'" + text + "' is not a whole number");
    }
  }

  static Duration toDuration(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  // Returns the text of a duration, which the help shows: 1m30s, 0.
  private static @Nullable String findDefault(ArgSpec argument) {
    return argument.initialValue() instanceof Duration duration
        ? duration.isZero() ? "0" : duration.toString().substring(2).toLowerCase(Locale.ROOT)
        : null;
  }
}
