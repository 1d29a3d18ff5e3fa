package dev.mooring.manager.command;

import dev.mooring.model.Quantity;
import picocli.CommandLine;

/** Converts a number of bytes, also as a quantity: 0, 500Gi, 2Ti. */
public final class ByteCount implements CommandLine.ITypeConverter<Long> {
  public ByteCount() {}

  @Override
  public Long convert(String text) {
    return Quantity.parse(text)
        .filter(quantity -> quantity.compareTo(Quantity.ZERO) >= 0 && !quantity.exceedsBytes())
        .map(Quantity::toBytesCeiling)
        .orElseThrow(() ->
            new CommandLine.TypeConversionException(
                "'" + text + "' is not a number of bytes below 8Ei (for example 500Gi)"));
  }
}
