package dev.mooring.it.language;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Phrases and Javadoc openers that make a sentence hard to read. */
final class Dialect {
  /** Phrases to avoid: name the actor and use the field's terms instead. */
  static final List<String> PHRASES =
      List.of(
          "told",
          "tells of",
          "hears",
          "whoever",
          "nobody",
          "somebody",
          "anew",
          "in vain",
          "looked at",
          "of which",
          "of whom",
          "is said",
          "to be had",
          "at the earliest",
          "not any more",
          "who waits",
          "those who",
          "one that",
          "lets go",
          "goes on",
          "of its own");

  private static final Pattern PHRASE =
      Pattern.compile("\\b(?:" + String.join("|", PHRASES) + ")\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
  private static final Pattern OPENER =
      Pattern.compile(
          "(?:What|Whether|Who|Whom|Whose|Of|It|One|Those|That|How|Where|Why|When|Which|Nobody"
              + "|Whoever|They|There|So|As|If|Only|Not|Nothing)\\b.*");

  private Dialect() {}

  /** Number of words in a text. */
  static int countWords(String text) {
    return (int) WORD.matcher(text).results().count();
  }

  /** Phrases of {@link #PHRASES} that the text contains, in order. */
  static List<String> findPhrases(String text) {
    return PHRASE.matcher(text.replaceAll("\\s+", " ")).results().map(MatchResult::group).toList();
  }

  /** Whether a Javadoc comment starts with neither a verb nor a noun. */
  static boolean hasVagueOpener(String javadoc) {
    return OPENER.matcher(javadoc).matches();
  }
}
