package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRefused;

/**
 * Thrown if a request or setting is invalid. The message contains the subject, its value and the
 * remedy.
 */
final class InvalidInputException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidInputException(String why) {
    super(why);
  }

  InvalidInputException(PathRefused path) {
    super(path.why(), path);
  }

  /** Returns the message; never null. */
  String why() {
    return String.valueOf(getMessage());
  }
}
