package dev.mooring.kube;

/** There is no address for such a name, so nothing was sent. The message says what is wrong. */
final class ImpossibleNameException extends Exception {
  private static final long serialVersionUID = 1L;

  ImpossibleNameException(String message) {
    super(message);
  }

  String flaw() {
    return String.valueOf(getMessage());
  }
}
