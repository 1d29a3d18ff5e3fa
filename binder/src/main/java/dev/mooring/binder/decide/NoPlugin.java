package dev.mooring.binder.decide;

import dev.mooring.model.VolumeSource;

/**
 * What Kubernetes says when it has no plugin for a role (its volume plugin manager's words; they
 * stand in a volume's status). Its NFS plugin can recycle and nothing else: where NFS is asked for,
 * not the plugin is missing but the role.
 */
public final class NoPlugin {
  private static final String RECYCLES_ONLY = "kubernetes.io/nfs";

  /** What a plugin may be asked for. */
  public enum Role {
    /** Making volumes. */
    PROVISIONABLE,
    /** Destroying them. */
    DELETABLE;

    /** A plugin is there, and cannot do this. */
    public String missing() {
      return "no "
          + switch (this) {
            case PROVISIONABLE -> "provisionable";
            case DELETABLE -> "deletable";
          }
          + " volume plugin matched";
    }
  }

  private NoPlugin() {}

  /** No plugin of that name is there. */
  public static String named(String name, Role role) {
    return name.equals(RECYCLES_ONLY) ? role.missing() : "no volume plugin matched name: " + name;
  }

  /** No plugin says that such volumes are its own. */
  public static String supporting(VolumeSource source, Role role) {
    return source.type().equals("nfs") ? role.missing() : "no volume plugin matched";
  }
}
