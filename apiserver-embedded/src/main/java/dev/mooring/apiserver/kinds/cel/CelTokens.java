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
          "\\s*(?:(\\d+\\.\\d+|\\d+)|r?\"((?:[^\"\\\\]|\\\\.)*+)\"|r?'((?:[^'\\\\]|\\\\.)*+)'|([A-Za-z_][A-Za-z_0-9]*)|(==|!=|<=|>=|&&|\\|\\||[-+*/%<>!?:.,()\\[\\]{}]))");

  private final List<String> tokens = new ArrayList<>();
  private int position;

  CelTokens(String rule) {
    Matcher matcher = TOKEN.matcher(rule);
    int offset = 0;
    while (offset < rule.length() && matcher.find(offset) && matcher.start() == offset) {
      tokens.add(readToken(matcher));
      offset = matcher.end();
    }
    if (!rule.substring(offset).isBlank()) {
      throw new CelException(
          "Syntax error: token recognition error at: '" + rule.substring(offset) + "'");
    }
  }

  private static String readToken(Matcher matcher) {
    for (int group = 2; group <= 3; group++) {
      if (matcher.group(group) != null) {
        return "\""
            + matcher.group(group).replace("\\\\", "\\").replace("\\\"", "\"").replace("\\'", "'");
      }
    }
    String token =
        matcher.group(1) != null
            ? matcher.group(1)
            : matcher.group(4) != null ? matcher.group(4) : matcher.group(5);
    return Objects.requireNonNull(token);
  }

  int getPosition() {
    return position;
  }

  List<String> getTokensBetween(int start, int limit) {
    return tokens.subList(start, limit);
  }

  boolean isAtEnd() {
    return position >= tokens.size();
  }

  /** Returns the next token without consuming it; "" at the end. */
  String peek() {
    return isAtEnd() ? "" : tokens.get(position);
  }

  String next() {
    if (isAtEnd()) {
      throw new CelException("Syntax error: mismatched input '<EOF>'");
    }
    return tokens.get(position++);
  }

  /** Consumes the token if it is the next one. Returns whether it was. */
  boolean consumeIfNext(String token) {
    if (!isAtEnd() && tokens.get(position).equals(token)) {
      position++;
      return true;
    }
    return false;
  }

  /** Consumes the token, which must be next. */
  void expect(String token) {
    if (!consumeIfNext(token)) {
      throw new CelException("Syntax error: missing '" + token + "'");
    }
  }
}
