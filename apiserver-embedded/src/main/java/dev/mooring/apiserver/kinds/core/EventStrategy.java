package dev.mooring.apiserver.kinds.core;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.model.TableColumns.defaultIfEmpty;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.TextSize;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The strategy of events. They are stored in the form of core/v1; {@link #toNewForm} and {@link
 * #toStoredForm} convert to and from events.k8s.io/v1.
 */
public final class EventStrategy implements KindStrategy {
  private static final Map<String, String> NEW_NAMES =
      Map.ofEntries(
          Map.entry("involvedObject", "regarding"),
          Map.entry("message", "note"),
          Map.entry("reportingComponent", "reportingController"),
          Map.entry("source", "deprecatedSource"),
          Map.entry("firstTimestamp", "deprecatedFirstTimestamp"),
          Map.entry("lastTimestamp", "deprecatedLastTimestamp"),
          Map.entry("count", "deprecatedCount"));
  // Kubernetes validates "reason" twice
  private static final List<String> IMMUTABLE_FIELDS =
      List.of(
          """
          involvedObject reason reason message source firstTimestamp lastTimestamp count type
          eventTime action reportingComponent reportingInstance related
          """
              .split("\\s+"));

  private static final List<String> REFERENCE_FIELDS =
      List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");
  private static final List<String> SOURCE_FIELDS = List.of("component", "host");

  private static final int MAX_FIELD_BYTES = 128;
  private static final int MAX_MESSAGE_BYTES = 1024;

  private final boolean isNewGroup;

  public EventStrategy(boolean isNewGroup) {
    this.isNewGroup = isNewGroup;
  }

  @Override
  public JsonObject toStoredForm(JsonObject event) {
    return isNewGroup ? toCoreForm(event) : event;
  }

  private static JsonObject toCoreForm(JsonObject event) {
    JsonObject coreEvent = new JsonObject();
    event
        .entrySet()
        .forEach(e ->
            coreEvent.add(
                NEW_NAMES.entrySet().stream()
                    .filter(n -> n.getValue().equals(e.getKey()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(e.getKey()),
                e.getValue()));
    return coreEvent;
  }

  @Override
  public JsonObject toServedForm(JsonObject stored) {
    return isNewGroup ? toNewForm(stored) : stored;
  }

  private static JsonObject toNewForm(JsonObject coreEvent) {
    JsonObject event = new JsonObject();
    coreEvent
        .entrySet()
        .forEach(e -> {
          boolean isEmptyReporter =
              e.getKey().startsWith("reporting") && e.getValue().getAsString().isEmpty();
          if (!isEmptyReporter) {
            event.add(NEW_NAMES.getOrDefault(e.getKey(), e.getKey()), e.getValue());
          }
        });
    return event;
  }

  @Override
  public void setDefaults(JsonObject object) {
    getOrAddChild(object, "involvedObject");
    getOrAddChild(object, "source");
    for (String timeField : List.of("firstTimestamp", "lastTimestamp", "eventTime")) {
      if (valueAt(object, timeField) == null) {
        object.add(timeField, JsonNull.INSTANCE);
      }
    }
    for (String textField : List.of("reportingComponent", "reportingInstance")) {
      if (valueAt(object, textField) == null) {
        object.addProperty(textField, "");
      }
    }
    JsonElement count = valueAt(object, "count");
    if (count != null && count.getAsLong() == 0) {
      object.remove("count");
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    validateCommonFields(object, errors);
    if (!isNewGroup) {
      return; // core/v1 has fewer checks, for old clients
    }
    validateSeries(object, errors);
    if (valueAt(object, "eventTime") == null) {
      errors.addRequired("eventTime", "");
    }
    String type = textAt(object, "type");
    if (!type.equals("Normal") && !type.equals("Warning")) {
      errors.addInvalid("type", "", "has invalid value: " + type);
    }
    for (String field : List.of("firstTimestamp", "lastTimestamp", "count")) {
      if (valueAt(object, field) != null) {
        errors.addInvalid(field, "", "needs to be unset");
      }
    }
    if (!textAt(object, "source", "component").isEmpty()
        || !textAt(object, "source", "host").isEmpty()) {
      errors.addInvalid("source", "", "needs to be unset");
    }
  }

  private static void validateSeries(JsonObject object, FieldErrors errors) {
    if (valueAt(object, "series") == null) {
      return;
    }
    JsonElement count = valueAt(object, "series", "count");
    if (count == null || count.getAsLong() < 2) {
      errors.addInvalid("series.count", "", "should be at least 2");
    }
    if (valueAt(object, "series", "lastObservedTime") == null) {
      errors.addRequired("series.lastObservedTime", "");
    }
  }

  private void validateCommonFields(JsonObject object, FieldErrors errors) {
    String namespace = textAt(object, "metadata", "namespace");
    String objectNamespace = textAt(object, "involvedObject", "namespace");
    boolean hasEventTime = valueAt(object, "eventTime") != null;
    boolean isMismatch =
        hasEventTime
            ? objectNamespace.isEmpty()
                && !namespace.equals("default")
                && !namespace.equals("kube-system")
            : !objectNamespace.equals(namespace)
                && !(objectNamespace.isEmpty() && namespace.equals("default"));
    if (isMismatch) {
      errors.addInvalid(
          "involvedObject.namespace", objectNamespace, "does not match event.namespace");
    }
    if (!hasEventTime) {
      return;
    }
    String reporter = isNewGroup ? "reportingController" : "reportingComponent";
    String component = textAt(object, "reportingComponent");
    if (component.isEmpty()) {
      errors.addRequired(reporter, "");
    }
    ObjectNames.validateQualifiedName(component, reporter, errors);
    for (String field : List.of("reportingInstance", "action", "reason", "message")) {
      String value = textAt(object, field);
      int maxBytes = field.equals("message") ? MAX_MESSAGE_BYTES : MAX_FIELD_BYTES;
      if (value.isEmpty() && !field.equals("message")) {
        errors.addRequired(field, "");
      }
      if (TextSize.countBytes(value) > maxBytes) {
        errors.addInvalid(field, "", "can have at most " + maxBytes + " characters");
      }
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validateCommonFields(object, errors);
    if (!isNewGroup) {
      return;
    }
    if (!Objects.equals(valueAt(object, "series"), valueAt(old, "series"))) {
      validateSeries(object, errors);
    }
    for (String field : IMMUTABLE_FIELDS) {
      if (!Objects.equals(valueAt(object, field), valueAt(old, field))) {
        errors.addImmutable(
            field.equals("reportingComponent") ? "reportingController" : field,
            formatStruct(object, field));
      }
    }
  }

  // Formats a value like Kubernetes: its Go struct with every member.
  private static JsonElement formatStruct(JsonObject object, String field) {
    JsonElement value = valueAt(object, field);
    return switch (field) {
      case "involvedObject", "related" ->
          value == null ? JsonNull.INSTANCE : makeStruct(value, REFERENCE_FIELDS);
      case "source" -> makeStruct(value, SOURCE_FIELDS);
      case "count" -> value == null ? new JsonPrimitive(0) : value;
      case "firstTimestamp", "lastTimestamp", "eventTime" ->
          value == null ? JsonNull.INSTANCE : value;
      default -> value == null ? new JsonPrimitive("") : value;
    };
  }

  private static JsonObject makeStruct(@Nullable JsonElement value, List<String> members) {
    JsonObject struct = new JsonObject();
    for (String member : members) {
      String name =
          switch (member) {
            case "uid" -> "UID";
            case "apiVersion" -> "APIVersion";
            default -> Character.toUpperCase(member.charAt(0)) + member.substring(1);
          };
      struct.addProperty(name, value instanceof JsonObject o ? textAt(o, member) : "");
    }
    return struct;
  }

  @Override
  public @Nullable String findSelectableValue(JsonObject object, String field) {
    return switch (field) {
      case "reason", "type" -> textAt(object, field);
      case "reportingController" -> isNewGroup ? textAt(object, "reportingComponent") : null;
      case "reportingComponent" -> isNewGroup ? null : textAt(object, field);
      case "source" ->
          isNewGroup
              ? null
              : defaultIfEmpty(
                  textAt(object, "source", "component"), textAt(object, "reportingComponent"));
      default -> {
        String referencePrefix = isNewGroup ? "regarding." : "involvedObject.";
        boolean isReferenceField =
            field.startsWith(referencePrefix)
                && REFERENCE_FIELDS.contains(field.substring(referencePrefix.length()));
        yield isReferenceField
            ? textAt(object, "involvedObject", field.substring(referencePrefix.length()))
            : null;
      }
    };
  }

  @Override
  public MetadataChecks getMetadataChecks() {
    return isNewGroup ? MetadataChecks.CHANGE_ONLY : new MetadataChecks(0, 0);
  }

  @Override
  public boolean hasDnsNames() {
    return isNewGroup;
  }

  @Override
  public boolean hasStandardFinalizers() {
    return isNewGroup;
  }

  @Override
  public boolean isMetadataValidatedLast() {
    return !isNewGroup;
  }
}
