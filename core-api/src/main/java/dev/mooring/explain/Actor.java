package dev.mooring.explain;

import java.util.Locale;

/** Who does the next step. */
public enum Actor {
  /** One of Kubernetes' volume controllers, or Mooring in its place. */
  CONTROLLER("the volume controller"),
  /** The scheduler. */
  SCHEDULER("the scheduler"),
  /** The kubelet of a node. */
  KUBELET("the kubelet"),
  /** An external provisioner. */
  PROVISIONER("the provisioner"),
  /** A storage driver, or what runs beside it: its attacher, its resizer. */
  DRIVER("the storage driver"),
  /** A person: nothing happens before somebody has changed something. */
  PERSON("a person"),
  /** Nobody: there is nothing to be done. */
  NOBODY("nobody");

  private final String words;

  Actor(String words) {
    this.words = words;
  }

  /** For people. */
  public String words() {
    return words;
  }

  /** The stable token of the formats that programs read: the name in lower case. */
  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }
}
