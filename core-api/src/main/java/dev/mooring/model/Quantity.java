package dev.mooring.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An amount in Kubernetes' notation, compared exactly and kept as written.
 *
 * <p>Grammar (apimachinery {@code resource.Quantity}): a signed decimal number, then nothing, a
 * binary suffix (Ki…Ei), a decimal suffix (n u m k M G T P E) or a decimal exponent (e3, E-2). As
 * there, fractions finer than nano are rounded away from zero. Unlike there, nothing is capped at
 * 2⁶³-1: an 800E volume is larger than an 8E one. Equality and order are by value: {@code 1Gi}
 * equals {@code 1024Mi}. Immutable and thread-safe.
 */
public final class Quantity implements Comparable<Quantity> {
  /** Nothing. */
  public static final Quantity ZERO = new Quantity("0", 0, null);

  private static final int NANO_DIGITS = 9;
  private static final int MAX_EXPONENT = 1000;

  private final String text;
  private final long whole;
  private final @Nullable BigDecimal exact; // null: the value is exactly `whole`

  private Quantity(String text, long whole, @Nullable BigDecimal exact) {
    this.text = text;
    this.whole = whole;
    this.exact = exact;
  }

  /**
   * Reads an amount.
   *
   * @throws IllegalArgumentException if the text is outside the grammar; the message names it
   */
  public static Quantity of(String text) {
    return parse(text)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "not a quantity: \"" + text + "\" (expected for example 5Gi, 1.5G, 100m or 1e3)"));
  }

  /** A whole number of bytes (or whatever is counted). */
  public static Quantity of(long value) {
    return new Quantity(Long.toString(value), value, null);
  }

  /**
   * A number of bytes as Kubernetes writes it: with the largest binary suffix that leaves a whole
   * number.
   */
  public static Quantity ofBytes(long bytes) {
    String[] suffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    long left = bytes;
    int suffix = 0;
    while (left != 0 && left % 1024 == 0 && suffix < suffixes.length - 1) {
      left /= 1024;
      suffix++;
    }
    return new Quantity(left + suffixes[suffix], bytes, null);
  }

  /** Reads an amount; empty if the text is outside the grammar. */
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
   * The common case without BigDecimal: a whole number with a binary suffix, none, or a positive
   * decimal one; MIN_VALUE if it is not that.
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
          text, stripped.longValueExact(), null); // one form per value: equality compares forms
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

  /** The exact value. */
  public BigDecimal value() {
    return exact != null ? exact : BigDecimal.valueOf(whole);
  }

  /**
   * The value rounded up to a whole number, at most 2⁶³-1: what APIs that count in int64 bytes are
   * given.
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

  /** Whether int64 bytes cannot hold the value, so that {@link #toBytesCeiling} is less. */
  public boolean exceedsBytes() {
    return exact != null && exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
  }

  /** Whether this is at least as much as the other. */
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

  /** The amount as it was written, for status copies. */
  @Override
  public String toString() {
    return text;
  }
}
