package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRejectedException;

final class InvalidInputException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidInputException(String why) {
    super(why);
  }

  InvalidInputException(PathRejectedException path) {
    super(path.reason(), path);
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
