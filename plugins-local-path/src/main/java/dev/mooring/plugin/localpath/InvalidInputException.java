package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRefused;

final class InvalidInputException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidInputException(String why) {
    super(why);
  }

  InvalidInputException(PathRefused path) {
    super(path.why(), path);
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
