package dev.mooring.dist.image;

import java.io.IOException;

/** What was named cannot be used; the message is for who named it. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
