package dev.mooring.it.language;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The prose in a Java source file.
 *
 * @param comments all comments, Javadoc included, without their delimiters
 * @param javadocs the Javadoc comments, without their delimiters
 * @param texts the contents of string literals and text blocks
 */
record JavaText(List<String> comments, List<String> javadocs, List<String> texts) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<comment>//[^\\n]*+|/\\*.*?\\*/)"
              + "|\"\"\"(?<block>[^\\\\]*?(?:\\\\.[^\\\\]*?)*?)\"\"\""
              + "|\"(?<text>(?:\\\\.|[^\"\\\\\\n])*+)\""
              + "|'(?:\\\\.|[^'\\\\\\n])++'",
          Pattern.DOTALL);
  private static final Pattern LINE_START = Pattern.compile("(?m)^\\s*\\*?\\s?");
  private static final Pattern INLINE_TAG = Pattern.compile("\\{@\\w+\\s+([^}]*)}");

  /** Splits a source file; code between comments and literals is dropped. */
  static JavaText parse(String source) {
    List<String> comments = new ArrayList<>();
    List<String> javadocs = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      if (token.group("comment") != null) {
        String prose = extractProse(token.group("comment"));
        comments.add(prose);
        if (token.group().startsWith("/**")) {
          javadocs.add(prose);
        }
      } else if (token.group("block") != null) {
        texts.add(token.group("block"));
      } else if (token.group("text") != null) {
        texts.add(token.group("text"));
      }
    }
    return new JavaText(comments, javadocs, texts);
  }

  private static String extractProse(String comment) {
    String body = comment.replaceAll("^/[*/]+|\\*/$", "");
    String joined = LINE_START.matcher(body).replaceAll(" ");
    return INLINE_TAG.matcher(joined).replaceAll("$1").replaceAll("\\s+", " ").strip();
  }
}
