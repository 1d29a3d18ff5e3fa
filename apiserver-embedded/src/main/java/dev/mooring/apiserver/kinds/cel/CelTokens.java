package dev.mooring.apiserver.kinds.cel;

import dev.mooring.apiserver.kinds.cel.CelRule.CelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tokens of a rule and a read position. A string token starts with a quote and has no closing
 * quote.
 */
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
      all.add(readToken(m));
      end = m.end();
    }
    if (!rule.substring(end).isBlank()) {
      throw new CelException(
          "Syntax error: token recognition error at: '" + rule.substring(end) + "'");
    }
  }

  private static String readToken(Matcher m) {
    for (int text = 2; text <= 3; text++) {
      if (m.group(text) != null) {
        return "\"" + m.group(text).replace("\\\\", "\\").replace("\\\"", "\"").replace("\\'", "'");
      }
    }
    String plain = m.group(1) != null ? m.group(1) : m.group(4) != null ? m.group(4) : m.group(5);
    return Objects.requireNonNull(plain);
  }

  int getPosition() {
    return at;
  }

  List<String> getTokensBetween(int from, int to) {
    return all.subList(from, to);
  }

  boolean isOver() {
    return at >= all.size();
  }

  /** Returns the next token without consuming it; "" at the end. */
  String peek() {
    return isOver() ? "" : all.get(at);
  }

  String next() {
    if (isOver()) {
      throw new CelException("Syntax error: mismatched input '<EOF>'");
    }
    return all.get(at++);
  }

  boolean take(String token) {
    if (!isOver() && all.get(at).equals(token)) {
      at++;
      return true;
    }
    return false;
  }

  /** Consumes the token, which must be next. */
  void expect(String token) {
    if (!take(token)) {
      throw new CelException("Syntax error: missing '" + token + "'");
    }
  }
}
