package dev.mooring.apiserver.kinds.storage;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TableColumns;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

public final class ClaimStrategy implements KindStrategy {
  private static final String BETA_CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
  private static final List<String> RESIZE_STATES =
      List.of(
          "ControllerResizeInProgress",
          "ControllerResizeInfeasible",
          "NodeResizePending",
          "NodeResizeInProgress",
          "NodeResizeInfeasible");

  @Override
  public void setDefaults(JsonObject object) {
    setSpecDefaults(getOrAddChild(object, "spec"));
    setDefaultPhase(object);
  }

  static void setDefaultPhase(JsonObject object) {
    JsonObject status = getOrAddChild(object, "status");
    if (textAt(status, "phase").isEmpty()) {
      status.addProperty("phase", "Pending");
    }
  }

  public static void setSpecDefaults(JsonObject spec) {
    if (!spec.has("volumeMode")) {
      spec.addProperty("volumeMode", "Filesystem");
    }
    for (String name : List.of("dataSource", "dataSourceRef")) {
      if (valueAt(spec, name) instanceof JsonObject reference && !reference.has("apiGroup")) {
        reference.add("apiGroup", JsonNull.INSTANCE);
      }
    }
  }

  /**
   * Keeps dataSource and dataSourceRef equal. The feature gate CrossNamespaceVolumeDataSource is
   * off: only claims that already have a source in another namespace keep it.
   */
  private static void syncDataSources(JsonObject object, JsonObject old) {
    JsonObject spec = getOrAddChild(object, "spec");
    boolean hasOtherNamespace = !textAt(spec, "dataSourceRef", "namespace").isEmpty();
    if (hasOtherNamespace && valueAt(old, "spec", "dataSourceRef") == null) {
      spec.remove("dataSourceRef");
    }
    JsonElement reference = valueAt(spec, "dataSourceRef");
    if (reference == null
        && valueAt(old, "spec", "dataSource") == null
        && valueAt(spec, "dataSource") instanceof JsonObject oldSource
        && !isSupportedSource(oldSource)) {
      spec.remove("dataSource"); // dropped silently, as before dataSourceRef existed
    }
    JsonElement source = valueAt(spec, "dataSource");
    if (source != null && reference == null) {
      spec.add("dataSourceRef", source.deepCopy());
    } else if (reference instanceof JsonObject newReference
        && source == null
        && textAt(newReference, "namespace").isEmpty()) {
      spec.add("dataSource", newReference.deepCopy());
    }
  }

  // Returns whether dataSource may refer to the kind without a dataSourceRef.
  private static boolean isSupportedSource(JsonObject source) {
    String group = textAt(source, "apiGroup");
    String kind = textAt(source, "kind");
    return group.isEmpty() && kind.equals("PersistentVolumeClaim")
        || group.equals("snapshot.storage.k8s.io") && kind.equals("VolumeSnapshot");
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject status = newObject("phase", "Pending");
    object.add("status", status);
    syncDataSources(object, new JsonObject());
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    syncDataSources(object, old);
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    setDefaultPhase(object);
    TableColumns.addNullTimes(object, "lastProbeTime", "lastTransitionTime");
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    validateSpec(ValidatedObject.ofMember(object, "spec", errors), false);
  }

  public static void validateSpec(ValidatedObject spec) {
    validateSpec(spec, false);
  }

  private static void validateSpec(ValidatedObject spec, boolean allowsAnyGroup) {
    List<String> modes = spec.strings("accessModes");
    if (modes.isEmpty()) {
      spec.addRequired("accessModes", "at least 1 access mode is required");
    } else {
      VolumeStrategy.validateAccessModes(modes, spec.path("accessModes"), spec.errors());
    }
    JsonElement request = spec.value("resources", "requests", "storage");
    String storage = spec.path("resources") + "[storage]";
    if (request == null) {
      spec.errors().addRequired(storage, "");
    } else if (ResourceAmounts.parseAmount(request).signum() <= 0) {
      spec.errors().addInvalid(storage, request.getAsString(), "must be greater than zero");
    }
    LabelSelectors.validate(spec, "selector");
    for (String field : List.of("dataSource", "dataSourceRef")) {
      spec.ifPresent(field, reference -> validateReference(reference, allowsAnyGroup));
    }
    if (spec.value("dataSource") instanceof JsonObject source
        && spec.value("dataSourceRef") instanceof JsonObject ref) {
      if (!textAt(ref, "namespace").isEmpty()) {
        spec.addSelfInvalid(
            new JsonObject(), "may not be specified when dataSourceRef.namespace is specified");
      } else if (!source.equals(ref)) {
        spec.addSelfInvalid(new JsonObject(), "must match dataSourceRef");
      }
    }
    spec.checkSubdomain("storageClassName");
    spec.checkOneOf("volumeMode", "Block", "Filesystem");
    spec.checkSubdomain("volumeAttributesClassName");
  }

