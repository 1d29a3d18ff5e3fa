package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.text.PlainText;

/**
 * Kubernetes event to emit.
 *
 * @param subject metadata of the object
 * @param reason one CamelCase word; runbooks match it
 * @param action the attempted action, one CamelCase word
 * @param note human-readable text; truncated to 1024 bytes
 * @param reporter name of the reporting controller
 */
public record ClusterEvent(
    Kind<?> kind,
    Meta subject,
    Type type,
    String reason,
    String action,
    String note,
    String reporter) {
  /**
   * Replaces control and invisible characters in the note: drivers and tenants write parts of it.
   */
  public ClusterEvent {
    note = PlainText.filter(note);
  }

  public enum Type {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String text;

    Type(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
