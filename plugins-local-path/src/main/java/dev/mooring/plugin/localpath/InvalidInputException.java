package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRefused;

/**
 * Thrown if a request or setting is invalid. The message contains the subject, its value and the
 * remedy.
 */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  Refused(String why) {
    super(why);
  }

  Refused(PathRefused path) {
    super(path.why(), path);
  }

  /** Returns the message; never null. */
  String why() {
    return String.valueOf(getMessage());
  }
}
