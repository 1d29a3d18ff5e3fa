package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.SecretTemplate;
import dev.mooring.model.SecretTemplate.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Parameters of a StorageClass: those for the driver and those with the reserved prefix
 * (spec/csi-bridge.md 5.1, 5.2).
 */
public final class ClassParameters {
  public static final String RESERVED_PREFIX = "csi.storage.k8s.io/";

  private static final String FS_TYPE = RESERVED_PREFIX + "fstype";
  private static final String OLD_FS_TYPE = "fstype";
  private static final String ANNOTATION = "pvc.annotations";

  public enum Purpose {
    DEFAULT("secret", ""),
    PROVISION("provisioner-secret", "csiProvisionerSecret"),
    CONTROLLER_PUBLISH("controller-publish-secret", "csiControllerPublishSecret"),
    NODE_STAGE("node-stage-secret", "csiNodeStageSecret"),
    NODE_PUBLISH("node-publish-secret", "csiNodePublishSecret"),
    CONTROLLER_EXPAND("controller-expand-secret", ""),
    NODE_EXPAND("node-expand-secret", ""),
    CONTROLLER_MODIFY("controller-modify-secret", "");

    private final String key;
    private final String old;

    Purpose(String key, String old) {
      this.key = key;
      this.old = old;
    }

    String nameKey() {
      return RESERVED_PREFIX + key + "-name";
    }

    String namespaceKey() {
      return RESERVED_PREFIX + key + "-namespace";
    }

    Optional<String> oldNameKey() {
      return old.isEmpty() ? Optional.empty() : Optional.of(old + "Name");
    }

    Optional<String> oldNamespaceKey() {
      return old.isEmpty() ? Optional.empty() : Optional.of(old + "Namespace");
    }
  }

  private final Map<String, String> all;

  public ClassParameters(Map<String, String> all) {
    this.all = Map.copyOf(all);
  }

