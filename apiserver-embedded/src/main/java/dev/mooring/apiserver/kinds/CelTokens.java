package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.kinds.Cel.CelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A rule's words, taken one after another. A string begins with a quote and has no other end. */
final class CelTokens {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(\\d+\\.\\d+|\\d+)|r?\"((?:[^\"\\\\]|\\\\.)*)\"|r?'((?:[^'\\\\]|\\\\.)*)'|([A-Za-z_][A-Za-z_0-9]*)|(==|!=|<=|>=|&&|\\|\\||[-+*/%<>!?:.,()\\[\\]{}]))");

  private final List<String> all = new ArrayList<>();
  private int at;

  CelTokens(String rule) {
    Matcher m = TOKEN.matcher(rule);
    int end = 0;
    while (end < rule.length() && m.find(end) && m.start() == end) {
      all.add(token(m));
      end = m.end();
    }
    if (!rule.substring(end).isBlank()) {
      throw new CelException(
          "Syntax error: token recognition error at: '" + rule.substring(end) + "'");
    }
  }

  private static String token(Matcher m) {
    for (int text = 2; text <= 3; text++) {
      if (m.group(text) != null) {
        return "\"" + m.group(text).replace("\\\\", "\\").replace("\\\"", "\"").replace("\\'", "'");
      }
    }
    String plain = m.group(1) != null ? m.group(1) : m.group(4) != null ? m.group(4) : m.group(5);
    return Objects.requireNonNull(plain);
  }

  /** How many were taken. */
  int taken() {
    return at;
  }

  /** Those that were taken from there up to that one. */
  List<String> between(int from, int to) {
    return all.subList(from, to);
  }

  boolean isOver() {
    return at >= all.size();
  }

  /** The next one, which stays; "" at the end. */
  String peek() {
    return isOver() ? "" : all.get(at);
  }

  /** The next one. */
  String next() {
    if (isOver()) {
      throw new CelException("Syntax error: mismatched input '<EOF>'");
    }
    return all.get(at++);
  }

  /** Takes that one, if it is the next. */
  boolean take(String token) {
    if (!isOver() && all.get(at).equals(token)) {
      at++;
      return true;
    }
    return false;
  }

  /** Takes that one, which has to be the next. */
  void need(String token) {
    if (!take(token)) {
      throw new CelException("Syntax error: missing '" + token + "'");
    }
  }
}
