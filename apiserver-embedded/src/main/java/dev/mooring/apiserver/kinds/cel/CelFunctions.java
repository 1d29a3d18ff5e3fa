package dev.mooring.apiserver.kinds.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.cel.CelRule.CelException;
import dev.mooring.apiserver.kinds.rules.StringFormats;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The functions and methods that rules may call. CEL's null is Java's null. */
final class CelFunctions {
  private record QuantityValue(BigDecimal amount) {}

  private static final Set<String> FUNCTIONS =
      Set.of(
          """
          size string int uint double bool dyn duration timestamp quantity isQuantity ip isIP
          isCIDR url isURL
          """
              .split("\\s+"));
  private static final Set<String> METHODS =
      Set.of(
          """
          size startsWith endsWith contains matches lowerAscii upperAscii split join replace
          indexOf lastIndexOf substring trim charAt find isSorted sum min max hasValue value
          orValue isLessThan isGreaterThan compareTo asInteger asApproximateFloat isInteger sign
          add sub getScheme getHost getHostname getPort getEscapedPath getHours getMinutes
          getSeconds getFullYear family of none
          """
              .split("\\s+"));
  private static final Pattern DURATION_PART =
      Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s|us|ns)");
  private static final Map<String, Double> NANOS_PER_UNIT =
      Map.of("h", 3.6e12, "m", 6e10, "s", 1e9, "ms", 1e6, "us", 1e3, "ns", 1.0);

  private CelFunctions() {}

  static boolean isFunction(String name) {
    return FUNCTIONS.contains(name);
  }

  static boolean isMethod(String name) {
    return METHODS.contains(name);
  }

  static @Nullable Object callFunction(String name, @Nullable Object value) {
    return switch (name) {
      case "size" -> measureSize(value);
      case "string" -> String.valueOf(value);
      case "int", "uint" ->
          value instanceof String s
              ? (Object) parseInteger(s)
              : (Object) (long) CelValues.toNumber(value);
      case "double" -> value instanceof String s ? parseDouble(s) : CelValues.toNumber(value);
      case "bool" -> Boolean.parseBoolean(String.valueOf(value));
      case "duration" -> parseDuration(String.valueOf(value));
      case "timestamp" -> parseTimestamp(value);
      case "quantity" -> parseQuantity(String.valueOf(value));
      case "isQuantity" -> CanonicalValues.parseAmount(String.valueOf(value)) != null;
      case "ip" -> value;
      case "isIP" -> isIp(String.valueOf(value));
      case "isCIDR" -> isCidr(String.valueOf(value));
      case "url" -> parseUrl(String.valueOf(value));
      case "isURL" -> isUrl(String.valueOf(value));
      default -> value;
    };
  }

  static @Nullable Object callMethod(
      String name, @Nullable Object base, List<@Nullable Object> args) {
    return switch (base) {
      case String text -> callOnText(name, text, args);
      case List<?> list -> callOnList(name, list, args);
      case Optional<?> optional -> callOnOptional(name, optional, args);
      case QuantityValue quantity -> callOnQuantity(name, quantity, args);
      case URI uri -> callOnUrl(name, uri);
      case Duration duration -> callOnDuration(name, duration);
      case Instant time -> (long) time.atZone(ZoneOffset.UTC).getYear();
      case Map<?, ?> map when name.equals("size") -> (long) map.size();
      case null -> callOnOptionalNamespace(name, args);
      default -> throw new CelException("no such overload: " + name);
    };
  }

  // The name optional, as in optional.of(x), has no value of its own.
  private static Optional<Object> callOnOptionalNamespace(
      String name, List<@Nullable Object> args) {
    return switch (name) {
      case "of" -> Optional.ofNullable(argument(args, 0));
      case "none" -> Optional.empty();
      default -> throw new CelException("no such overload: " + name);
    };
  }

  static Pattern compilePattern(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new CelException("invalid matches argument");
    }
  }

  private static Object callOnText(String name, String text, List<@Nullable Object> args) {
    String firstArgument = args.isEmpty() ? "" : String.valueOf(args.getFirst());
    return switch (name) {
      case "size" -> measureSize(text);
      case "startsWith" -> text.startsWith(firstArgument);
      case "endsWith" -> text.endsWith(firstArgument);
      case "contains" -> text.contains(firstArgument);
      case "matches" -> compilePattern(firstArgument).matcher(text).find();
      case "find" -> {
        Matcher matcher = compilePattern(firstArgument).matcher(text);
        yield matcher.find() ? matcher.group() : "";
      }
      case "lowerAscii" -> text.toLowerCase(Locale.ROOT);
      case "upperAscii" -> text.toUpperCase(Locale.ROOT);
      case "trim" -> text.strip();
      case "split" -> Arrays.asList(Pattern.compile(Pattern.quote(firstArgument)).split(text, -1));
      case "replace" -> text.replace(firstArgument, String.valueOf(argument(args, 1)));
      case "indexOf" -> (long) text.indexOf(firstArgument);
      case "lastIndexOf" -> (long) text.lastIndexOf(firstArgument);
      case "charAt" -> substring(text, index(args, 0), index(args, 0) + 1);
      case "substring" ->
          substring(text, index(args, 0), args.size() > 1 ? index(args, 1) : text.length());
      case "family" -> text.contains(":") ? 6L : 4L;
      default -> throw new CelException("no such overload: " + name);
    };
  }

  private static @Nullable Object argument(List<@Nullable Object> args, int index) {
    if (index >= args.size()) {
      throw new CelException("no such overload");
    }
    return args.get(index);
  }

  private static long index(List<@Nullable Object> args, int index) {
    return (long) CelValues.toNumber(argument(args, index));
  }

  private static String substring(String text, long start, long end) {
    if (start < 0 || end > text.length() || start > end) {
      throw new CelException("index out of range: " + (start < 0 ? start : end));
    }
    return text.substring((int) start, (int) end);
  }

  private static Object callOnList(String name, List<?> list, List<@Nullable Object> args) {
    Comparator<Object> naturalOrder =
        (a, b) ->
            a instanceof String x
                ? x.compareTo(String.valueOf(b))
                : Double.compare(CelValues.toNumber(a), CelValues.toNumber(b));
    return switch (name) {
      case "size" -> (long) list.size();
      case "join" ->
          list.stream()
              .map(String::valueOf)
              .collect(Collectors.joining(args.isEmpty() ? "" : String.valueOf(args.getFirst())));
      case "indexOf" -> (long) list.indexOf(argument(args, 0));
      case "lastIndexOf" -> (long) list.lastIndexOf(argument(args, 0));
      case "isSorted" -> {
        List<Object> sorted = new ArrayList<>(list);
        sorted.sort(naturalOrder);
        yield sorted.equals(list);
      }
      case "sum" -> {
        double total = list.stream().mapToDouble(CelValues::toNumber).sum();
        yield list.stream().allMatch(Long.class::isInstance)
            ? (Object) (long) total
            : (Object) total;
      }
      case "min" -> firstOf(list, name, naturalOrder);
      case "max" -> firstOf(list, name, naturalOrder.reversed());
      default -> throw new CelException("no such overload: " + name);
    };
  }

  private static Object firstOf(List<?> list, String function, Comparator<Object> order) {
    if (list.isEmpty()) {
      throw new CelException(function + " called on empty list");
    }
    return Collections.min(new ArrayList<Object>(list), order);
  }

  private static @Nullable Object callOnOptional(
      String name, Optional<?> optional, List<@Nullable Object> args) {
    return switch (name) {
      case "hasValue" -> optional.isPresent();
      case "value" -> optional.orElseThrow(() -> new CelException("optional.none() dereference"));
      case "orValue" -> optional.isPresent() ? optional.get() : argument(args, 0);
      default -> throw new CelException("no such overload: " + name);
    };
  }

  private static Object callOnQuantity(
      String name, QuantityValue quantity, List<@Nullable Object> args) {
    BigDecimal other =
        !args.isEmpty() && args.getFirst() instanceof QuantityValue q
            ? q.amount
            : args.isEmpty()
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(CelValues.toNumber(args.getFirst()));
    return switch (name) {
      case "isLessThan" -> quantity.amount.compareTo(other) < 0;
      case "isGreaterThan" -> quantity.amount.compareTo(other) > 0;
      case "compareTo" -> (long) quantity.amount.compareTo(other);
      case "asInteger" -> quantity.amount.longValue();
      case "asApproximateFloat" -> quantity.amount.doubleValue();
      case "isInteger" -> quantity.amount.stripTrailingZeros().scale() <= 0;
      case "sign" -> (long) quantity.amount.signum();
      case "add" -> new QuantityValue(quantity.amount.add(other));
      case "sub" -> new QuantityValue(quantity.amount.subtract(other));
      default -> throw new CelException("no such overload: " + name);
    };
  }

  private static Object callOnUrl(String name, URI uri) {
    return switch (name) {
      case "getScheme" -> Objects.requireNonNullElse(uri.getScheme(), "");
      case "getHost" ->
          Objects.requireNonNullElse(uri.getHost(), "")
              + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
      case "getHostname" -> Objects.requireNonNullElse(uri.getHost(), "");
      case "getPort" -> uri.getPort() < 0 ? "" : String.valueOf(uri.getPort());
      case "getEscapedPath" -> Objects.requireNonNullElse(uri.getRawPath(), "");
      default -> throw new CelException("no such overload: " + name);
    };
  }

  private static Object callOnDuration(String name, Duration duration) {
    return switch (name) {
      case "getHours" -> duration.toHours();
      case "getMinutes" -> duration.toMinutes();
      case "getSeconds" -> duration.toSeconds();
      default -> throw new CelException("no such overload: " + name);
    };
  }

  private static Object measureSize(@Nullable Object value) {
    return switch (value) {
      case String s -> (long) s.codePointCount(0, s.length());
      case List<?> l -> (long) l.size();
      case Map<?, ?> m -> (long) m.size();
      case null, default -> throw new CelException("no such overload: size");
    };
  }

  private static long parseInteger(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new CelException("type conversion error from 'string' to 'int'");
    }
  }

  private static double parseDouble(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new CelException("type conversion error from 'string' to 'double'");
    }
  }

  private static Duration parseDuration(String text) {
    boolean isNegative = text.startsWith("-");
    Matcher matcher = DURATION_PART.matcher(isNegative ? text.substring(1) : text);
    double nanos = 0;
    int parsedLength = 0;
    while (matcher.find() && matcher.start() == parsedLength) {
      nanos +=
          Double.parseDouble(matcher.group(1))
              * Objects.requireNonNull(NANOS_PER_UNIT.get(matcher.group(2)));
      parsedLength = matcher.end();
    }
    if (parsedLength == 0 || parsedLength < text.length() - (isNegative ? 1 : 0)) {
      throw new CelException("type conversion error from 'string' to 'google.protobuf.Duration'");
    }
    return Duration.ofNanos((long) (isNegative ? -nanos : nanos));
  }

  private static Instant parseTimestamp(@Nullable Object value) {
    Instant time = CanonicalValues.parseTime(String.valueOf(value));
    if (time == null) {
      throw new CelException("type conversion error from 'string' to 'google.protobuf.Timestamp'");
    }
    return time;
  }

  private static QuantityValue parseQuantity(String text) {
    BigDecimal amount = CanonicalValues.parseAmount(text);
    if (amount == null) {
      throw new CelException(
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    return new QuantityValue(amount);
  }

  private static boolean isIp(String text) {
    return StringFormats.isValid("ipv4", text)
        || text.contains("::") && StringFormats.isValid("ipv6", text)
        || text.chars().filter(c -> c == ':').count() == 7 && StringFormats.isValid("ipv6", text);
  }

  private static boolean isCidr(String text) {
    int slash = text.indexOf('/');
    return slash > 0 && isIp(text.substring(0, slash)) && StringFormats.isValid("cidr", text);
  }

  private static boolean isUrl(String text) {
    try {
      URI uri = new URI(text);
      return uri.isAbsolute() && uri.getHost() != null || text.startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static URI parseUrl(String text) {
    if (!isUrl(text)) {
      throw new CelException("URL parse error during conversion from string");
    }
    return URI.create(text);
  }
}