  /**
   * Returns the parameters for CreateVolume: all without the reserved prefix. Deprecated names of
   * reserved parameters are passed on, as in external-provisioner.
   */
  public CheckResult<Map<String, String>> forDriver() {
    Map<String, String> parameters = new HashMap<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(all).entrySet()) {
      String key = entry.getKey();
      if (key.startsWith(RESERVED_PREFIX)) {
        if (!isKnown(key)) {
          return new CheckResult.Invalid<>(
              "found unknown parameter key \"%s\" with reserved namespace %s"
                  .formatted(key, RESERVED_PREFIX));
        }
      } else {
        parameters.put(key, entry.getValue());
      }
    }
    return new CheckResult.Valid<>(Map.copyOf(parameters));
  }

  private static boolean isKnown(String key) {
    for (Purpose purpose : Purpose.values()) {
      if (key.equals(purpose.nameKey()) || key.equals(purpose.namespaceKey())) {
        return true;
      }
    }
    return key.equals(FS_TYPE);
  }

  public Map<String, String> deprecated() {
    Map<String, String> found = new TreeMap<>();
    all.keySet().stream()
        .filter(key -> key.equalsIgnoreCase(OLD_FS_TYPE))
        .forEach(key -> found.put(key, FS_TYPE));
    for (Purpose purpose : Purpose.values()) {
      purpose.oldNameKey().filter(all::containsKey).ifPresent(k -> found.put(k, purpose.nameKey()));
      purpose
          .oldNamespaceKey()
          .filter(all::containsKey)
          .ifPresent(k -> found.put(k, purpose.namespaceKey()));
    }
    return found;
  }

  public CheckResult<String> fsType(String fallback) {
    List<String> found = new ArrayList<>();
    all.forEach((key, value) -> {
      if (key.equals(FS_TYPE) || key.equalsIgnoreCase(OLD_FS_TYPE)) {
        found.add(value);
      }
    });
    return switch (found.size()) {
      case 0 -> new CheckResult.Valid<>(fallback);
      case 1 -> new CheckResult.Valid<>(found.getFirst().isEmpty() ? fallback : found.getFirst());
      default ->
          new CheckResult.Invalid<>(
              "the class sets the file system twice, by fstype and "
                  + FS_TYPE
                  + ": keep the latter");
    };
  }

  /**
   * Returns the Secret for a purpose, falling back to the default Secret; empty if the class names
   * neither. Resolves templates with the volume name and the claim.
   */
  public CheckResult<Optional<SecretRef>> secret(Purpose purpose, String volumeName, Claim claim) {
    return named(purpose)
        .then(own ->
            own.isPresent() || purpose == Purpose.DEFAULT
                ? new CheckResult.Valid<>(own)
                : named(Purpose.DEFAULT))
        .then(template ->
            template.isEmpty()
                ? new CheckResult.Valid<>(Optional.<SecretRef>empty())
                : resolve(template.get(), volumeName, claim));
  }

  private CheckResult<Optional<SecretRef>> named(Purpose purpose) {
    return value(purpose.nameKey(), purpose.oldNameKey())
        .then(name ->
            value(purpose.namespaceKey(), purpose.oldNamespaceKey())
                .then(namespace -> {
                  if (name.isPresent() != namespace.isPresent()) {
                    return new CheckResult.Invalid<>(
                        "either name and namespace for "
                            + purpose.key
                            + " secrets specified, or none: the class has only one of them");
                  }
                  return new CheckResult.Valid<>(
                      name.map(n -> new SecretRef(namespace.orElseThrow(), n)));
                }));
  }

  private CheckResult<Optional<String>> value(String key, Optional<String> old) {
    boolean hasOld = old.isPresent() && all.containsKey(old.get());
    if (all.containsKey(key) && hasOld) {
      return new CheckResult.Invalid<>(
          "the class has both " + key + " and the older " + old.get() + ": keep the former");
    }
    String value = hasOld ? all.get(old.get()) : all.get(key);
    return value != null && value.isEmpty()
        ? new CheckResult.Invalid<>(
            "the class's parameter " + (hasOld ? old.get() : key) + " is empty")
        : new CheckResult.Valid<>(Optional.ofNullable(value));
  }

  private static CheckResult<Optional<SecretRef>> resolve(
      SecretRef template, String volumeName, Claim claim) {
    ObjectKey key = claim.key();
    // a claim's annotations never choose the namespace: its author may not read other namespaces
    Map<String, String> forNamespace =
        Map.of("pv.name", volumeName, "pvc.namespace", key.namespace());
    Map<String, String> forName = new HashMap<>(forNamespace);
    forName.put("pvc.name", key.name());
    claim
        .meta()
        .annotations()
        .forEach((name, value) -> forName.put(ANNOTATION + "['" + name + "']", value));
    return filled(template.namespace(), forNamespace, Form.NAMESPACE)
        .then(namespace ->
            filled(template.name(), forName, Form.NAME)
                .then(
                    name -> new CheckResult.Valid<>(Optional.of(new SecretRef(namespace, name)))));
  }

  public boolean readsAnnotations() {
    return all.entrySet().stream()
        .anyMatch(
            entry -> isOfCredentials(entry.getKey()) && entry.getValue().contains(ANNOTATION));
  }

  private static boolean isOfCredentials(String key) {
    return Arrays.stream(Purpose.values())
        .anyMatch(purpose ->
            key.equals(purpose.nameKey()) || purpose.oldNameKey().filter(key::equals).isPresent());
  }

  private static CheckResult<String> filled(
      String template, Map<String, String> tokens, Form form) {
    SecretTemplate.ResolvedTemplate filled = SecretTemplate.fill(template, tokens, form);
    return filled.flaw().isEmpty()
        ? new CheckResult.Valid<>(filled.text())
        : new CheckResult.Invalid<>(filled.flaw());
  }
}
