package dev.mooring.manager.plugin;

/** Plugin jar that cannot be used. The message is one line with reason and remedy. */
public record PluginProblem(String jar, String message) {
  @Override
  public String toString() {
    return "plugin " + jar + ": " + message;
  }
}
