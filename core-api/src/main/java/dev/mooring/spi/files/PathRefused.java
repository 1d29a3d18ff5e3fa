package dev.mooring.spi.files;

/**
 * A text cannot be a path below a root. It will not be one at the next try either: a plugin answers
 * with {@code Attempt.rejected(e.why())}.
 */
public final class PathRefused extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 60;

  /**
   * With a message of the caller's own.
   *
   * @param why what is refused, with its value and the remedy
   */
  public PathRefused(String why) {
    super(why);
  }

  /**
   * With a message as {@link RelativePath} gives it: {@code the directory "TEXT" WHY}. Of a text of
   * more than 60 characters the first 60 are shown; one that is not to be printed is shown as
   * U+FFFD.
   *
   * @param text what is refused, whatever is in it
   * @param why how the sentence goes on
   */
  public static PathRefused of(String text, String why) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN)
        .forEach(c -> shown.appendCodePoint(RelativePath.isPlain(c) ? c : '\uFFFD'));
    String rest = text.codePointCount(0, text.length()) > SHOWN ? "..." : "";
    return new PathRefused("the directory \"" + shown + rest + "\" " + why);
  }

  /** The message, which is always there. */
  public String why() {
    return String.valueOf(getMessage());
  }
}
