package dev.mooring.model;

import dev.mooring.model.SecretTemplate.Form;
import dev.mooring.model.SecretTemplate.ResolvedTemplate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Parameters of a VolumeSnapshotClass or VolumeGroupSnapshotClass: parameters for the driver and
 * names of Secrets, with external-snapshotter's keys. Pure functions; never throw.
 */
public final class SnapshotParameters {
  private static final String RESERVED_PREFIX = "csi.storage.k8s.io/";

  public enum Purpose {
    SNAPSHOTTER("snapshotter-secret", "volumesnapshot"),
    LIST("snapshotter-list-secret", "volumesnapshot"),
    GROUP("group-snapshotter-secret", "volumegroupsnapshot"),
    GROUP_GET("group-snapshotter-get-secret", "volumegroupsnapshot");

    private final String key;
    private final String token;

    Purpose(String key, String token) {
      this.key = key;
      this.token = token;
    }

    private String nameKey() {
      return RESERVED_PREFIX + key + "-name";
    }

    private String namespaceKey() {
      return RESERVED_PREFIX + key + "-namespace";
    }
  }

  public record DriverParameters(Map<String, String> parameters, String flaw) {}

  public record Secret(String namespace, String name, String flaw) {
    private static final Secret NONE = new Secret("", "", "");

    private static Secret flawed(String flaw) {
      return new Secret("", "", flaw);
    }

    public boolean isNone() {
      return name.isEmpty();
    }
  }

  private SnapshotParameters() {}

  /** Returns the parameters for the driver: all without external-snapshotter's prefix. */
  public static DriverParameters forDriver(Map<String, String> parameters) {
    Map<String, String> forwarded = new HashMap<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(parameters).entrySet()) {
      if (!entry.getKey().startsWith(RESERVED_PREFIX)) {
        forwarded.put(entry.getKey(), entry.getValue());
      } else if (!isKnown(entry.getKey())) {
        return new DriverParameters(
            Map.of(),
            "found unknown parameter key \"%s\" with reserved namespace %s"
                .formatted(entry.getKey(), RESERVED_PREFIX));
      }
    }
    return new DriverParameters(Map.copyOf(forwarded), "");
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
   * Returns the Secret for a purpose.
   *
   * @param content name of the snapshot's or group's content, for templates
   * @param snapshot snapshot or group, for templates; empty if it may be deleted
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
          "either name and namespace for %s specified, or none: the class has only one of them"
              .formatted(purpose.key));
    }
    // the snapshot's name is chosen by a user and must not determine the namespace
    Map<String, String> tokens = new HashMap<>(Map.of(purpose.token + "content.name", content));
    snapshot.ifPresent(key -> tokens.put(purpose.token + ".namespace", key.namespace()));
    ResolvedTemplate namespaceResult = SecretTemplate.fill(namespace, tokens, Form.NAMESPACE);
    snapshot.ifPresent(key -> tokens.put(purpose.token + ".name", key.name()));
    ResolvedTemplate nameResult = SecretTemplate.fill(name, tokens, Form.NAME);
    if (!namespaceResult.flaw().isEmpty() || !nameResult.flaw().isEmpty()) {
      return Secret.flawed(
          namespaceResult.flaw().isEmpty() ? nameResult.flaw() : namespaceResult.flaw());
    }
    return new Secret(namespaceResult.text(), nameResult.text(), "");
  }
}
