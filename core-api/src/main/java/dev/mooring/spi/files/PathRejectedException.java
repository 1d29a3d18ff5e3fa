package dev.mooring.spi.files;

/**
 * Thrown for a text that cannot be a path below a root. A retry cannot succeed: a plugin returns
 * {@code Attempt.rejected(e.reason())}.
 */
public final class PathRejectedException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MAX_EXCERPT_LENGTH = 60;

  /**
   * Creates an exception with the caller's message.
   *
   * @param message rejected value, reason and remedy
   */
  public PathRejectedException(String message) {
    super(message);
  }

  /**
   * Creates an exception with the message {@code the directory "TEXT" PROBLEM}, like those of
   * {@link RelativePath}. A text of more than 60 characters is shortened to 60; non-printable
   * characters are shown as U+FFFD.
   *
   * @param text rejected text; may contain any characters
   * @param problem predicate of the message's sentence
   */
  public static PathRejectedException of(String text, String problem) {
    StringBuilder excerpt = new StringBuilder();
    text.codePoints()
        .limit(MAX_EXCERPT_LENGTH)
        .forEach(c -> excerpt.appendCodePoint(RelativePath.isPrintable(c) ? c : '\uFFFD'));
    String ellipsis = text.codePointCount(0, text.length()) > MAX_EXCERPT_LENGTH ? "..." : "";
    return new PathRejectedException("the directory \"" + excerpt + ellipsis + "\" " + problem);
  }

  /** Returns the message; never null. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
