package dev.mooring.dist.image;

import java.io.IOException;

/** Thrown if a given JDK or root is unusable; the message is for the user. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
