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
import static dev.mooring.apiserver.kinds.model.TableColumns.orElse;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.PrintedColumn;
import dev.mooring.apiserver.kinds.model.TableColumns;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.kinds.rules.ResourceAmounts;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

public final class ClaimStrategy implements KindStrategy {
  private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
  private static final List<String> RESIZE_STATES =
      List.of(
          "ControllerResizeInProgress",
          "ControllerResizeInfeasible",
          "NodeResizePending",
          "NodeResizeInProgress",
          "NodeResizeInfeasible");

  @Override
  public void setDefaults(JsonObject object) {
    defaultSpec(child(object, "spec"));
    defaultPhase(object);
  }

  static void defaultPhase(JsonObject object) {
    JsonObject status = child(object, "status");
    if (text(status, "phase").isEmpty()) {
      status.addProperty("phase", "Pending");
    }
  }

  public static void defaultSpec(JsonObject spec) {
    if (!spec.has("volumeMode")) {
      spec.addProperty("volumeMode", "Filesystem");
    }
    for (String name : List.of("dataSource", "dataSourceRef")) {
      if (at(spec, name) instanceof JsonObject reference && !reference.has("apiGroup")) {
        reference.add("apiGroup", JsonNull.INSTANCE);
      }
    }
  }

  /**
   * Keeps dataSource and dataSourceRef equal. The feature gate CrossNamespaceVolumeDataSource is
   * off: only claims that already have a source in another namespace keep it.
   */
  private static void syncDataSources(JsonObject object, JsonObject before) {
    JsonObject spec = child(object, "spec");
    boolean elsewhere = !text(spec, "dataSourceRef", "namespace").isEmpty();
    if (elsewhere && at(before, "spec", "dataSourceRef") == null) {
      spec.remove("dataSourceRef");
    }
    JsonElement ref = at(spec, "dataSourceRef");
    if (ref == null
        && at(before, "spec", "dataSource") == null
        && at(spec, "dataSource") instanceof JsonObject old
        && !isClassic(old)) {
      spec.remove("dataSource"); // dropped silently, as before dataSourceRef existed
    }
    JsonElement source = at(spec, "dataSource");
    if (source != null && ref == null) {
      spec.add("dataSourceRef", source.deepCopy());
    } else if (ref instanceof JsonObject r && source == null && text(r, "namespace").isEmpty()) {
      spec.add("dataSource", r.deepCopy());
    }
  }

  private static boolean isClassic(JsonObject source) {
    String group = text(source, "apiGroup");
    String kind = text(source, "kind");
    return group.isEmpty() && kind.equals("PersistentVolumeClaim")
        || group.equals("snapshot.storage.k8s.io") && kind.equals("VolumeSnapshot");
  }

  @Override
  public void prepareCreate(JsonObject object) {
    JsonObject status = objectOf("phase", "Pending");
    object.add("status", status);
    syncDataSources(object, new JsonObject());
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    syncDataSources(object, old);
  }

  @Override
  public void prepareStatus(JsonObject object, JsonObject old) {
    defaultPhase(object);
    TableColumns.addNullTimes(object, "lastProbeTime", "lastTransitionTime");
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    validateSpec(ValidatedObject.of(object, "spec", errors), false);
  }

  public static void validateSpec(ValidatedObject spec) {
    validateSpec(spec, false);
  }

