package dev.mooring.console.view;

import java.util.List;

/**
 * Plugin or CSI driver that serves storage for this process.
 *
 * @param version self-reported version; "" if unknown
 * @param from source: a plugin's jar, a driver's endpoint
 * @param abilities supported operations
 */
public record StorageExtension(
    ExtensionType type,
    String name,
    String version,
    String from,
    List<String> abilities,
    Health health) {
  public StorageExtension {
    abilities = List.copyOf(abilities);
  }

  public enum ExtensionType {
    PLUGIN,
    DRIVER
  }

  /**
   * Health of an extension.
   *
   * @param works whether it receives calls
   * @param state short description
   * @param faults failed calls that are the extension's fault: a plugin threw, a driver returned an
   *     error
   * @param hanging calls that ignored an interrupt and are still running
   */
  public record Health(boolean isWorking, String state, long faults, int hanging) {}
}
