package dev.mooring.kube;

final class ImpossibleNameException extends Exception {
  private static final long serialVersionUID = 1L;

  ImpossibleNameException(String message) {
    super(message);
  }

  String flaw() {
    return String.valueOf(getMessage());
  }
}