  private static void validateReference(ValidatedObject reference, boolean allowsAnyGroup) {
    reference.requireMembers("name", "kind");
    if (reference.isEmpty("apiGroup") && !reference.text("kind").equals("PersistentVolumeClaim")) {
      reference.addSelfInvalid(
          reference.text("kind"),
          "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    if (!allowsAnyGroup) {
      reference.checkSubdomain("apiGroup");
    }
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return valueAt(object, "metadata", "annotations", BETA_CLASS_ANNOTATION) == null
        ? List.of()
        : List.of(
            "metadata.annotations["
                + BETA_CLASS_ANNOTATION
                + "]: deprecated since v1.8; use \"storageClassName\" attribute instead");
  }

  // Returns whether a source has an API group; such a claim may keep it in either field.
  private static boolean hasGroup(JsonObject claim) {
    return Stream.of("dataSource", "dataSourceRef")
        .anyMatch(f -> !textAt(claim, "spec", f, "apiGroup").isEmpty());
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validateSpec(ValidatedObject.ofMember(object, "spec", errors), hasGroup(old));
    JsonElement oldBetaClass = valueAt(old, "metadata", "annotations", BETA_CLASS_ANNOTATION);
    JsonElement newBetaClass = valueAt(object, "metadata", "annotations", BETA_CLASS_ANNOTATION);
    if (oldBetaClass != null && !oldBetaClass.equals(newBetaClass)) {
      errors.addImmutable(
          "metadata.annotations." + BETA_CLASS_ANNOTATION, FieldErrors.toShownValue(newBetaClass));
    }
    JsonObject newSpec = getOrAddChild(object, "spec").deepCopy();
    JsonObject oldSpec = getOrAddChild(old.deepCopy(), "spec");
    boolean isBound = textAt(old, "status", "phase").equals("Bound");
    JsonElement newRequest = valueAt(newSpec, "resources", "requests", "storage");
    JsonElement oldRequest = valueAt(oldSpec, "resources", "requests", "storage");
    if (newRequest == null) {
      rejectShrinking(null, oldRequest, old, errors);
    }
    if (isBound) {
      copyMember(oldSpec, newSpec, "volumeAttributesClassName");
      if (newRequest != null && oldRequest != null && !newRequest.equals(oldRequest)) {
        rejectShrinking(newRequest, oldRequest, old, errors);
        getOrAddChild(newSpec, "resources", "requests").add("storage", oldRequest);
      }
    }
    if (textAt(oldSpec, "volumeName").isEmpty()) {
      copyMember(oldSpec, newSpec, "volumeName");
    }
    boolean hasBetaClass = valueAt(old, "metadata", "annotations", BETA_CLASS_ANNOTATION) != null;
    if (!oldSpec.has("storageClassName") && !hasBetaClass) {
      copyMember(oldSpec, newSpec, "storageClassName");
    }
    if (!newSpec.equals(oldSpec)) {
      errors.addForbidden(
          "spec",
          "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims");
    }
    if (!textAt(newSpec, "volumeMode").equals(textAt(oldSpec, "volumeMode"))) {
      errors.addInvalid("volumeMode", textAt(newSpec, "volumeMode"), "field is immutable");
    }
  }

  private static void copyMember(JsonObject source, JsonObject target, String name) {
    JsonElement value = source.get(name);
    if (value == null) {
      target.remove(name);
    } else {
      target.add(name, value);
    }
  }

  private static void rejectShrinking(
      @Nullable JsonElement newRequest,
      @Nullable JsonElement oldRequest,
      JsonObject old,
      FieldErrors errors) {
    BigDecimal newAmount = ResourceAmounts.parseAmount(newRequest);
    JsonElement capacity = valueAt(old, "status", "capacity", "storage");
    if (newAmount.compareTo(ResourceAmounts.parseAmount(oldRequest)) < 0
        && (capacity == null || newAmount.compareTo(ResourceAmounts.parseAmount(capacity)) <= 0)) {
      errors.addForbidden(
          "spec.resources.requests.storage", "field can not be less than status.capacity");
    }
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    ValidatedObject status = ValidatedObject.ofMember(object, "status", errors);
    JsonObject states = status.getChild("allocatedResourceStatuses").object();
    for (String name : states.keySet()) {
      validateResourceName(name, status.path("allocatedResourceStatuses"), errors);
      if (!RESIZE_STATES.contains(textAt(states, name))) {
        errors.addNotSupported(status.path("allocatedResourceStatuses"), name, RESIZE_STATES);
      }
    }
    JsonObject capacity = status.getChild("capacity").object();
    capacity.keySet().forEach(name -> validateAmount(status, "capacity", name));
    JsonObject allocated = status.getChild("allocatedResources").object();
    for (String name : allocated.keySet()) {
      if (validateResourceName(name, status.path("allocatedResources"), errors)) {
        validateAmount(status, "allocatedResources", name);
      }
    }
  }

  private static void validateAmount(ValidatedObject status, String map, String name) {
    BigDecimal amount = ResourceAmounts.parseAmount(status.value(map, name));
    if (amount.signum() < 0) {
      status
          .errors()
          .addInvalid(
              status.path(map) + "[" + name + "]", amount, "must be a valid resource quantity");
    }
  }

  // Returns whether the name is valid; if not, adds an error.
  private static boolean validateResourceName(String name, String field, FieldErrors errors) {
    int errorCount = errors.getCauses().size();
    ObjectNames.validateQualifiedName(name, field, errors);
    boolean isNative = !name.contains("/") || name.contains("kubernetes.io/");
    if (errors.getCauses().size() == errorCount && isNative && !name.equals("storage")) {
      errors.addNotSupported(field, name, List.of("storage"));
    }
    return errors.getCauses().size() == errorCount;
  }
}
