package dev.mooring.manager.plugin;

/** Exceptions, for people. */
final class RootCause {
  private RootCause() {}

  /**
   * Why something was refused, on one line: what an {@link IllegalArgumentException} says for
   * itself, whose message names the setting and the remedy; else the root of it.
   */
  static String refusal(Throwable e) {
    String own = e instanceof IllegalArgumentException ? e.getMessage() : null;
    return own == null ? line(e) : own.lines().findFirst().orElse("");
  }

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
