package dev.mooring.kube.auth;

import java.io.IOException;

/** No usable credentials. The message is one line with source and problem, without secrets. */
public final class CredentialsException extends IOException {
  private static final long serialVersionUID = 1L;

  public CredentialsException(String message) {
    super(message);
  }
}
