package dev.mooring.plugin.localpath;

/**
 * Something cannot be as it was asked for; the message says what, with its value and the remedy.
 */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  Refused(String why) {
    super(why);
  }

  /** The message, which is always there. */
  String why() {
    return String.valueOf(getMessage());
  }
}
