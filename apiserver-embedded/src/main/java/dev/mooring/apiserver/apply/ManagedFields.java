package dev.mooring.apiserver.apply;

import static dev.mooring.apiserver.codec.JsonBodies.objectOf;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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
   * @param applies true if it applies, false if it updates
   * @param apiVersion the version of its writes; "" for an applier: it owns its fields regardless
   *     of the API version
   * @param subresource "" for the main resource
   */
  record FieldOwner(String manager, boolean applies, String apiVersion, String subresource) {
    FieldOwner {
      apiVersion = applies ? "" : apiVersion;
    }

    String describe() {
      String name = "\"" + manager + "\"";
      String where = subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"";
      return name + where + (applies ? "" : " using " + apiVersion);
    }
  }

  /**
   * The fields of an owner.
   *
   * @param apiVersion the version of its last write
   * @param time the time of its last change; "" if unknown
   */
  record OwnedFields(String apiVersion, String time, FieldSet fields) {
    OwnedFields with(FieldSet others) {
      return new OwnedFields(apiVersion, time, others);
    }
  }

  private static final int UPDATERS = 10;
  private static final String ANCIENT = "ancient-changes";

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
    for (JsonElement one : entries) {
      JsonObject entry = one.getAsJsonObject();
      String operation = text(entry, "operation");
      String version = text(entry, "apiVersion");
      JsonElement written = entry.get("fieldsV1");
      FieldSet fields = written == null ? new FieldSet() : FieldSet.fromJson(written);
      if (!operation.equals("Apply") && !operation.equals("Update")
          || version.isEmpty()
          || !text(entry, "fieldsType").equals("FieldsV1")
          || fields == null) {
        return null;
      }
      FieldOwner owner =
          new FieldOwner(
              text(entry, "manager"),
              operation.equals("Apply"),
              version,
              text(entry, "subresource"));
      managed.fieldsByOwner.put(owner, new OwnedFields(version, text(entry, "time"), fields));
    }
    return managed;
  }

  void removeFromOthers(FieldSet fields, @Nullable FieldOwner except) {
    if (fields.isEmpty()) {
      return;
    }
    for (Map.Entry<FieldOwner, OwnedFields> entry : fieldsByOwner.entrySet()) {
      if (!entry.getKey().equals(except)) {
        entry.setValue(entry.getValue().with(entry.getValue().fields().difference(fields)));
      }
    }
    fieldsByOwner.values().removeIf(s -> s.fields().isEmpty());
  }

  void limitUpdaters() {
    List<Map.Entry<FieldOwner, OwnedFields>> updaters =
        new ArrayList<>(
            fieldsByOwner.entrySet().stream().filter(e -> !e.getKey().applies()).toList());
    if (updaters.size() <= UPDATERS) {
      return;
    }
    updaters.sort(
        Comparator.<Map.Entry<FieldOwner, OwnedFields>, String>comparing(e -> e.getValue().time())
            .thenComparing(e -> e.getKey().manager()));
    Map<String, FieldOwner> first = new LinkedHashMap<>();
    int left = updaters.size();
    for (Map.Entry<FieldOwner, OwnedFields> entry : updaters) {
      if (left <= UPDATERS) {
        return;
      }
      String version = entry.getKey().apiVersion();
      FieldOwner before = first.putIfAbsent(version, entry.getKey());
      if (before == null) {
        continue;
      }
      FieldOwner bucket = new FieldOwner(ANCIENT, false, version, "");
      OwnedFields had =
          fieldsByOwner.containsKey(bucket)
              ? fieldsByOwner.get(bucket)
              : fieldsByOwner.remove(before);
      OwnedFields removed = fieldsByOwner.remove(entry.getKey());
      if (had != null && removed != null) {
        fieldsByOwner.put(bucket, removed.with(removed.fields().union(had.fields())));
        left--;
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
                e -> !e.getKey().applies())
            .thenComparing(e -> e.getValue().time())
            .thenComparing(e -> e.getKey().manager())
            .thenComparing(e -> e.getValue().apiVersion())
            .thenComparing(e -> e.getKey().subresource()));
    JsonArray list = new JsonArray();
    for (Map.Entry<FieldOwner, OwnedFields> entry : sorted) {
      JsonObject one = objectOf("manager", entry.getKey().manager());
      one.addProperty("operation", entry.getKey().applies() ? "Apply" : "Update");
      one.addProperty("apiVersion", entry.getValue().apiVersion());
      if (!entry.getValue().time().isEmpty()) {
        one.addProperty("time", entry.getValue().time());
      }
      one.addProperty("fieldsType", "FieldsV1");
      one.add("fieldsV1", entry.getValue().fields().toJson());
      if (!entry.getKey().subresource().isEmpty()) {
        one.addProperty("subresource", entry.getKey().subresource());
      }
      list.add(one);
    }
    return list;
  }

  static String formatNow() {
    return CanonicalValues.formatSeconds(Instant.now());
  }
}
