package dev.mooring.it.language;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The prose of a Markdown page, without code. */
final class MarkdownText {
  private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern SENTENCE_END =
      Pattern.compile("(?<=[.!?])\\s+|\\n\\s*\\n|\\n(?=\\s*(?:[-*#|]|\\d+\\.))|\\|");

  private MarkdownText() {}

  /** The page without code blocks; code spans count as one word. */
  static String extractProse(String page) {
    return CODE.matcher(FENCE.matcher(page).replaceAll("\n\n")).replaceAll("code");
  }

  /** Word counts of the page's sentences, list items, headings and table cells. */
  static List<Integer> countSentenceWords(String page) {
    return Stream.of(SENTENCE_END.split(extractProse(page)))
        .map(Dialect::countWords)
        .filter(words -> words > 2)
        .toList();
  }
}
