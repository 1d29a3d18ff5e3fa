package dev.mooring.apiserver.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The canonical forms of quantities and times, as apimachinery writes them. */
public final class CanonicalValues {
  private static final Pattern QUANTITY =
      Pattern.compile(
          "([+-]?(?:\\d+\\.?\\d*|\\.\\d+))((?:[KMGTPE]i)|[numkMGTPE]|(?:[eE][+-]?\\d{1,3}))?");
  private static final String BINARY_SUFFIXES = "KMGTPE";
  private static final String[] DECIMAL_SUFFIXES = {
    "n", "u", "m", "", "k", "M", "G", "T", "P", "E"
  };
  private static final DateTimeFormatter SECONDS_FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MICROS_FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private CanonicalValues() {}

  public static String formatSeconds(Instant time) {
    return SECONDS_FORMAT.format(time);
  }

  public static String formatMicros(Instant time) {
    return MICROS_FORMAT.format(time);
  }

  /** Returns null if the text is no RFC 3339 time. */
  public static @Nullable Instant parseTime(String text) {
    try {
      return hasFormOfSeconds(text) ? parseSeconds(text) : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException notATime) {
      return null;
    }
  }

  // nearly all times have this form, and the parser of the JDK costs ten times as much
  static boolean hasFormOfSeconds(String text) {
    String form = "0000-00-00T00:00:00Z";
    for (int i = 0; i < form.length(); i++) {
      char found = i < text.length() ? text.charAt(i) : ' ';
      if (form.charAt(i) == '0' ? found < '0' || found > '9' : found != form.charAt(i)) {
        return false;
      }
    }
    return text.length() == form.length();
  }

  private static Instant parseSeconds(String text) {
    return LocalDateTime.of(
            100 * parseTwoDigits(text, 0) + parseTwoDigits(text, 2),
            parseTwoDigits(text, 5),
            parseTwoDigits(text, 8),
            parseTwoDigits(text, 11),
            parseTwoDigits(text, 14),
            parseTwoDigits(text, 17))
        .toInstant(ZoneOffset.UTC);
  }

  private static int parseTwoDigits(String text, int index) {
    return 10 * (text.charAt(index) - '0') + text.charAt(index + 1) - '0';
  }

  /** Returns null if the text is no quantity. */
  public static @Nullable BigDecimal parseAmount(String text) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String number = matcher.group(1).endsWith(".") ? matcher.group(1) + "0" : matcher.group(1);
    BigDecimal value =
        new BigDecimal(number)
            .multiply(findFactor(matcher.group(2) == null ? "" : matcher.group(2)));
    return value.scale() > 9 ? value.setScale(9, RoundingMode.UP) : value;
  }

  private static BigDecimal findFactor(String suffix) {
    if (suffix.endsWith("i")) {
      return new BigDecimal(
          BigInteger.TWO.pow(10 * (1 + BINARY_SUFFIXES.indexOf(suffix.charAt(0)))));
    }
    for (int i = 0; i < DECIMAL_SUFFIXES.length; i++) {
      if (DECIMAL_SUFFIXES[i].equals(suffix)) {
        return BigDecimal.ONE.scaleByPowerOfTen(3 * (i - 3));
      }
    }
    return BigDecimal.ONE.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
  }

  /** Returns the canonical form; null if the text is no quantity. */
  public static @Nullable String canonicalizeQuantity(String text) {
    BigDecimal value = parseAmount(text);
    if (value == null) {
      return null;
    }
    if (text.startsWith("+")) {
      return text; // Kubernetes treats this text as canonical
    }
    if (value.signum() == 0) {
      return "0";
    }
    char last = text.charAt(text.length() - 1);
    boolean hasExponent =
        Character.isDigit(last) && (text.indexOf('e') >= 0 || text.indexOf('E') >= 0);
    boolean isLarge = value.abs().compareTo(BigDecimal.valueOf(1024)) >= 0;
    if (last == 'i' && isLarge && value.stripTrailingZeros().scale() <= 0) {
      return formatBinary(value.toBigIntegerExact());
    }
    return formatDecimal(value, hasExponent);
  }

  private static String formatBinary(BigInteger value) {
    int power = Math.min(value.getLowestSetBit() / 10, BINARY_SUFFIXES.length());
    String number = value.shiftRight(10 * power).toString();
    return power == 0 ? number : number + BINARY_SUFFIXES.charAt(power - 1) + "i";
  }

  private static String formatDecimal(BigDecimal value, boolean hasExponent) {
    BigDecimal stripped = value.stripTrailingZeros();
    int power = Math.floorDiv(-stripped.scale(), 3) * 3;
    if (!hasExponent) {
      power = Math.min(power, 18);
    }
    String number =
        stripped
            .scaleByPowerOfTen(-power)
            .round(MathContext.UNLIMITED)
            .toBigIntegerExact()
            .toString();
    if (hasExponent) {
      return power == 0 ? number : number + "e" + power;
    }
    return number + DECIMAL_SUFFIXES[power / 3 + 3];
  }
}
