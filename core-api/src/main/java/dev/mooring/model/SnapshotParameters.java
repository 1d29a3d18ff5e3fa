package dev.mooring.model;

import dev.mooring.model.SecretTemplate.Filled;
import dev.mooring.model.SecretTemplate.Form;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parameters of a VolumeSnapshotClass or VolumeGroupSnapshotClass: what the driver is told, and
 * which Secrets hold credentials. The names are external-snapshotter's. Pure; never throws for any
 * content.
 */
public final class SnapshotParameters {
  private static final String OURS = "csi.storage.k8s.io/";

  /** What credentials are for: the keys that name them. */
  public enum Purpose {
    /** Making and deleting snapshots. */
    SNAPSHOTTER("snapshotter-secret", "volumesnapshot"),
    /** Looking for one. */
    LIST("snapshotter-list-secret", "volumesnapshot"),
    /** Making and deleting groups of them. */
    GROUP("group-snapshotter-secret", "volumegroupsnapshot"),
    /** Looking for a group. */
    GROUP_GET("group-snapshotter-get-secret", "volumegroupsnapshot");

    private final String key;
    private final String token;

    Purpose(String key, String token) {
      this.key = key;
      this.token = token;
    }

    private String nameKey() {
      return OURS + key + "-name";
    }

    private String namespaceKey() {
      return OURS + key + "-namespace";
    }
  }

  /**
   * What the driver is told.
   *
   * @param parameters by name; empty where there is a flaw
   * @param flaw why it cannot be told anything, for people; "" for no flaw
   */
  public record DriverParameters(Map<String, String> parameters, String flaw) {}

  /**
   * Where credentials are.
   *
   * @param namespace the Secret's, "" for no credentials
   * @param name the Secret's, "" for no credentials
   * @param flaw why that cannot be said, for people; "" for no flaw
   */
  public record Secret(String namespace, String name, String flaw) {
    private static final Secret NONE = new Secret("", "", "");

    private static Secret flawed(String flaw) {
      return new Secret("", "", flaw);
    }

    /** Whether no credentials are needed. */
    public boolean isNone() {
      return name.isEmpty();
    }
  }

  private SnapshotParameters() {}

  /** What the driver is told: everything that is not ours. */
  public static DriverParameters forDriver(Map<String, String> parameters) {
    Map<String, String> told = new HashMap<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(parameters).entrySet()) {
      if (!entry.getKey().startsWith(OURS)) {
        told.put(entry.getKey(), entry.getValue());
      } else if (!isKnown(entry.getKey())) {
        return new DriverParameters(
            Map.of(),
            "found unknown parameter key \""
                + entry.getKey()
                + "\" with reserved namespace "
                + OURS);
      }
    }
    return new DriverParameters(Map.copyOf(told), "");
  }

  private static boolean isKnown(String key) {
    for (Purpose purpose : Purpose.values()) {
      if (key.equals(purpose.nameKey()) || key.equals(purpose.namespaceKey())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Where the credentials for a purpose are.
   *
   * @param content the name of the content, of a snapshot or of a group, for templates
   * @param snapshot the snapshot or group, for templates; empty where it may not be there any more
   */
  public static Secret secret(
      Map<String, String> parameters,
      Purpose purpose,
      String content,
      Optional<ObjectKey> snapshot) {
    String name = parameters.get(purpose.nameKey());
    String namespace = parameters.get(purpose.namespaceKey());
    if (name == null && namespace == null) {
      return Secret.NONE;
    }
    if (name == null || namespace == null || name.isEmpty() || namespace.isEmpty()) {
      return Secret.flawed(
          "either name and namespace for "
              + purpose.key
              + " specified, or none: the class has only one of them");
    }
    // what a user chooses, the snapshot's name, never chooses the namespace
    Map<String, String> tokens = new HashMap<>(Map.of(purpose.token + "content.name", content));
    snapshot.ifPresent(key -> tokens.put(purpose.token + ".namespace", key.namespace()));
    Filled where = SecretTemplate.fill(namespace, tokens, Form.NAMESPACE);
    snapshot.ifPresent(key -> tokens.put(purpose.token + ".name", key.name()));
    Filled what = SecretTemplate.fill(name, tokens, Form.NAME);
    if (!where.flaw().isEmpty() || !what.flaw().isEmpty()) {
      return Secret.flawed(where.flaw().isEmpty() ? what.flaw() : where.flaw());
    }
    return new Secret(where.text(), what.text(), "");
  }
}
