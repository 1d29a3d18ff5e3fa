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
  private final long whole;
  private final @Nullable BigDecimal exact; // null if the value is exactly `whole`

  private Quantity(String text, long whole, @Nullable BigDecimal exact) {
    this.text = text;
    this.whole = whole;
    this.exact = exact;
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
    int end = text.length();
    int at = 0;
    if (at < end && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      at++;
    }
    int digits = 0;
    int points = 0;
    while (at < end && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      if (text.charAt(at) == '.') {
        points++;
      } else {
        digits++;
      }
      at++;
    }
    if (digits == 0 || points > 1) {
      return Optional.empty();
    }
    String number = text.substring(0, at);
    String suffix = text.substring(at);
    if (points == 0 && digits <= 18) {
      long fast = fast(Long.parseLong(number), suffix);
      if (fast != Long.MIN_VALUE) {
        return Optional.of(new Quantity(text, fast, null));
      }
    }
    BigDecimal factor = factor(suffix);
    if (factor == null) {
      return Optional.empty();
    }
    return Optional.of(
        normal(
            text, new BigDecimal(number.endsWith(".") ? number + "0" : number).multiply(factor)));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * Handles the common case without BigDecimal: an integer without a suffix, or with a binary or
   * positive decimal suffix. Returns MIN_VALUE otherwise.
   */
  private static long fast(long number, String suffix) {
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

  private static Quantity normal(String text, BigDecimal value) {
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
      default -> exponent(suffix);
    };
  }

  private static @Nullable BigDecimal exponent(String suffix) {
    int first = suffix.length() > 1 && (suffix.charAt(1) == '+' || suffix.charAt(1) == '-') ? 2 : 1;
    if (suffix.charAt(0) != 'e' && suffix.charAt(0) != 'E'
        || suffix.length() == first
        || suffix.length() > first + 4) {
      return null;
    }
    for (int i = first; i < suffix.length(); i++) {
      if (!isDigit(suffix.charAt(i))) {
        return null;
      }
    }
    int power = Integer.parseInt(suffix.substring(1));
    return Math.abs(power) > MAX_EXPONENT ? null : BigDecimal.ONE.scaleByPowerOfTen(power);
  }

  public BigDecimal value() {
    return exact != null ? exact : BigDecimal.valueOf(whole);
  }

  /**
   * Returns the value rounded up to an integer, at most 2⁶³-1, for APIs that count bytes in int64.
   */
  public long toBytesCeiling() {
    if (exact == null) {
      return whole;
    }
    BigDecimal up = exact.setScale(0, RoundingMode.CEILING);
    if (up.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) >= 0) {
      return Long.MAX_VALUE;
    }
    return up.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) <= 0
        ? Long.MIN_VALUE
        : up.longValueExact();
  }

  public boolean exceedsBytes() {
    return exact != null && exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
  }

  public boolean covers(Quantity other) {
    return compareTo(other) >= 0;
  }

  @Override
  public int compareTo(Quantity other) {
    if (exact == null && other.exact == null) {
      return Long.compare(whole, other.whole);
    }
    return value().compareTo(other.value());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Quantity q && whole == q.whole && Objects.equals(exact, q.exact);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(whole) * 31 + Objects.hashCode(exact);
  }

  /** Returns the original text, because status fields copy it. */
  @Override
  public String toString() {
    return text;
  }
}
