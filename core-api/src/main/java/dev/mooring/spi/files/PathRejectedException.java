package dev.mooring.spi.files;

/**
 * Thrown for a text that cannot be a path below a root. A retry cannot succeed: a plugin returns
 * {@code Attempt.rejected(e.why())}.
 */
public final class PathRejectedException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 60;

  /**
   * Creates an exception with the caller's message.
   *
   * @param why rejected value, reason and remedy
   */
  public PathRejectedException(String why) {
    super(why);
  }

  /**
   * Creates an exception with the message {@code the directory "TEXT" WHY}, like those of {@link
   * RelativePath}. A text of more than 60 characters is shortened to 60; non-printable characters
   * are shown as U+FFFD.
   *
   * @param text rejected text; may contain any characters
   * @param why predicate of the message's sentence
   */
  public static PathRejectedException of(String text, String why) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN)
        .forEach(c -> shown.appendCodePoint(RelativePath.isPlain(c) ? c : '\uFFFD'));
    String ellipsis = text.codePointCount(0, text.length()) > SHOWN ? "..." : "";
    return new PathRejectedException("the directory \"" + shown + ellipsis + "\" " + why);
  }

  /** Returns the message; never null. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
