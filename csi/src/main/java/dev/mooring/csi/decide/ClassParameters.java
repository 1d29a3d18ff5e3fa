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

/** Parameters of a StorageClass: those for the driver and those with the reserved prefix. */
public final class ClassParameters {
  public static final String RESERVED_PREFIX = "csi.storage.k8s.io/";

  private static final String FS_TYPE = RESERVED_PREFIX + "fstype";
  private static final String OLD_FS_TYPE = "fstype";
  private static final String ANNOTATION_TOKEN = "pvc.annotations";

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
    private final String oldKey;

    Purpose(String key, String oldKey) {
      this.key = key;
      this.oldKey = oldKey;
    }

    String nameKey() {
      return RESERVED_PREFIX + key + "-name";
    }

    String namespaceKey() {
      return RESERVED_PREFIX + key + "-namespace";
    }

    Optional<String> oldNameKey() {
      return oldKey.isEmpty() ? Optional.empty() : Optional.of(oldKey + "Name");
    }

    Optional<String> oldNamespaceKey() {
      return oldKey.isEmpty() ? Optional.empty() : Optional.of(oldKey + "Namespace");
    }
  }

  private final Map<String, String> classParameters;

  public ClassParameters(Map<String, String> classParameters) {
    this.classParameters = Map.copyOf(classParameters);
  }

  /**
   * Returns the parameters for CreateVolume: all without the reserved prefix. Deprecated names of
   * reserved parameters are passed on, as in external-provisioner.
   */
  public CheckResult<Map<String, String>> selectForDriver() {
    Map<String, String> parameters = new HashMap<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(classParameters).entrySet()) {
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

  public Map<String, String> findDeprecated() {
    Map<String, String> replacements = new TreeMap<>();
    classParameters.keySet().stream()
        .filter(key -> key.equalsIgnoreCase(OLD_FS_TYPE))
        .forEach(key -> replacements.put(key, FS_TYPE));
    for (Purpose purpose : Purpose.values()) {
      purpose
          .oldNameKey()
          .filter(classParameters::containsKey)
          .ifPresent(k -> replacements.put(k, purpose.nameKey()));
      purpose
          .oldNamespaceKey()
          .filter(classParameters::containsKey)
          .ifPresent(k -> replacements.put(k, purpose.namespaceKey()));
    }
    return replacements;
  }

  public CheckResult<String> resolveFsType(String fallback) {
    List<String> values = new ArrayList<>();
    classParameters.forEach((key, value) -> {
      if (key.equals(FS_TYPE) || key.equalsIgnoreCase(OLD_FS_TYPE)) {
        values.add(value);
      }
    });
    return switch (values.size()) {
      case 0 -> new CheckResult.Valid<>(fallback);
      case 1 -> new CheckResult.Valid<>(values.getFirst().isEmpty() ? fallback : values.getFirst());
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
  public CheckResult<Optional<SecretRef>> resolveSecret(
      Purpose purpose, String volumeName, Claim claim) {
    return findSecret(purpose)
        .then(ownSecret ->
            ownSecret.isPresent() || purpose == Purpose.DEFAULT
                ? new CheckResult.Valid<>(ownSecret)
                : findSecret(Purpose.DEFAULT))
        .then(template ->
            template.isEmpty()
                ? new CheckResult.Valid<>(Optional.<SecretRef>empty())
                : resolveTemplate(template.get(), volumeName, claim));
  }

  private CheckResult<Optional<SecretRef>> findSecret(Purpose purpose) {
    return findValue(purpose.nameKey(), purpose.oldNameKey())
        .then(name ->
            findValue(purpose.namespaceKey(), purpose.oldNamespaceKey())
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

  private CheckResult<Optional<String>> findValue(String key, Optional<String> oldKey) {
    boolean hasOld = oldKey.isPresent() && classParameters.containsKey(oldKey.get());
    if (classParameters.containsKey(key) && hasOld) {
      return new CheckResult.Invalid<>(
          "the class has both " + key + " and the older " + oldKey.get() + ": keep the former");
    }
    String value = hasOld ? classParameters.get(oldKey.get()) : classParameters.get(key);
    return value != null && value.isEmpty()
        ? new CheckResult.Invalid<>(
            "the class's parameter " + (hasOld ? oldKey.get() : key) + " is empty")
        : new CheckResult.Valid<>(Optional.ofNullable(value));
  }

  private static CheckResult<Optional<SecretRef>> resolveTemplate(
      SecretRef template, String volumeName, Claim claim) {
    ObjectKey key = claim.key();
    // a claim's annotations never choose the namespace: its author may not read other namespaces
    Map<String, String> namespaceTokens =
        Map.of("pv.name", volumeName, "pvc.namespace", key.namespace());
    Map<String, String> nameTokens = new HashMap<>(namespaceTokens);
    nameTokens.put("pvc.name", key.name());
    claim
        .meta()
        .annotations()
        .forEach((name, value) -> nameTokens.put(ANNOTATION_TOKEN + "['" + name + "']", value));
    return fillTemplate(template.namespace(), namespaceTokens, Form.NAMESPACE)
        .then(namespace ->
            fillTemplate(template.name(), nameTokens, Form.NAME)
                .then(
                    name -> new CheckResult.Valid<>(Optional.of(new SecretRef(namespace, name)))));
  }

  public boolean readsAnnotations() {
    return classParameters.entrySet().stream()
        .anyMatch(
            entry -> isSecretName(entry.getKey()) && entry.getValue().contains(ANNOTATION_TOKEN));
  }

  private static boolean isSecretName(String key) {
    return Arrays.stream(Purpose.values())
        .anyMatch(purpose ->
            key.equals(purpose.nameKey()) || purpose.oldNameKey().filter(key::equals).isPresent());
  }

  private static CheckResult<String> fillTemplate(
      String template, Map<String, String> tokens, Form form) {
    SecretTemplate.ResolvedTemplate result = SecretTemplate.fill(template, tokens, form);
    return result.flaw().isEmpty()
        ? new CheckResult.Valid<>(result.text())
        : new CheckResult.Invalid<>(result.flaw());
  }
}
