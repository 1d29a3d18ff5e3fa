package dev.mooring.manager.plugin;

/** Exceptions, for people. */
final class RootCause {
  private RootCause() {}

  /** The root of it, on one line. */
  static String line(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return root.getClass().getSimpleName()
        + (message == null ? "" : ": " + message.lines().findFirst().orElse(""));
  }
}
