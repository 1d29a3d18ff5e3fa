package dev.mooring.plugin.nfs;

final class DirectoryInUseException extends Exception {
  private static final long serialVersionUID = 1L;

  DirectoryInUseException(String reason) {
    super(reason);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
