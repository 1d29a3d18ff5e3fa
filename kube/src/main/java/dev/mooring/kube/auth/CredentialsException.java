package dev.mooring.kube.auth;

import java.io.IOException;

/**
 * There is nothing to show to the server just now. The message is one line that names the thing and
 * what is wrong with it, and no secret.
 */
public final class CredentialsException extends IOException {
  private static final long serialVersionUID = 1L;

  CredentialsException(String message) {
    super(message);
  }
}
