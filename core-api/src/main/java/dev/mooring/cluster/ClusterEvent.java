package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.text.PlainText;

/**
 * Something worth telling the owner of an object.
 *
 * @param kind the object's kind
 * @param about the object
 * @param type Normal or Warning
 * @param reason why, in one CamelCase word; runbooks match on it
 * @param action what was being done, in one CamelCase word
 * @param note for people; cut to 1024 bytes
 * @param reporter the reporting controller's name
 */
public record ClusterEvent(
    Kind<?> kind,
    Meta about,
    Type type,
    String reason,
    String action,
    String note,
    String reporter) {
  /** Drivers and tenants write parts of notes: what steers a terminal or hides is replaced. */
  public ClusterEvent {
    note = PlainText.of(note);
  }

  /** How much it matters. */
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
