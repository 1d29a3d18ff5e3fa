package dev.mooring.manager.command;

import picocli.CommandLine;

final class WorkerCount implements CommandLine.ITypeConverter<Integer> {
  private static final int MOST = 10_000;

  WorkerCount() {}

  @Override
  public Integer convert(String text) {
    int count = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    if (count < 1 || count > MOST) {
      throw new CommandLine.TypeConversionException(
          "'" + text + "' is not a number of workers (specify 1 to " + MOST + ")");
    }
    return count;
  }
}
