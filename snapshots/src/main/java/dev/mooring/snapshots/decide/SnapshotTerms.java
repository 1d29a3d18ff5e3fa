package dev.mooring.snapshots.decide;

import dev.mooring.snapshots.decide.CommonStep.ReportError;
import java.util.List;

/** Names of snapshots and group snapshots in fields, event reasons and messages. */
public enum SnapshotTerms {
  SNAPSHOT("", "snapshot"),
  GROUP("Group", "group snapshot");

  private final String infix;
  private final String noun;

  SnapshotTerms(String infix, String noun) {
    this.infix = infix;
    this.noun = noun;
  }

  public String noun() {
    return noun;
  }

  public String object() {
    return infix + "Snapshot";
  }

  public String content() {
    return infix + "Content";
  }

  private String contentKind() {
    return "Volume" + object() + "Content";
  }

  ReportError missing() {
    return new ReportError(object() + "ContentMissing", contentKind() + " is missing", true);
  }

  ReportError misbound(String content) {
    return new ReportError(
        object() + "ContentMisbound",
        contentKind() + " [" + content + "] is bound to a different " + noun,
        true);
  }

  ReportError beingDeleted(String content) {
    return new ReportError(
        object() + "ContentMisbound",
        "%s [%s] is being deleted; create a new content for the handle to keep its data"
            .formatted(contentKind(), content),
        true);
  }

  ReportError notBound() {
    return new ReportError(
        object() + "Misbound",
        contentKind() + " is not bound to the Volume" + object() + " correctly",
        true);
  }

  ReportError dynamicContent() {
    return new ReportError(
        object() + "ContentMismatch",
        contentKind() + " is dynamically provisioned while expecting a pre-provisioned one",
        true);
  }

  ReportError preProvisionedContent(String content) {
    return new ReportError(
        object() + "ContentMismatch",
        "%s %s is pre-provisioned while expecting a dynamically provisioned one"
            .formatted(contentKind(), content),
        true);
  }

  ReportError noDefault(String why) {
    return new ReportError(
        "SetDefault" + object() + "ClassFailed",
        "Failed to set default " + noun + " class with error " + why,
        false);
  }

  // Returns the step that sets the default class, if exactly one class is a default.
  CommonStep setDefault(List<String> classes) {
    return switch (classes.size()) {
      case 0 -> noDefault("cannot find default " + noun + " class");
      case 1 -> new CommonStep.SetClass(classes.getFirst());
      default -> noDefault(classes.size() + " default snapshot classes were found");
    };
  }
}
