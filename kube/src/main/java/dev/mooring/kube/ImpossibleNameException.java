package dev.mooring.kube;

/** The name is invalid, so no request was sent. The message names the flaw. */
final class ImpossibleNameException extends Exception {
  private static final long serialVersionUID = 1L;

  ImpossibleNameException(String message) {
    super(message);
  }

  String flaw() {
    return String.valueOf(getMessage());
  }
}
