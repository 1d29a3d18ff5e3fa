package dev.mooring.apiserver.http.request;

import dev.mooring.apiserver.kinds.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request's query parameters; of repeats the first counts. */
public final class QueryParameters {
  private final Map<String, String> values = new LinkedHashMap<>();

  QueryParameters(String raw) {
    if (raw.isEmpty()) {
      return;
    }
    for (String pair : raw.split("&")) {
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      values.putIfAbsent(name, equals < 0 ? "" : decode(pair.substring(equals + 1)));
    }
  }

  /** What stands behind the escapes of a URL; the text itself if they are wrong. */
  public static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException badEscape) {
      return text;
    }
  }

  /** Whether it is there, be it empty. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Its value, "" if it is not there. */
  public String text(String name) {
    return values.getOrDefault(name, "");
  }

  /** A flag as Kubernetes reads it: there and not false or 0. */
  public boolean flag(String name) {
    String value = text(name);
    return has(name) && !value.equals("false") && !value.equals("0");
  }

  /**
   * Its value as a number.
   *
   * @param otherwise what it is if it is not there or empty
   * @throws Problem if it is none
   */
  public long number(String name, long otherwise) throws Problem {
    String value = text(name);
    if (value.isEmpty()) {
      return otherwise;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw Problem.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
    }
  }

  /**
   * The resourceVersion of a list, -1 if none.
   *
   * @throws Problem if it is none that there could be
   */
  public long listVersion() throws Problem {
    try {
      return version();
    } catch (Problem unreadable) {
      throw Problem.badRequest("invalid resource version: " + unreadable.getMessage());
    }
  }

  /**
   * The resourceVersion asked for, -1 if none.
   *
   * @throws Problem if it is none that there could be
   */
  public long version() throws Problem {
    String value = text("resourceVersion");
    if (value.isEmpty()) {
      return -1;
    }
    if (!value.matches("\\d{1,18}")) {
      String why = value.matches("\\d+") ? "value out of range" : "invalid syntax";
      throw Problem.internal(
          "resourceVersion: Invalid value: \""
              + value
              + "\": strconv.ParseUint: parsing \""
              + value
              + "\": "
              + why);
    }
    return Long.parseLong(value);
  }

  /** The terms of the field selector: what stands between commas that are not escaped. */
  public List<String> fieldTerms() {
    return List.of(text("fieldSelector").split("(?<!\\\\),"));
  }

  /** The one name that the field selector asks for, "" if it does not. */
  public String exactName() {
    for (String term : fieldTerms()) {
      if (term.startsWith("metadata.name=")) {
        String value = term.substring("metadata.name=".length());
        return value.startsWith("=") ? value.substring(1) : value;
      }
    }
    return "";
  }
}
