package dev.mooring.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An amount in Kubernetes' notation with an exact value. Keeps the original text.
 *
 * <p>Grammar (apimachinery {@code resource.Quantity}): a signed decimal number, followed by
 * nothing, a binary suffix (Ki…Ei), a decimal suffix (n u m k M G T P E) or a decimal exponent (e3,
 * E-2). As in Kubernetes, fractions finer than nano are rounded away from zero. Unlike in
 * Kubernetes, values are not capped at 2⁶³-1: 800E is larger than 8E. Equality and order use the
 * value: {@code 1Gi} equals {@code 1024Mi}. Immutable and thread-safe.
 */
public final class Quantity implements Comparable<Quantity> {
  public static final Quantity ZERO = new Quantity("0", 0, null);

  private static final int NANO_DIGITS = 9;
  private static final int MAX_EXPONENT = 1000;

  private final String text;
  private final long integerValue;
  private final @Nullable BigDecimal exactValue; // null if the value is integral

  private Quantity(String text, long integerValue, @Nullable BigDecimal exactValue) {
    this.text = text;
    this.integerValue = integerValue;
    this.exactValue = exactValue;
  }

  /**
   * Parses a quantity.
   *
   * @throws IllegalArgumentException if the text does not match the grammar; the message contains
   *     it
   */
  public static Quantity of(String text) {
    return parse(text)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "not a quantity: \"" + text + "\" (expected for example 5Gi, 1.5G, 100m or 1e3)"));
  }

  public static Quantity of(long value) {
    return new Quantity(Long.toString(value), value, null);
  }

  /**
   * Returns a number of bytes in Kubernetes' canonical form: with the largest binary suffix that
   * keeps the number integral.
   */
  public static Quantity ofBytes(long bytes) {
    String[] suffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    long number = bytes;
    int suffix = 0;
    while (number != 0 && number % 1024 == 0 && suffix < suffixes.length - 1) {
      number /= 1024;
      suffix++;
    }
    return new Quantity(number + suffixes[suffix], bytes, null);
  }

  public static Optional<Quantity> parse(String text) {
    int length = text.length();
    int position = 0;
    if (position < length && (text.charAt(position) == '+' || text.charAt(position) == '-')) {
      position++;
    }
    int digits = 0;
    int decimalPoints = 0;
    while (position < length && (isDigit(text.charAt(position)) || text.charAt(position) == '.')) {
      if (text.charAt(position) == '.') {
        decimalPoints++;
      } else {
        digits++;
      }
      position++;
    }
    if (digits == 0 || decimalPoints > 1) {
      return Optional.empty();
    }
    String number = text.substring(0, position);
    String suffix = text.substring(position);
    if (decimalPoints == 0 && digits <= 18) {
      long integer = parseInteger(Long.parseLong(number), suffix);
      if (integer != Long.MIN_VALUE) {
        return Optional.of(new Quantity(text, integer, null));
      }
    }
    BigDecimal factor = factor(suffix);
    if (factor == null) {
      return Optional.empty();
    }
    return Optional.of(
        normalize(
            text, new BigDecimal(number.endsWith(".") ? number + "0" : number).multiply(factor)));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Handles the common case without BigDecimal: an integer without a suffix, or with a binary or
   * positive decimal suffix. Returns MIN_VALUE otherwise.
   */
  private static long parseInteger(long number, String suffix) {
    long unit =
        switch (suffix) {
          case "" -> 1L;
          case "Ki" -> 1L << 10;
          case "Mi" -> 1L << 20;
          case "Gi" -> 1L << 30;
          case "Ti" -> 1L << 40;
          case "Pi" -> 1L << 50;
          case "k" -> 1_000L;
          case "M" -> 1_000_000L;
          case "G" -> 1_000_000_000L;
          case "T" -> 1_000_000_000_000L;
          default -> 0L;
        };
    if (unit == 0) {
      return Long.MIN_VALUE;
    }
    long high = Math.multiplyHigh(number, unit);
    long low = number * unit;
    boolean fits = (high == 0 && low >= 0) || (high == -1 && low < 0);
    return fits ? low : Long.MIN_VALUE;
  }

  private static Quantity normalize(String text, BigDecimal value) {
    BigDecimal rounded =
        value.scale() > NANO_DIGITS ? value.setScale(NANO_DIGITS, RoundingMode.UP) : value;
    if (rounded.signum() == 0) {
      return new Quantity(text, 0, null);
    }
    BigDecimal stripped = rounded.stripTrailingZeros();
    if (stripped.scale() <= 0
        && stripped.precision() - stripped.scale() <= 19
        && stripped.toBigInteger().bitLength() < Long.SIZE) {
      return new Quantity(
          text,
          stripped.longValueExact(),
          null); // one representation per value, because equals compares representations
    }
    return new Quantity(text, 0, stripped);
  }

  private static @Nullable BigDecimal factor(String suffix) {
    return switch (suffix) {
      case "" -> BigDecimal.ONE;
      case "n" -> BigDecimal.ONE.movePointLeft(9);
      case "u" -> BigDecimal.ONE.movePointLeft(6);
      case "m" -> BigDecimal.ONE.movePointLeft(3);
      case "k" -> BigDecimal.ONE.movePointRight(3);
      case "M" -> BigDecimal.ONE.movePointRight(6);
      case "G" -> BigDecimal.ONE.movePointRight(9);
      case "T" -> BigDecimal.ONE.movePointRight(12);
      case "P" -> BigDecimal.ONE.movePointRight(15);
      case "E" -> BigDecimal.ONE.movePointRight(18);
      case "Ki" -> BigDecimal.valueOf(1L << 10);
      case "Mi" -> BigDecimal.valueOf(1L << 20);
      case "Gi" -> BigDecimal.valueOf(1L << 30);
      case "Ti" -> BigDecimal.valueOf(1L << 40);
      case "Pi" -> BigDecimal.valueOf(1L << 50);
      case "Ei" -> BigDecimal.valueOf(1L << 60);
      default -> exponentFactor(suffix);
    };
  }

  private static @Nullable BigDecimal exponentFactor(String suffix) {
    int firstDigit =
        suffix.length() > 1 && (suffix.charAt(1) == '+' || suffix.charAt(1) == '-') ? 2 : 1;
    if (suffix.charAt(0) != 'e' && suffix.charAt(0) != 'E'
        || suffix.length() == firstDigit
        || suffix.length() > firstDigit + 4) {
      return null;
    }
    for (int i = firstDigit; i < suffix.length(); i++) {
      if (!isDigit(suffix.charAt(i))) {
        return null;
      }
    }
    int power = Integer.parseInt(suffix.substring(1));
    return Math.abs(power) > MAX_EXPONENT ? null : BigDecimal.ONE.scaleByPowerOfTen(power);
  }

  public BigDecimal value() {
    return exactValue != null ? exactValue : BigDecimal.valueOf(integerValue);
  }

  /**
   * Returns the value rounded up to an integer, at most 2⁶³-1, for APIs that count bytes in int64.
   */
  public long toBytesCeiling() {
    if (exactValue == null) {
      return integerValue;
    }
    BigDecimal ceiling = exactValue.setScale(0, RoundingMode.CEILING);
    if (ceiling.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) >= 0) {
      return Long.MAX_VALUE;
    }
    return ceiling.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) <= 0
        ? Long.MIN_VALUE
        : ceiling.longValueExact();
  }

  /** Returns the sum of two sizes in bytes; {@link Long#MAX_VALUE} if it is larger. */
  public static long addBytes(long size, long other) {
    return other > 0 && size > Long.MAX_VALUE - other ? Long.MAX_VALUE : size + other;
  }

  public boolean exceedsBytes() {
    return exactValue != null && exactValue.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
  }

  public boolean covers(Quantity requested) {
    return compareTo(requested) >= 0;
  }

  @Override
  public int compareTo(Quantity other) {
    if (exactValue == null && other.exactValue == null) {
      return Long.compare(integerValue, other.integerValue);
    }
    return value().compareTo(other.value());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Quantity q
        && integerValue == q.integerValue
        && Objects.equals(exactValue, q.exactValue);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(integerValue) * 31 + Objects.hashCode(exactValue);
  }

  /** Returns the original text, because status fields copy it. */
  @Override
  public String toString() {
    return text;
  }
}
