package dev.mooring.kube.auth;

/**
 * The connection's configuration cannot be used; the message is one line that names the thing, the
 * value and the remedy.
 */
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
