package dev.mooring.console.page;

import dev.mooring.console.view.Section;
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
 * What is asked of a list.
 *
 * @param text what names contain, in any case; "" for anything
 * @param namespace the namespace; "" for all
 * @param waiting whether only what waits is wanted
 * @param reason the reason's code; "" for any
 * @param page which page, from 1
 */
public record Query(String text, String namespace, boolean waiting, String reason, int page) {
  private static final int LONGEST = 253;
  private static final int DIGITS = 6;

  /** Everything, from the beginning. */
  public static final Query ALL = new Query("", "", false, "", 1);

  /** Reads the part of an address after the question mark; what is strange there is left out. */
  public static Query of(String raw) {
    Map<String, String> given = new HashMap<>();
    for (String pair : raw.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        given.put(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
      }
    }
    String page = given.getOrDefault("page", "1");
    return new Query(
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

  Query at(int other) {
    return new Query(text, namespace, waiting, reason, other);
  }

  /** As part of an address, with the question mark; "" for everything. */
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
      parts.add(name + "=" + Section.encoded(value));
    }
  }

  boolean isIn(ObjectKey key) {
    return namespace.isEmpty() || key.namespace().equals(namespace);
  }

  /** Whether that text contains what is searched. */
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
