package dev.mooring.apiserver.kinds.storage;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.SchedulingRules;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import dev.mooring.apiserver.kinds.rules.VolumePaths;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

public final class VolumeStrategy implements KindStrategy {
  @Override
  public MetadataChecks getMetadataChecks() {
    return new MetadataChecks(2, 0);
  }

  static final List<String> ACCESS_MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  private static final Map<String, String> LABEL_SUCCESSORS =
      Map.of(
          "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
          "beta.kubernetes.io/os", "kubernetes.io/os",
          "beta.kubernetes.io/arch", "kubernetes.io/arch",
          "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");
  private static final Schema.MessageType SOURCE_SCHEMA =
      Schema.getMessage("PersistentVolumeSource");

  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = getOrAddChild(object, "spec");
    if (textAt(spec, "persistentVolumeReclaimPolicy").isEmpty()) {
      spec.addProperty("persistentVolumeReclaimPolicy", "Retain");
    }
    if (!spec.has("volumeMode")) {
      spec.addProperty("volumeMode", "Filesystem");
    }
    if (textAt(spec, "storageClassName").isEmpty()) {
      // Kubernetes stores a plain string, which is dropped if it is empty
      spec.remove("storageClassName");
    }
    VolumeSources.setDefaults(spec);
    ClaimStrategy.setDefaultPhase(object);
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject status = newObject("phase", "Pending");
    status.addProperty("lastPhaseTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
    object.add("status", status);
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return textAt(object, "spec", "persistentVolumeReclaimPolicy").equals("Recycle")
        ? List.of(
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
        : List.of();
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    JsonObject status = getOrAddChild(object, "status");
    String phase = textAt(status, "phase");
    String oldTime = textAt(old, "status", "lastPhaseTransitionTime");
    if (phase.isEmpty()) {
      ClaimStrategy.setDefaultPhase(object);
    }
    String newTime = textAt(status, "lastPhaseTransitionTime");
    if (phase.equals(textAt(old, "status", "phase"))) {
      if (newTime.isEmpty() && !oldTime.isEmpty()) {
        status.addProperty("lastPhaseTransitionTime", oldTime);
      }
    } else {
      if (newTime.isEmpty() || newTime.equals(oldTime)) {
        status.addProperty("lastPhaseTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
      }
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = ValidatedObject.ofMember(object, "spec", errors);
    validateAccessModes(spec.strings("accessModes"), "spec.accessModes", errors);
    validateCapacity(valueAt(spec.object(), "capacity"), errors);
    spec.requireOneOf("persistentVolumeReclaimPolicy", "Delete", "Recycle", "Retain");
    spec.ifPresent("nodeAffinity", VolumeStrategy::validateNodeAffinity);
    validateSource(spec, textAt(object, "metadata", "name"));
    if (VolumePaths.isRoot(spec.text("hostPath", "path"))
        && spec.text("persistentVolumeReclaimPolicy").equals("Recycle")) {
      spec.addForbidden(
          "persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
    }
    spec.checkSubdomain("storageClassName");
    spec.checkOneOfEvenIfAbsent("volumeMode", "Block", "Filesystem");
    if (spec.has("volumeAttributesClassName")) {
      if (spec.isEmpty("volumeAttributesClassName")) {
        spec.addRequired("volumeAttributesClassName", "an empty string is disallowed");
      }
      spec.checkSubdomain("volumeAttributesClassName");
      if (!spec.has("csi")) {
        spec.addRequired("csi", "has to be specified when using volumeAttributesClassName");
      }
    }
  }

  static void validateInline(ValidatedObject spec) {
    for (String field : List.of("claimRef", "nodeAffinity", "storageClassName", "capacity")) {
      if (!spec.isEmpty(field)) {
        spec.addForbidden(field, "may not be specified in the context of inline volumes");
      }
    }
    if (!spec.has("csi")) {
      spec.addRequired("csi", "has to be specified in the context of inline volumes");
    }
    validateAccessModes(spec.strings("accessModes"), spec.path("accessModes"), spec.errors());
    checkInlineValue(spec, "persistentVolumeReclaimPolicy", "Retain");
    checkInlineValue(spec, "volumeMode", "Filesystem");
    validateSource(spec, "");
  }

  private static void checkInlineValue(ValidatedObject spec, String field, String allowedValue) {
    if (!spec.isEmpty(field) && !spec.text(field).equals(allowedValue)) {
      spec.addForbidden(field, "may only be " + allowedValue + " in the context of inline volumes");
    }
  }

  private static void validateNodeAffinity(ValidatedObject affinity) {
    if (affinity.has("required")) {
      SchedulingRules.validateNodeSelector(affinity.getChild("required"));
    } else {
      affinity.addRequired("required", "must specify required node constraints");
    }
  }

  static void validateAccessModes(List<String> modes, String field, FieldErrors errors) {
    if (modes.isEmpty()) {
      errors.addRequired(field, "");
    }
    for (String mode : modes) {
      if (!ACCESS_MODES.contains(mode)) {
        errors.addNotSupported(field, mode, ACCESS_MODES);
      }
    }
    if (modes.contains("ReadWriteOncePod")
        && modes.stream()
            .anyMatch(m -> !m.equals("ReadWriteOncePod") && ACCESS_MODES.contains(m))) {
      errors.addForbidden(field, "may not use ReadWriteOncePod with other access modes");
    }
  }

  private static void validateCapacity(@Nullable JsonElement capacity, FieldErrors errors) {
    JsonObject map = capacity instanceof JsonObject m ? m : new JsonObject();
    if (map.isEmpty()) {
      errors.addRequired("spec.capacity", "");
    }
    if (!map.has("storage") || map.size() > 1) {
      errors.addNotSupported("spec.capacity", map.isEmpty() ? "null" : map, List.of("storage"));
    }
    for (String resource : map.keySet()) {
      String value = map.get(resource).getAsString();
      BigDecimal amount = ResourceAmounts.parseAmount(map.get(resource));
      String field = "spec.capacity[" + resource + "]";
      if (amount.signum() < 0) {
        errors.addInvalid(field, amount, "must be a valid resource quantity");
      }
      if (amount.signum() <= 0) {
        errors.addInvalid(field, value, "must be greater than zero");
      }
    }
  }

  private static void validateSource(ValidatedObject spec, String volumeName) {
    String type = VolumeSources.validateOnlySource(spec, SOURCE_ORDER, SOURCE_RULES);
    if (type.equals("local") && !spec.has("nodeAffinity")) {
      spec.addRequired("nodeAffinity", "Local volume requires node affinity");
    }
    if (type.equals("iscsi") && spec.has("iscsi", "initiatorName")) {
      ValidatedObject iscsi = spec.getChild("iscsi");
      if (TextSize.countBytes(volumeName + ":" + iscsi.text("targetPortal")) > 64) {
        iscsi
            .atPath(iscsi.field())
            .errors()
            .addInvalid(
                iscsi.path("targetportal"),
                iscsi.text("targetPortal"),
                "must be under 64 characters together with the volume's name");
      }
    }
  }

  private static final List<String> SOURCE_ORDER =
      List.of(
          """
          hostPath gcePersistentDisk awsElasticBlockStore glusterfs flocker nfs rbd quobyte
          cephfs iscsi cinder fc flexVolume azureFile vsphereVolume photonPersistentDisk
          portworxVolume azureDisk scaleIO local storageos csi
          """
              .split("\\s+"));

  private static final Map<String, Consumer<ValidatedObject>> SOURCE_RULES = makeSourceRules();

  private static Map<String, Consumer<ValidatedObject>> makeSourceRules() {
    Map<String, Consumer<ValidatedObject>> rules = new HashMap<>(VolumeSources.COMMON_RULES);
    rules.put("iscsi", VolumeStrategy::validateIscsi);
    rules.put("cinder", VolumeStrategy::validateCinder);
    rules.put("azureFile", VolumeSources::validateAzureFile);
    rules.put("storageos", VolumeStrategy::validateStorageOs);
    rules.put("csi", VolumeStrategy::validateCsi);
    return rules;
  }

  private static void validateIscsi(ValidatedObject source) {
    VolumeSources.validateIscsi(source);
    VolumeSources.validateSecret(source, "name");
  }

  private static void validateCinder(ValidatedObject source) {
    source.requireMembers("volumeID");
    VolumeSources.validateSecret(source, "name", "namespace");
  }

  private static void validateStorageOs(ValidatedObject source) {
    VolumeSources.validateStorageOs(source);
    VolumeSources.validateSecret(source, "name", "namespace");
  }

  private static void validateCsi(ValidatedObject source) {
    VolumeSources.validateDriver(source, "driver");
    source.requireMembers("volumeHandle");
    for (String secret :
        List.of(
            "controllerPublishSecretRef",
            "controllerExpandSecretRef",
            "nodePublishSecretRef",
            "nodeExpandSecretRef")) {
      source.ifPresent(
          secret,
          ref -> {
            ref.requireMembers("name", "namespace");
            ref.checkSubdomain("name");
            ref.checkLabel("namespace");
          });
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
    validate(object, errors); // Kubernetes validates it twice
    JsonObject newSpec = getOrAddChild(object, "spec");
    JsonObject oldSpec = getOrAddChild(old.deepCopy(), "spec");
    boolean isSourceChanged = false;
    for (Schema.MessageField field : SOURCE_SCHEMA.fields()) {
      JsonElement newSource = valueAt(newSpec, field.name());
      JsonElement oldSource = valueAt(oldSpec, field.name());
      if (!Objects.equals(newSource, oldSource)
          && !(field.name().equals("csi") && isOnlyExpandSecretAdded(newSource, oldSource))) {
        isSourceChanged = true;
      }
    }
    if (isSourceChanged) {
      errors.addForbidden(
          "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
    }
    if (valueAt(oldSpec, "volumeAttributesClassName") != null
        && valueAt(newSpec, "volumeAttributesClassName") == null) {
      errors.addForbidden(
          "spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden");
    }
    if (!textAt(newSpec, "volumeMode").equals(textAt(oldSpec, "volumeMode"))) {
      errors.addInvalid("volumeMode", textAt(newSpec, "volumeMode"), "field is immutable");
    }
    if (valueAt(oldSpec, "nodeAffinity") != null
        && !Objects.equals(valueAt(newSpec, "nodeAffinity"), applyKeyRenames(oldSpec, newSpec))) {
      errors.addInvalid(
          "nodeAffinity", String.valueOf(valueAt(newSpec, "nodeAffinity")), "field is immutable");
    }
  }

  /**
   * Returns the old affinity with permitted key changes applied: from deprecated labels to their
   * successors, or to "", which another rule refuses.
   */
  private static JsonElement applyKeyRenames(JsonObject oldSpec, JsonObject newSpec) {
    ValidatedObject oldAffinity =
        new ValidatedObject(oldSpec.deepCopy(), "", new FieldErrors()).getChild("nodeAffinity");
    ValidatedObject newAffinity = ValidatedObject.forReading(newSpec).getChild("nodeAffinity");
    List<ValidatedObject> oldTerms =
        oldAffinity.getChild("required").getChildren("nodeSelectorTerms");
    List<ValidatedObject> newTerms =
        newAffinity.getChild("required").getChildren("nodeSelectorTerms");
    for (int i = 0; i < Math.min(oldTerms.size(), newTerms.size()); i++) {
      for (String listField : List.of("matchExpressions", "matchFields")) {
        List<ValidatedObject> oldRequirements = oldTerms.get(i).getChildren(listField);
        List<ValidatedObject> newRequirements = newTerms.get(i).getChildren(listField);
        for (int j = 0; j < Math.min(oldRequirements.size(), newRequirements.size()); j++) {
          String key = newRequirements.get(j).text("key");
          if (key.equals(LABEL_SUCCESSORS.getOrDefault(oldRequirements.get(j).text("key"), ""))) {
            oldRequirements.get(j).object().addProperty("key", key);
          }
        }
      }
    }
    return oldAffinity.object();
  }

  private static boolean isOnlyExpandSecretAdded(
      @Nullable JsonElement newSource, @Nullable JsonElement oldSource) {
    if (!(newSource instanceof JsonObject newObject)
        || !(oldSource instanceof JsonObject oldObject)) {
      return false;
    }
    JsonObject strippedSource = newObject.deepCopy();
    boolean isAdded = false;
    for (String name : List.of("controllerExpandSecretRef")) {
      if (!oldObject.has(name) && strippedSource.has(name)) {
        strippedSource.remove(name);
        isAdded = true;
      }
    }
    return isAdded && strippedSource.equals(oldObject);
  }
}
