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
    PLUGIN("Plugin"),
    DRIVER("CSI driver");

    private final String title;

    ExtensionType(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  public enum Condition {
    WORKING("works", "working"),
    UNCONFIGURED("unconfigured", "not configured"),
    FAILING("failing", "not available");

    private final String token;
    private final String text;

    Condition(String token, String text) {
      this.token = token;
      this.text = text;
    }

    public String token() {
      return token;
    }

    public String text() {
      return text;
    }
  }

  /**
   * Health of an extension.
   *
   * @param state condition in one or two words
   * @param detail cause and remedy if the extension does not work; "" for none
   * @param faults failed calls that are the extension's fault: a plugin threw, a driver returned an
   *     error
   * @param hanging calls that ignored an interrupt and are still running
   */
  public record Health(Condition condition, String state, String detail, long faults, int hanging) {
    public boolean isWorking() {
      return condition == Condition.WORKING;
    }

    public String describe() {
      return detail.isEmpty() ? state : state + ": " + detail;
    }
  }
}
