package dev.mooring.dist.image;

import java.io.IOException;

/**
 * Thrown if the JDK or the root file system that a user names cannot be used. The message names the
 * remedy.
 */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
