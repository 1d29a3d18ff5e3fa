package dev.mooring.binder.decide;

import dev.mooring.model.VolumeSource;

/**
 * Kubernetes' messages for a missing plugin (the volume plugin manager's words; they appear in a
 * volume's status). Its NFS plugin can only recycle: for NFS the capability is missing, not the
 * plugin.
 */
public final class MissingPlugin {
  private static final String RECYCLES_ONLY = "kubernetes.io/nfs";

  public enum PluginRole {
    PROVISIONABLE,
    DELETABLE;

    public String missing() {
      return "no "
          + switch (this) {
            case PROVISIONABLE -> "provisionable";
            case DELETABLE -> "deletable";
          }
          + " volume plugin matched";
    }
  }

  private MissingPlugin() {}

  public static String named(String name, PluginRole role) {
    return name.equals(RECYCLES_ONLY) ? role.missing() : "no volume plugin matched name: " + name;
  }

  public static String supporting(VolumeSource source, PluginRole role) {
    return source.type().equals("nfs") ? role.missing() : "no volume plugin matched";
  }
}
