package dev.mooring.manager.command;

import picocli.CommandLine;

public final class WholeNumber {
  private WholeNumber() {}

  /** Lets all commands name a wrong number in words instead of Java types. */
  public static void registerConverters(CommandLine line) {
    line.registerConverter(int.class, WholeNumber::toInt);
    line.registerConverter(Integer.class, WholeNumber::toInt);
    line.registerConverter(long.class, WholeNumber::toLong);
    line.registerConverter(Long.class, WholeNumber::toLong);
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
}
