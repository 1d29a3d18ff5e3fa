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
 * A StorageClass's parameters: what the driver is told, and what is meant for us
 * (spec/csi-bridge.md 5.1, 5.2).
 */
public final class ClassParameters {
  /** What is ours alone begins so. */
  public static final String OURS = "csi.storage.k8s.io/";

  private static final String FS_TYPE = OURS + "fstype";
  private static final String OLD_FS_TYPE = "fstype";
  private static final String ANNOTATION = "pvc.annotations";

  /** What credentials are for: the keys that name them. */
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
      return OURS + key + "-name";
    }

    String namespaceKey() {
      return OURS + key + "-namespace";
    }

    Optional<String> oldNameKey() {
      return old.isEmpty() ? Optional.empty() : Optional.of(old + "Name");
    }

    Optional<String> oldNamespaceKey() {
      return old.isEmpty() ? Optional.empty() : Optional.of(old + "Namespace");
    }
  }

  private final Map<String, String> all;

  /** Those of a class. */
  public ClassParameters(Map<String, String> all) {
    this.all = Map.copyOf(all);
  }

  /**
   * What the driver is told: everything that is not ours, the older names of what is ours among it.
   */
  public Checked<Map<String, String>> forDriver() {
    Map<String, String> told = new HashMap<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(all).entrySet()) {
      String key = entry.getKey();
      if (key.startsWith(OURS)) {
        if (!isKnown(key)) {
          return new Checked.Invalid<>(
              "found unknown parameter key \"" + key + "\" with reserved namespace " + OURS);
        }
      } else {
        told.put(key, entry.getValue());
      }
    }
    return new Checked.Valid<>(Map.copyOf(told));
  }

  private static boolean isKnown(String key) {
    for (Purpose purpose : Purpose.values()) {
      if (key.equals(purpose.nameKey()) || key.equals(purpose.namespaceKey())) {
        return true;
      }
    }
    return key.equals(FS_TYPE);
  }

  /** The older names that are in use, and those that replace them. */
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

  /** The file system to be made, that default if none is asked for. */
  public Checked<String> fsType(String otherwise) {
    List<String> asked = new ArrayList<>();
    all.forEach((key, value) -> {
      if (key.equals(FS_TYPE) || key.equalsIgnoreCase(OLD_FS_TYPE)) {
        asked.add(value);
      }
    });
    return switch (asked.size()) {
      case 0 -> new Checked.Valid<>(otherwise);
      case 1 -> new Checked.Valid<>(asked.getFirst().isEmpty() ? otherwise : asked.getFirst());
      default ->
          new Checked.Invalid<>(
              "the class names the file system twice, by fstype and "
                  + FS_TYPE
                  + ": keep the latter");
    };
  }

  /**
   * Where the credentials for a purpose are, or those for every purpose.
   *
   * @param volumeName for templates
   * @param claim for templates
   * @return empty if none are needed
   */
  public Checked<Optional<SecretRef>> secret(Purpose purpose, String volumeName, Claim claim) {
    return named(purpose)
        .then(own ->
            own.isPresent() || purpose == Purpose.DEFAULT
                ? new Checked.Valid<>(own)
                : named(Purpose.DEFAULT))
        .then(template ->
            template.isEmpty()
                ? new Checked.Valid<>(Optional.<SecretRef>empty())
                : resolve(template.get(), volumeName, claim));
  }

  /** As it is written, templates unresolved. */
  private Checked<Optional<SecretRef>> named(Purpose purpose) {
    return value(purpose.nameKey(), purpose.oldNameKey())
        .then(name ->
            value(purpose.namespaceKey(), purpose.oldNamespaceKey())
                .then(namespace -> {
                  if (name.isPresent() != namespace.isPresent()) {
                    return new Checked.Invalid<>(
                        "either name and namespace for "
                            + purpose.key
                            + " secrets specified, or none: the class has only one of them");
                  }
                  return new Checked.Valid<>(
                      name.map(n -> new SecretRef(namespace.orElseThrow(), n)));
                }));
  }

  private Checked<Optional<String>> value(String key, Optional<String> old) {
    boolean hasOld = old.isPresent() && all.containsKey(old.get());
    if (all.containsKey(key) && hasOld) {
      return new Checked.Invalid<>(
          "the class has both " + key + " and the older " + old.get() + ": keep the former");
    }
    String value = hasOld ? all.get(old.get()) : all.get(key);
    return value != null && value.isEmpty()
        ? new Checked.Invalid<>("the class's parameter " + (hasOld ? old.get() : key) + " is empty")
        : new Checked.Valid<>(Optional.ofNullable(value));
  }

  private static Checked<Optional<SecretRef>> resolve(
      SecretRef template, String volumeName, Claim claim) {
    ObjectKey key = claim.key();
    // what a user writes into a claim never chooses the namespace
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
                .then(name -> new Checked.Valid<>(Optional.of(new SecretRef(namespace, name)))));
  }

  /** Whether some credentials depend on claims' annotations. */
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

  private static Checked<String> filled(String template, Map<String, String> tokens, Form form) {
    SecretTemplate.Filled filled = SecretTemplate.fill(template, tokens, form);
    return filled.flaw().isEmpty()
        ? new Checked.Valid<>(filled.text())
        : new Checked.Invalid<>(filled.flaw());
  }
}
