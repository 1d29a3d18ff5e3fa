package dev.mooring.kube.auth;

/** Unusable connection settings. The message is one line with source, value and remedy. */
public final class KubeConfigException extends Exception {
  private final String message;

  public KubeConfigException(String message) {
    super(message);
    this.message = message;
  }

  @Override
  public String getMessage() {
    return message;
  }
}
