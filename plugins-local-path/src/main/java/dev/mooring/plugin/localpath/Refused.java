package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRefused;

/**
 * Something cannot be as it was asked for; the message says what, with its value and the remedy.
 */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  Refused(String why) {
    super(why);
  }

  /** A path is none. */
  Refused(PathRefused path) {
    super(path.why(), path);
  }

  /** The message, which is always there. */
  String why() {
    return String.valueOf(getMessage());
  }
}
