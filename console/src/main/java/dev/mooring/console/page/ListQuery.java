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
 * Filter, order and page number of a list.
 *
 * @param text substring of names, case-insensitive; "" for all
 * @param namespace "" for all
 * @param waiting whether to list waiting objects only
 * @param reason reason code; "" for all
 * @param cause token of a group of waiting objects; "" for all
 * @param sort token of a column, with the prefix "-" for descending order; "" for the default order
 * @param page page number, from 1
 */
public record ListQuery(
    String text,
    String namespace,
    boolean isWaitingOnly,
    String reason,
    String cause,
    String sort,
    int page) {
  private static final int MAX_LENGTH = 253;
  private static final int MAX_DIGITS = 6;
  private static final String DESCENDING = "-";

  public static final ListQuery ALL = new ListQuery("", "", false, "", "", "", 1);

  public static ListQuery of(String rawQuery) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : rawQuery.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
      }
    }
    String page = parameters.getOrDefault("page", "1");
    return new ListQuery(
        parameters.getOrDefault("q", ""),
        parameters.getOrDefault("namespace", ""),
        parameters.containsKey("waiting"),
        parameters.getOrDefault("reason", ""),
        parameters.getOrDefault("cause", ""),
        parameters.getOrDefault("sort", ""),
        page.matches("[1-9][0-9]*") && page.length() <= MAX_DIGITS ? Integer.parseInt(page) : 1);
  }

  private static String decode(String value) {
    try {
      String text = URLDecoder.decode(value, StandardCharsets.UTF_8).strip();
      return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) : text;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  ListQuery atPage(int newPage) {
    return new ListQuery(text, namespace, isWaitingOnly, reason, cause, sort, newPage);
  }

  ListQuery sortedBy(String column) {
    return new ListQuery(
        text,
        namespace,
        isWaitingOnly,
        reason,
        cause,
        sort.equals(column) ? DESCENDING + column : column,
        1);
  }

  String sortColumn() {
    return isDescending() ? sort.substring(DESCENDING.length()) : sort;
  }

  boolean isDescending() {
    return sort.startsWith(DESCENDING);
  }

  boolean isFiltered() {
    return !text.isEmpty()
        || !namespace.isEmpty()
        || isWaitingOnly
        || !reason.isEmpty()
        || !cause.isEmpty();
  }

  String address() {
    List<String> pairs = new ArrayList<>();
    addPair(pairs, "q", text);
    addPair(pairs, "namespace", namespace);
    addPair(pairs, "waiting", isWaitingOnly ? "1" : "");
    addPair(pairs, "reason", reason);
    addPair(pairs, "cause", cause);
    addPair(pairs, "sort", sort);
    addPair(pairs, "page", page > 1 ? Integer.toString(page) : "");
    return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
  }

  private static void addPair(List<String> pairs, String name, String value) {
    if (!value.isEmpty()) {
      pairs.add(name + "=" + ConsoleSection.encode(value));
    }
  }

  boolean isInNamespace(ObjectKey key) {
    return namespace.isEmpty() || key.namespace().equals(namespace);
  }

  boolean hasText(String searchText) {
    return text.isEmpty()
        || searchText.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  boolean hasReason(List<Explanation> explanations) {
    return reason.isEmpty()
        ? !isWaitingOnly || !explanations.isEmpty()
        : explanations.stream().anyMatch(e -> e.cause().code().equals(reason));
  }
}
