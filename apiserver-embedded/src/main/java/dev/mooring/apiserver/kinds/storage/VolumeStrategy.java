package dev.mooring.apiserver.kinds.storage;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;
import static dev.mooring.apiserver.kinds.model.TableColumns.AGE;
import static dev.mooring.apiserver.kinds.model.TableColumns.NAME;
import static dev.mooring.apiserver.kinds.model.TableColumns.abbreviateModes;
import static dev.mooring.apiserver.kinds.model.TableColumns.column;
import static dev.mooring.apiserver.kinds.model.TableColumns.columnOr;
import static dev.mooring.apiserver.kinds.model.TableColumns.computed;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
import dev.mooring.apiserver.kinds.model.TableColumns;
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

  static final List<String> MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  private static final Map<String, String> NEWER_KEYS =
      Map.of(
          "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
          "beta.kubernetes.io/os", "kubernetes.io/os",
          "beta.kubernetes.io/arch", "kubernetes.io/arch",
          "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");
  private static final Schema.MessageType SOURCES = Schema.message("PersistentVolumeSource");

  @Override
  public void setDefaults(JsonObject object) {
    JsonObject spec = child(object, "spec");
    if (text(spec, "persistentVolumeReclaimPolicy").isEmpty()) {
      spec.addProperty("persistentVolumeReclaimPolicy", "Retain");
    }
    if (!spec.has("volumeMode")) {
      spec.addProperty("volumeMode", "Filesystem");
    }
    if (text(spec, "storageClassName").isEmpty()) {
      // Kubernetes stores a plain string, which is dropped if it is empty
      spec.remove("storageClassName");
    }
    VolumeSources.setDefaults(spec);
    ClaimStrategy.defaultPhase(object);
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject status = objectOf("phase", "Pending");
    status.addProperty("lastPhaseTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
    object.add("status", status);
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return text(object, "spec", "persistentVolumeReclaimPolicy").equals("Recycle")
        ? List.of(
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
        : List.of();
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    JsonObject status = child(object, "status");
    String phase = text(status, "phase");
    String before = text(old, "status", "lastPhaseTransitionTime");
    if (phase.isEmpty()) {
      ClaimStrategy.defaultPhase(object);
    }
    String sent = text(status, "lastPhaseTransitionTime");
    if (phase.equals(text(old, "status", "phase"))) {
      if (sent.isEmpty() && !before.isEmpty()) {
        status.addProperty("lastPhaseTransitionTime", before);
      }
    } else {
      if (sent.isEmpty() || sent.equals(before)) {
        status.addProperty("lastPhaseTransitionTime", CanonicalValues.formatSeconds(Instant.now()));
      }
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    ValidatedObject spec = ValidatedObject.of(object, "spec", errors);
    validateModes(spec.strings("accessModes"), "spec.accessModes", errors);
    validateCapacity(at(spec.object(), "capacity"), errors);
    spec.requireOneOf("persistentVolumeReclaimPolicy", "Delete", "Recycle", "Retain");
    spec.ifPresent("nodeAffinity", VolumeStrategy::validateNodes);
    validateSource(spec, text(object, "metadata", "name"));
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
    validateModes(spec.strings("accessModes"), spec.path("accessModes"), spec.errors());
    checkInlineValue(spec, "persistentVolumeReclaimPolicy", "Retain");
    checkInlineValue(spec, "volumeMode", "Filesystem");
    validateSource(spec, "");
  }

  private static void checkInlineValue(ValidatedObject spec, String field, String only) {
    if (!spec.isEmpty(field) && !spec.text(field).equals(only)) {
      spec.addForbidden(field, "may only be " + only + " in the context of inline volumes");
    }
  }

  private static void validateNodes(ValidatedObject affinity) {
    if (affinity.has("required")) {
      SchedulingRules.validateNodeSelector(affinity.child("required"));
    } else {
      affinity.addRequired("required", "must specify required node constraints");
    }
  }

  static void validateModes(List<String> modes, String field, FieldErrors errors) {
    if (modes.isEmpty()) {
      errors.addRequired(field, "");
    }
    for (String mode : modes) {
      if (!MODES.contains(mode)) {
        errors.addNotSupported(field, mode, MODES);
      }
    }
    if (modes.contains("ReadWriteOncePod")
        && modes.stream().anyMatch(m -> !m.equals("ReadWriteOncePod") && MODES.contains(m))) {
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
      String written = map.get(resource).getAsString();
      BigDecimal amount = ResourceAmounts.parseAmount(map.get(resource));
      String field = "spec.capacity[" + resource + "]";
      if (amount.signum() < 0) {
        errors.addInvalid(field, amount, "must be a valid resource quantity");
      }
      if (amount.signum() <= 0) {
        errors.addInvalid(field, written, "must be greater than zero");
      }
    }
  }

  private static void validateSource(ValidatedObject spec, String name) {
    String type = VolumeSources.validateOnlySource(spec, ORDER, SOURCE_RULES);
    if (type.equals("local") && !spec.has("nodeAffinity")) {
      spec.addRequired("nodeAffinity", "Local volume requires node affinity");
    }
    if (type.equals("iscsi") && spec.has("iscsi", "initiatorName")) {
      ValidatedObject iscsi = spec.child("iscsi");
      if ((name + ":" + iscsi.text("targetPortal")).length() > 64) {
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

  private static final List<String> ORDER =
      List.of(
          """
          hostPath gcePersistentDisk awsElasticBlockStore glusterfs flocker nfs rbd quobyte
          cephfs iscsi cinder fc flexVolume azureFile vsphereVolume photonPersistentDisk
          portworxVolume azureDisk scaleIO local storageos csi
          """
              .split("\\s+"));

  private static final Map<String, Consumer<ValidatedObject>> SOURCE_RULES = makeSourceRules();

  private static Map<String, Consumer<ValidatedObject>> makeSourceRules() {
    Map<String, Consumer<ValidatedObject>> rules = new HashMap<>(VolumeSources.COMMON);
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
    JsonObject now = child(object, "spec");
    JsonObject before = child(old.deepCopy(), "spec");
    boolean sourceChanged = false;
    for (Schema.MessageField field : SOURCES.fields()) {
      JsonElement a = at(now, field.name());
      JsonElement b = at(before, field.name());
      if (!Objects.equals(a, b) && !(field.name().equals("csi") && isOnlyExpandSecretAdded(a, b))) {
        sourceChanged = true;
      }
    }
    if (sourceChanged) {
      errors.addForbidden(
          "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation");
    }
    if (at(before, "volumeAttributesClassName") != null
        && at(now, "volumeAttributesClassName") == null) {
      errors.addForbidden(
          "spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden");
    }
    if (!text(now, "volumeMode").equals(text(before, "volumeMode"))) {
      errors.addInvalid("volumeMode", text(now, "volumeMode"), "field is immutable");
    }
    if (at(before, "nodeAffinity") != null
        && !Objects.equals(at(now, "nodeAffinity"), applyKeyRenames(before, now))) {
      errors.addInvalid(
          "nodeAffinity", String.valueOf(at(now, "nodeAffinity")), "field is immutable");
    }
  }

  /**
   * Returns the old affinity with permitted key changes applied: from deprecated labels to their
   * successors, or to "", which another rule refuses.
   */
  private static JsonElement applyKeyRenames(JsonObject before, JsonObject now) {
    ValidatedObject was =
        new ValidatedObject(before.deepCopy(), "", new FieldErrors()).child("nodeAffinity");
    ValidatedObject is = ValidatedObject.reading(now).child("nodeAffinity");
    List<ValidatedObject> terms = was.child("required").children("nodeSelectorTerms");
    List<ValidatedObject> newer = is.child("required").children("nodeSelectorTerms");
    for (int i = 0; i < Math.min(terms.size(), newer.size()); i++) {
      for (String list : List.of("matchExpressions", "matchFields")) {
        List<ValidatedObject> all = terms.get(i).children(list);
        List<ValidatedObject> with = newer.get(i).children(list);
        for (int j = 0; j < Math.min(all.size(), with.size()); j++) {
          String key = with.get(j).text("key");
          if (key.equals(NEWER_KEYS.getOrDefault(all.get(j).text("key"), ""))) {
            all.get(j).object().addProperty("key", key);
          }
        }
      }
    }
    return was.object();
  }

  private static boolean isOnlyExpandSecretAdded(
      @Nullable JsonElement now, @Nullable JsonElement before) {
    if (!(now instanceof JsonObject a) || !(before instanceof JsonObject b)) {
      return false;
    }
    JsonObject stripped = a.deepCopy();
    boolean added = false;
    for (String name : List.of("controllerExpandSecretRef")) {
      if (!b.has(name) && stripped.has(name)) {
        stripped.remove(name);
        added = true;
      }
    }
    return added && stripped.equals(b);
  }

  @Override
  public List<PrintedColumn> getColumns() {
    return List.of(
        NAME,
        column("Capacity", "spec", "capacity", "storage"),
        computed("Access Modes", o -> abbreviateModes(strings(o, "spec", "accessModes"))),
        column("Reclaim Policy", "spec", "persistentVolumeReclaimPolicy"),
        computed("Status", TableColumns::formatPhase),
        computed("Claim", VolumeStrategy::formatClaim),
        computed("StorageClass", VolumeStrategy::findClassName),
        columnOr("<unset>", "VolumeAttributesClass", "spec", "volumeAttributesClassName"),
        column("Reason", "status", "reason"),
        AGE,
        columnOr("<unset>", "VolumeMode", "spec", "volumeMode").wide());
  }

  private static String formatClaim(JsonObject volume) {
    return at(volume, "spec", "claimRef") == null
        ? ""
        : text(volume, "spec", "claimRef", "namespace")
            + "/"
            + text(volume, "spec", "claimRef", "name");
  }

  static String findClassName(JsonObject o) {
    String byAnnotation =
        text(o, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
    return byAnnotation.isEmpty() ? text(o, "spec", "storageClassName") : byAnnotation;
  }
}
