package dev.mooring.console.view;

import java.util.List;

/**
 * What does the work on storage for this process: a plugin, or a CSI driver.
 *
 * @param sort which of the two
 * @param name its name
 * @param version its version, as it says itself; "" if it does not
 * @param from where it comes from: a plugin's jar, a driver's endpoint
 * @param abilities what it can do
 * @param health how it is
 */
public record Extension(
    Sort sort, String name, String version, String from, List<String> abilities, Health health) {
  public Extension {
    abilities = List.copyOf(abilities);
  }

  /** What it is. */
  public enum Sort {
    /** A jar of the plugin directory, or a plugin in one. */
    PLUGIN,
    /** A CSI driver that this process drives. */
    DRIVER
  }

  /**
   * How it is.
   *
   * @param works whether it is given work
   * @param state that, in a few words
   * @param faults calls that failed through its own fault: a plugin threw, a driver answered with
   *     an error
   * @param hanging calls that do not end although they were interrupted
   */
  public record Health(boolean works, String state, long faults, int hanging) {}
}
