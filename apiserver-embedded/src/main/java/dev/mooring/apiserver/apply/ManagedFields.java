package dev.mooring.apiserver.apply;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The entries of metadata.managedFields. Not thread-safe. */
final class ManagedFields {
  /**
   * A field manager.
   *
   * @param isApplier true if it applies, false if it updates
   * @param apiVersion the version of its writes; "" for an applier: it owns its fields regardless
   *     of the API version
   * @param subresource "" for the main resource
   */
  record FieldOwner(String manager, boolean isApplier, String apiVersion, String subresource) {
    FieldOwner {
      apiVersion = isApplier ? "" : apiVersion;
    }

    String describe() {
      String name = "\"" + manager + "\"";
      String suffix = subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"";
      return name + suffix + (isApplier ? "" : " using " + apiVersion);
    }
  }

  /**
   * The fields of an owner.
   *
   * @param apiVersion the version of its last write
   * @param time the time of its last change; "" if unknown
   */
  record OwnedFields(String apiVersion, String time, FieldSet fields) {
    OwnedFields withFields(FieldSet otherFields) {
      return new OwnedFields(apiVersion, time, otherFields);
    }
  }

  private static final int MAX_UPDATERS = 10;
  private static final String ANCIENT_CHANGES = "ancient-changes";

  private final Map<FieldOwner, OwnedFields> fieldsByOwner = new LinkedHashMap<>();

  Map<FieldOwner, OwnedFields> fieldsByOwner() {
    return fieldsByOwner;
  }

  /** Returns the entries of a list; null if one is malformed. */
  static @Nullable ManagedFields fromJson(@Nullable JsonElement list) {
    ManagedFields managed = new ManagedFields();
    if (!(list instanceof JsonArray entries)) {
      return managed;
    }
    for (JsonElement entryElement : entries) {
      JsonObject entry = entryElement.getAsJsonObject();
      String operation = textAt(entry, "operation");
      String version = textAt(entry, "apiVersion");
      JsonElement fieldsJson = entry.get("fieldsV1");
      FieldSet fields = fieldsJson == null ? new FieldSet() : FieldSet.fromJson(fieldsJson);
      if (!operation.equals("Apply") && !operation.equals("Update")
          || version.isEmpty()
          || !textAt(entry, "fieldsType").equals("FieldsV1")
          || fields == null) {
        return null;
      }
      FieldOwner owner =
          new FieldOwner(
              textAt(entry, "manager"),
              operation.equals("Apply"),
              version,
              textAt(entry, "subresource"));
      managed.fieldsByOwner.put(owner, new OwnedFields(version, textAt(entry, "time"), fields));
    }
    return managed;
  }

  void removeFromOthers(FieldSet fields, @Nullable FieldOwner exceptedOwner) {
    if (fields.isEmpty()) {
      return;
    }
    for (Map.Entry<FieldOwner, OwnedFields> entry : fieldsByOwner.entrySet()) {
      if (!entry.getKey().equals(exceptedOwner)) {
        entry.setValue(entry.getValue().withFields(entry.getValue().fields().subtract(fields)));
      }
    }
    fieldsByOwner.values().removeIf(s -> s.fields().isEmpty());
  }

  void mergeOldestUpdaters() {
    List<Map.Entry<FieldOwner, OwnedFields>> updaters =
        new ArrayList<>(
            fieldsByOwner.entrySet().stream().filter(e -> !e.getKey().isApplier()).toList());
    if (updaters.size() <= MAX_UPDATERS) {
      return;
    }
    updaters.sort(
        Comparator.<Map.Entry<FieldOwner, OwnedFields>, String>comparing(e -> e.getValue().time())
            .thenComparing(e -> e.getKey().manager()));
    Map<String, FieldOwner> firstOwners = new LinkedHashMap<>();
    int remaining = updaters.size();
    for (Map.Entry<FieldOwner, OwnedFields> entry : updaters) {
      if (remaining <= MAX_UPDATERS) {
        return;
      }
      String version = entry.getKey().apiVersion();
      FieldOwner firstOwner = firstOwners.putIfAbsent(version, entry.getKey());
      if (firstOwner == null) {
        continue;
      }
      FieldOwner bucket = new FieldOwner(ANCIENT_CHANGES, false, version, "");
      OwnedFields mergedFields =
          fieldsByOwner.containsKey(bucket)
              ? fieldsByOwner.get(bucket)
              : fieldsByOwner.remove(firstOwner);
      OwnedFields removed = fieldsByOwner.remove(entry.getKey());
      if (mergedFields != null && removed != null) {
        fieldsByOwner.put(
            bucket, removed.withFields(removed.fields().union(mergedFields.fields())));
        remaining--;
      }
    }
  }

  @Nullable JsonArray toJson() {
    if (fieldsByOwner.isEmpty()) {
      return null;
    }
    List<Map.Entry<FieldOwner, OwnedFields>> sorted = new ArrayList<>(fieldsByOwner.entrySet());
    sorted.sort(
        Comparator.<Map.Entry<FieldOwner, OwnedFields>, Boolean>comparing(
                e -> !e.getKey().isApplier())
            .thenComparing(e -> e.getValue().time())
            .thenComparing(e -> e.getKey().manager())
            .thenComparing(e -> e.getValue().apiVersion())
            .thenComparing(e -> e.getKey().subresource()));
    JsonArray list = new JsonArray();
    for (Map.Entry<FieldOwner, OwnedFields> entry : sorted) {
      JsonObject entryJson = newObject("manager", entry.getKey().manager());
      entryJson.addProperty("operation", entry.getKey().isApplier() ? "Apply" : "Update");
      entryJson.addProperty("apiVersion", entry.getValue().apiVersion());
      if (!entry.getValue().time().isEmpty()) {
        entryJson.addProperty("time", entry.getValue().time());
      }
      entryJson.addProperty("fieldsType", "FieldsV1");
      entryJson.add("fieldsV1", entry.getValue().fields().toJson());
      if (!entry.getKey().subresource().isEmpty()) {
        entryJson.addProperty("subresource", entry.getKey().subresource());
      }
      list.add(entryJson);
    }
    return list;
  }

  static String formatNow() {
    return CanonicalValues.formatSeconds(Instant.now());
  }
}
