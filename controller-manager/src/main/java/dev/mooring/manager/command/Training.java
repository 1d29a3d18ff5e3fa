package dev.mooring.manager.command;

/**
 * The run that fills the AOT cache of a distribution. It does what later starts do, and ends by
 * itself.
 */
public final class Training {
  private Training() {}

  /** Whether this is one ({@code -Dmooring.training=true}, set by the launcher). */
  public static boolean isOn() {
    return Boolean.getBoolean("mooring.training");
  }
}
