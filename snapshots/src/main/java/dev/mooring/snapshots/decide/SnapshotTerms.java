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

  public String objectTerm() {
    return infix + "Snapshot";
  }

  public String contentTerm() {
    return infix + "Content";
  }

  private String contentKind() {
    return "Volume" + objectTerm() + "Content";
  }

  ReportError missingContentError() {
    return new ReportError(objectTerm() + "ContentMissing", contentKind() + " is missing", true);
  }

  ReportError misboundContentError(String content) {
    return new ReportError(
        objectTerm() + "ContentMisbound",
        contentKind() + " [" + content + "] is bound to a different " + noun,
        true);
  }

  ReportError deletedContentError(String content) {
    return new ReportError(
        objectTerm() + "ContentMisbound",
        "%s [%s] is being deleted; create a new content for the handle to keep its data"
            .formatted(contentKind(), content),
        true);
  }

  ReportError wrongBindingError() {
    return new ReportError(
        objectTerm() + "Misbound",
        contentKind() + " is not bound to the Volume" + objectTerm() + " correctly",
        true);
  }

  ReportError dynamicContentError() {
    return new ReportError(
        objectTerm() + "ContentMismatch",
        contentKind() + " is dynamically provisioned while expecting a pre-provisioned one",
        true);
  }

  ReportError preProvisionedContentError(String content) {
    return new ReportError(
        objectTerm() + "ContentMismatch",
        "%s %s is pre-provisioned while expecting a dynamically provisioned one"
            .formatted(contentKind(), content),
        true);
  }

  ReportError defaultClassError(String reason) {
    return new ReportError(
        "SetDefault" + objectTerm() + "ClassFailed",
        "Failed to set default " + noun + " class with error " + reason,
        false);
  }

  // Returns the step that sets the default class, if exactly one class is a default.
  CommonStep chooseDefault(List<String> classes) {
    return switch (classes.size()) {
      case 0 -> defaultClassError("cannot find default " + noun + " class");
      case 1 -> new CommonStep.SetClass(classes.getFirst());
      default -> defaultClassError(classes.size() + " default snapshot classes were found");
    };
  }
}
