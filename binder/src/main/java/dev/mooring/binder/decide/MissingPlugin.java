package dev.mooring.binder.decide;

import dev.mooring.model.VolumeSource;

/**
 * Kubernetes' messages for a missing plugin (the volume plugin manager's words; they appear in a
 * volume's status). Its NFS plugin can only recycle: for NFS the capability is missing, not the
 * plugin.
 */
public final class MissingPlugin {
  private static final String NFS_PLUGIN = "kubernetes.io/nfs";

  public enum PluginRole {
    PROVISIONABLE,
    DELETABLE;

    public String message() {
      return "no "
          + switch (this) {
            case PROVISIONABLE -> "provisionable";
            case DELETABLE -> "deletable";
          }
          + " volume plugin matched";
    }
  }

  private MissingPlugin() {}

  public static String messageForName(String name, PluginRole role) {
    return name.equals(NFS_PLUGIN) ? role.message() : "no volume plugin matched name: " + name;
  }

  public static String messageForSource(VolumeSource source, PluginRole role) {
    return source.type().equals("nfs") ? role.message() : "no volume plugin matched";
  }
}
