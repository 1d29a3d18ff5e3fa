package dev.mooring.explain;

import java.util.Locale;

/** Actor of the next step. */
public enum StepActor {
  /** A Kubernetes volume controller, or Mooring in its place. */
  CONTROLLER("the volume controller"),
  SNAPSHOT_CONTROLLER("the snapshot controller"),
  SCHEDULER("the scheduler"),
  KUBELET("the kubelet"),
  PROVISIONER("the provisioner"),
  /** A storage driver or its sidecars: attacher, resizer. */
  DRIVER("the storage driver"),
  PERSON("a person"),
  NONE("none");

  private final String displayName;

  StepActor(String displayName) {
    this.displayName = displayName;
  }

  public String displayName() {
    return displayName;
  }

  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
