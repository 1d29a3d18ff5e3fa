package dev.mooring.manager.plugin;

/** A plugin jar that cannot be used: what, why, and the remedy, on one line. */
public record PluginProblem(String jar, String message) {
  @Override
  public String toString() {
    return "plugin " + jar + ": " + message;
  }
}
