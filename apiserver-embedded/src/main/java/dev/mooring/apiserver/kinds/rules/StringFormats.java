package dev.mooring.apiserver.kinds.rules;

import dev.mooring.apiserver.codec.CanonicalValues;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

public final class StringFormats {
  private static final Pattern IPV4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern DURATION =
      Pattern.compile(
          "-?(\\d+(\\.\\d+)?\\s*(ns|us|µs|ms|s|m|h|d|w|nano(second)?s?|micro(second)?s?|milli(second)?s?|sec(ond)?s?|min(ute)?s?|hours?|days?|weeks?)\\s*)+");
  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
  private static final Map<String, Predicate<String>> CHECKED_FORMATS =
      Map.ofEntries(
          Map.entry("date", StringFormats::isDate),
          Map.entry("date-time", v -> CanonicalValues.parseTime(v) != null),
          Map.entry("email", v -> v.matches("[^@\\s]+@[^@\\s]+")),
          Map.entry("ipv4", v -> IPV4.matcher(v).matches()),
          Map.entry("ipv6", v -> v.contains(":") && v.matches("[0-9a-fA-F:.]+")),
          Map.entry("cidr", v -> v.matches("[0-9a-fA-F:.]+/\\d{1,3}")),
          Map.entry("mac", v -> v.matches("(?i)([0-9a-f]{2}[:-]){5}[0-9a-f]{2}")),
          Map.entry("uuid", v -> UUID.matcher(v).matches()),
          Map.entry("byte", StringFormats::isBase64),
          Map.entry("uri", StringFormats::isUri),
          Map.entry("duration", v -> DURATION.matcher(v).matches()),
          Map.entry(
              "hostname",
              v ->
                  v.matches(
                      "(?i)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")),
          Map.entry("hexcolor", v -> v.matches("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")),
          Map.entry("k8s-short-name", v -> v.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")),
          Map.entry("k8s-long-name", ObjectNames::isSubdomain));
  private static final Set<String> UNCHECKED_FORMATS =
      Set.of(
          """
          bsonobjectid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn rgbcolor password
          int32 int64 float double
          """
              .split("\\s+"));

  private StringFormats() {}

  /** Returns whether the format is one that Kubernetes knows. */
  public static boolean isKnown(String format) {
    return CHECKED_FORMATS.containsKey(format) || UNCHECKED_FORMATS.contains(format);
  }

  /** Returns whether the string has the format; every string matches an unknown format. */
  public static boolean isValid(String format, String value) {
    return CHECKED_FORMATS.getOrDefault(format, v -> true).test(value);
  }

  private static boolean isDate(String value) {
    try {
      LocalDate.parse(value);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static boolean isBase64(String value) {
    try {
      Base64.getDecoder().decode(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isUri(String value) {
    try {
      return new URI(value).isAbsolute() || value.startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
