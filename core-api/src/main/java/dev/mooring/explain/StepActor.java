package dev.mooring.explain;

import java.util.Locale;

/** Actor of the next step. */
public enum StepActor {
  /** A Kubernetes volume controller, or Mooring in its place. */
  CONTROLLER("the volume controller"),
  SCHEDULER("the scheduler"),
  KUBELET("the kubelet"),
  PROVISIONER("the provisioner"),
  /** A storage driver or its sidecars: attacher, resizer. */
  DRIVER("the storage driver"),
  PERSON("a person"),
  NONE("none");

  private final String words;

  StepActor(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }

  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
