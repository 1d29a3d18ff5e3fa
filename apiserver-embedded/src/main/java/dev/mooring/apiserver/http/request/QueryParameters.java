package dev.mooring.apiserver.http.request;

import dev.mooring.apiserver.kinds.model.StatusException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Query parameters; the first of repeated ones counts. */
public final class QueryParameters {
  private final Map<String, String> values = new LinkedHashMap<>();

  QueryParameters(String rawQuery) {
    if (rawQuery.isEmpty()) {
      return;
    }
    for (String pair : rawQuery.split("&")) {
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      values.putIfAbsent(name, equals < 0 ? "" : decode(pair.substring(equals + 1)));
    }
  }

  public static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException badEscape) {
      return text;
    }
  }

  /** Returns whether the parameter is present, even if empty. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the value; "" if it is absent. */
  public String getText(String name) {
    return values.getOrDefault(name, "");
  }

  /** Parses a flag like Kubernetes: present and neither false nor 0. */
  public boolean getFlag(String name) {
    String value = getText(name);
    return has(name) && !value.equals("false") && !value.equals("0");
  }

  /**
   * Parses a number.
   *
   * @param defaultValue the value if it is absent or empty
   * @throws StatusException if it is not a number
   */
  public long getNumber(String name, long defaultValue) throws StatusException {
    String value = getText(name);
    if (value.isEmpty()) {
      return defaultValue;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw StatusException.badRequest(
          "strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
    }
  }

  /**
   * Returns the resourceVersion of a list; -1 if absent.
   *
   * @throws StatusException if it is not a version
   */
  public long getListVersion() throws StatusException {
    try {
      return getVersion();
    } catch (StatusException unreadable) {
      throw StatusException.badRequest("invalid resource version: " + unreadable.getMessage());
    }
  }

  /**
   * Returns the resourceVersion; -1 if absent.
   *
   * @throws StatusException if it is not a version
   */
  public long getVersion() throws StatusException {
    String value = getText("resourceVersion");
    if (value.isEmpty()) {
      return -1;
    }
    if (!value.matches("\\d{1,18}")) {
      String detail = value.matches("\\d+") ? "value out of range" : "invalid syntax";
      throw StatusException.internalErrorWithoutReason(
          "resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": %s"
              .formatted(value, value, detail));
    }
    return Long.parseLong(value);
  }

  public List<String> getFieldTerms() {
    return List.of(getText("fieldSelector").split("(?<!\\\\),"));
  }

  /** Returns the name that the field selector requires; "" if it does not require one. */
  public String findExactName() {
    for (String term : getFieldTerms()) {
      if (term.startsWith("metadata.name=")) {
        String value = term.substring("metadata.name=".length());
        return value.startsWith("=") ? value.substring(1) : value;
      }
    }
    return "";
  }
}
