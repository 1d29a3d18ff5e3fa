package dev.mooring.snapshots.decide;

import dev.mooring.snapshots.decide.CommonStep.Report;
import java.util.List;

/** How a snapshot, or a group of them, is called in fields, reasons and sentences. */
public enum Words {
  /** VolumeSnapshot, and so on. */
  SNAPSHOT("", "snapshot"),
  /** VolumeGroupSnapshot, and so on. */
  GROUP("Group", "group snapshot");

  private final String infix;
  private final String noun;

  Words(String infix, String noun) {
    this.infix = infix;
    this.noun = noun;
  }

  /** For people. */
  public String noun() {
    return noun;
  }

  /** {@code Snapshot} or {@code GroupSnapshot}, as reasons have it. */
  public String object() {
    return infix + "Snapshot";
  }

  /** {@code Content} or {@code GroupContent}, as reasons have it. */
  public String content() {
    return infix + "Content";
  }

  private String contentKind() {
    return "Volume" + object() + "Content";
  }

  Report missing() {
    return new Report(object() + "ContentMissing", contentKind() + " is missing", true);
  }

  Report misbound(String content) {
    return new Report(
        object() + "ContentMisbound",
        contentKind() + " [" + content + "] is bound to a different " + noun,
        true);
  }

  Report beingDeleted(String content) {
    return new Report(
        object() + "ContentMisbound",
        contentKind()
            + " ["
            + content
            + "] is being deleted; create a new content for the handle to keep its data",
        true);
  }

  Report notBound() {
    return new Report(
        object() + "Misbound",
        contentKind() + " is not bound to the Volume" + object() + " correctly",
        true);
  }

  Report isToBeMade() {
    return new Report(
        object() + "ContentMismatch",
        contentKind() + " is dynamically provisioned while expecting a pre-provisioned one",
        true);
  }

  Report wasThereBefore(String content) {
    return new Report(
        object() + "ContentMismatch",
        contentKind()
            + " "
            + content
            + " is pre-provisioned while expecting a dynamically provisioned one",
        true);
  }

  Report noDefault(String why) {
    return new Report(
        "SetDefault" + object() + "ClassFailed",
        "Failed to set default " + noun + " class with error " + why,
        false);
  }

  /** The class by default, if it is one of these. */
  CommonStep byDefault(List<String> classes) {
    return switch (classes.size()) {
      case 0 -> noDefault("cannot find default " + noun + " class");
      case 1 -> new CommonStep.SetClass(classes.getFirst());
      default -> noDefault(classes.size() + " default snapshot classes were found");
    };
  }
}
