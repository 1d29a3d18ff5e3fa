package dev.mooring.manager.plugin;

final class RootCause {
  private RootCause() {}

  static String refusal(Throwable e) {
    String message = e instanceof IllegalArgumentException ? e.getMessage() : null;
    return message == null ? line(e) : message.lines().findFirst().orElse("");
  }

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
