package dev.mooring.console.page;

import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Explanation;
import dev.mooring.model.ObjectKey;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Filter and page number of a list.
 *
 * @param text substring of names, case-insensitive; "" for all
 * @param namespace "" for all
 * @param waiting whether to list waiting objects only
 * @param reason reason code; "" for all
 * @param page page number, from 1
 */
public record ListQuery(String text, String namespace, boolean waiting, String reason, int page) {
  private static final int LONGEST = 253;
  private static final int DIGITS = 6;

  public static final ListQuery ALL = new ListQuery("", "", false, "", 1);

  public static ListQuery of(String raw) {
    Map<String, String> given = new HashMap<>();
    for (String pair : raw.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        given.put(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
      }
    }
    String page = given.getOrDefault("page", "1");
    return new ListQuery(
        given.getOrDefault("q", ""),
        given.getOrDefault("namespace", ""),
        given.containsKey("waiting"),
        given.getOrDefault("reason", ""),
        page.matches("[1-9][0-9]*") && page.length() <= DIGITS ? Integer.parseInt(page) : 1);
  }

  private static String decoded(String value) {
    try {
      String text = URLDecoder.decode(value, StandardCharsets.UTF_8).strip();
      return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    } catch (IllegalArgumentException strange) {
      return "";
    }
  }

  ListQuery at(int other) {
    return new ListQuery(text, namespace, waiting, reason, other);
  }

  String address() {
    List<String> parts = new ArrayList<>();
    put(parts, "q", text);
    put(parts, "namespace", namespace);
    put(parts, "waiting", waiting ? "1" : "");
    put(parts, "reason", reason);
    put(parts, "page", page > 1 ? Integer.toString(page) : "");
    return parts.isEmpty() ? "" : "?" + String.join("&", parts);
  }

  private static void put(List<String> parts, String name, String value) {
    if (!value.isEmpty()) {
      parts.add(name + "=" + ConsoleSection.encoded(value));
    }
  }

  boolean isIn(ObjectKey key) {
    return namespace.isEmpty() || key.namespace().equals(namespace);
  }

  boolean finds(String searched) {
    return text.isEmpty()
        || searched.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  boolean wants(List<Explanation> why) {
    return reason.isEmpty()
        ? !waiting || !why.isEmpty()
        : why.stream().anyMatch(e -> e.cause().code().equals(reason));
  }
}