  private static void validateSpec(ValidatedObject spec, boolean anyGroup) {
    List<String> modes = spec.strings("accessModes");
    if (modes.isEmpty()) {
      spec.addRequired("accessModes", "at least 1 access mode is required");
    } else {
      VolumeStrategy.validateModes(modes, spec.path("accessModes"), spec.errors());
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
      spec.ifPresent(field, reference -> validateReference(reference, anyGroup));
    }
    if (spec.value("dataSource") instanceof JsonObject source
        && spec.value("dataSourceRef") instanceof JsonObject ref) {
      if (!text(ref, "namespace").isEmpty()) {
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

  private static void validateReference(ValidatedObject reference, boolean anyGroup) {
    reference.requireMembers("name", "kind");
    if (reference.isEmpty("apiGroup") && !reference.text("kind").equals("PersistentVolumeClaim")) {
      reference.addSelfInvalid(
          reference.text("kind"),
          "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    if (!anyGroup) {
      reference.checkSubdomain("apiGroup");
    }
  }

  @Override
  public List<String> findWarnings(JsonObject object) {
    return at(object, "metadata", "annotations", BETA_CLASS) == null
        ? List.of()
        : List.of(
            "metadata.annotations["
                + BETA_CLASS
                + "]: deprecated since v1.8; use \"storageClassName\" attribute instead");
  }

  // Returns whether a source has an API group; such a claim may keep it in either field.
  private static boolean hasGroup(JsonObject claim) {
    return Stream.of("dataSource", "dataSourceRef")
        .anyMatch(f -> !text(claim, "spec", f, "apiGroup").isEmpty());
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validateSpec(ValidatedObject.of(object, "spec", errors), hasGroup(old));
    JsonElement betaBefore = at(old, "metadata", "annotations", BETA_CLASS);
    JsonElement betaNow = at(object, "metadata", "annotations", BETA_CLASS);
    if (betaBefore != null && !betaBefore.equals(betaNow)) {
      errors.addImmutable("metadata.annotations." + BETA_CLASS, FieldErrors.toShownValue(betaNow));
    }
    JsonObject now = child(object, "spec").deepCopy();
    JsonObject before = child(old.deepCopy(), "spec");
    boolean bound = text(old, "status", "phase").equals("Bound");
    if (at(now, "resources", "requests", "storage") == null) {
      rejectShrinking("0", text(before, "resources", "requests", "storage"), old, errors);
    }
    if (bound) {
      copy(before, now, "volumeAttributesClassName");
      JsonElement requested = at(now, "resources", "requests", "storage");
      JsonElement had = at(before, "resources", "requests", "storage");
      if (requested != null && had != null && !requested.equals(had)) {
        rejectShrinking(requested.getAsString(), had.getAsString(), old, errors);
        child(now, "resources", "requests").add("storage", had);
      }
    }
    if (text(before, "volumeName").isEmpty()) {
      copy(before, now, "volumeName");
    }
    boolean betaClass = at(old, "metadata", "annotations", BETA_CLASS) != null;
    if (!before.has("storageClassName") && !betaClass) {
      copy(before, now, "storageClassName");
    }
    if (!now.equals(before)) {
      errors.addForbidden(
          "spec",
          "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims");
    }
    if (!text(now, "volumeMode").equals(text(before, "volumeMode"))) {
      errors.addInvalid("volumeMode", text(now, "volumeMode"), "field is immutable");
    }
  }

  private static void copy(JsonObject from, JsonObject to, String name) {
    JsonElement value = from.get(name);
    if (value == null) {
      to.remove(name);
    } else {
      to.add(name, value);
    }
  }

  private static void rejectShrinking(
      String requested, String had, JsonObject old, FieldErrors errors) {
    BigDecimal now = parseAmount(requested);
    JsonElement capacity = at(old, "status", "capacity", "storage");
    if (now.compareTo(parseAmount(had)) < 0
        && (capacity == null || now.compareTo(parseAmount(capacity.getAsString())) <= 0)) {
      errors.addForbidden(
          "spec.resources.requests.storage", "field can not be less than status.capacity");
    }
  }

  private static BigDecimal parseAmount(String written) {
    return Objects.requireNonNull(CanonicalValues.parseAmount(written));
  }

  @Override
  public void validateStatus(JsonObject object, JsonObject old, FieldErrors errors) {
    ValidatedObject status = ValidatedObject.of(object, "status", errors);
    JsonObject states = status.child("allocatedResourceStatuses").object();
    for (String name : states.keySet()) {
      validateResourceName(name, status.path("allocatedResourceStatuses"), errors);
      if (!RESIZE_STATES.contains(text(states, name))) {
        errors.addNotSupported(status.path("allocatedResourceStatuses"), name, RESIZE_STATES);
      }
    }
    JsonObject capacity = status.child("capacity").object();
    capacity.keySet().forEach(name -> parseAmount(status, "capacity", name));
    JsonObject allocated = status.child("allocatedResources").object();
    for (String name : allocated.keySet()) {
      if (validateResourceName(name, status.path("allocatedResources"), errors)) {
        parseAmount(status, "allocatedResources", name);
      }
    }
  }

  private static void parseAmount(ValidatedObject status, String map, String name) {
    BigDecimal amount = ResourceAmounts.parseAmount(status.value(map, name));
    if (amount.signum() < 0) {
      status
          .errors()
          .addInvalid(
              status.path(map) + "[" + name + "]", amount, "must be a valid resource quantity");
    }
  }

  private static boolean validateResourceName(String name, String field, FieldErrors errors) {
    int before = errors.all().size();
    ObjectNames.validateQualifiedName(name, field, errors);
    boolean nativeName = !name.contains("/") || name.contains("kubernetes.io/");
    if (errors.all().size() == before && nativeName && !name.equals("storage")) {
      errors.addNotSupported(field, name, List.of("storage"));
    }
    return errors.all().size() == before;
  }

  @Override
  public List<PrintedColumn> getColumns() {
    return List.of(
        NAME,
        computed("Status", TableColumns::formatPhase),
        column("Volume", "spec", "volumeName"),
        computed(
            "Capacity",
            c -> hasVolume(c) ? orElse(text(c, "status", "capacity", "storage"), "0") : ""),
        computed(
            "Access Modes",
            c -> hasVolume(c) ? abbreviateModes(strings(c, "status", "accessModes")) : ""),
        computed("StorageClass", VolumeStrategy::findClassName),
        columnOr("<unset>", "VolumeAttributesClass", "spec", "volumeAttributesClassName"),
        AGE,
        columnOr("<unset>", "VolumeMode", "spec", "volumeMode").wide());
  }

  private static boolean hasVolume(JsonObject claim) {
    return !text(claim, "spec", "volumeName").isEmpty();
  }
}
