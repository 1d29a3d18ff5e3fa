package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRejectedException;

final class InvalidInputException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidInputException(String reason) {
    super(reason);
  }

  InvalidInputException(PathRejectedException path) {
    super(path.reason(), path);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
