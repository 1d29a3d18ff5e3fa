package dev.mooring.apiserver.apply;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** metadata.managedFields: who owns what. Not thread-safe. */
final class Managed {
  /**
   * An owner.
   *
   * @param manager its name
   * @param applies whether it applies; else it updates
   * @param apiVersion the version of what it wrote; one who applies is the same in all
   * @param subresource "" or what it wrote to
   */
  record Owner(String manager, boolean applies, String apiVersion, String subresource) {
    Owner {
      apiVersion = applies ? "" : apiVersion;
    }

    /** How conflicts name it. */
    String told() {
      String name = "\"" + manager + "\"";
      String where = subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"";
      return name + where + (applies ? "" : " using " + apiVersion);
    }
  }

  /**
   * What an owner has.
   *
   * @param apiVersion the version of its last write
   * @param time when it last changed; "" if unknown
   * @param fields its fields
   */
  record Share(String apiVersion, String time, FieldSet fields) {
    Share with(FieldSet others) {
      return new Share(apiVersion, time, others);
    }
  }

  private static final int UPDATERS = 10;
  private static final String ANCIENT = "ancient-changes";

  private final Map<Owner, Share> shares = new LinkedHashMap<>();

  Map<Owner, Share> shares() {
    return shares;
  }

  /** Reads the list; null if an entry is none. */
  static @Nullable Managed of(@Nullable JsonElement list) {
    Managed managed = new Managed();
    if (!(list instanceof JsonArray entries)) {
      return managed;
    }
    for (JsonElement one : entries) {
      JsonObject entry = one.getAsJsonObject();
      String operation = text(entry, "operation");
      String version = text(entry, "apiVersion");
      JsonElement written = entry.get("fieldsV1");
      FieldSet fields = written == null ? new FieldSet() : FieldSet.of(written);
      if (!operation.equals("Apply") && !operation.equals("Update")
          || version.isEmpty()
          || !text(entry, "fieldsType").equals("FieldsV1")
          || fields == null) {
        return null;
      }
      Owner owner =
          new Owner(
              text(entry, "manager"),
              operation.equals("Apply"),
              version,
              text(entry, "subresource"));
      managed.shares.put(owner, new Share(version, text(entry, "time"), fields));
    }
    return managed;
  }

  /** Takes fields from everybody but one. */
  void take(FieldSet fields, @Nullable Owner but) {
    if (fields.isEmpty()) {
      return;
    }
    for (Map.Entry<Owner, Share> entry : shares.entrySet()) {
      if (!entry.getKey().equals(but)) {
        entry.setValue(entry.getValue().with(entry.getValue().fields().difference(fields)));
      }
    }
    shares.values().removeIf(s -> s.fields().isEmpty());
  }

  /** The oldest of too many updaters become one. */
  void cap() {
    List<Map.Entry<Owner, Share>> updaters =
        new ArrayList<>(shares.entrySet().stream().filter(e -> !e.getKey().applies()).toList());
    if (updaters.size() <= UPDATERS) {
      return;
    }
    updaters.sort(
        Comparator.<Map.Entry<Owner, Share>, String>comparing(e -> e.getValue().time())
            .thenComparing(e -> e.getKey().manager()));
    Map<String, Owner> first = new LinkedHashMap<>();
    int left = updaters.size();
    for (Map.Entry<Owner, Share> entry : updaters) {
      if (left <= UPDATERS) {
        return;
      }
      String version = entry.getKey().apiVersion();
      Owner before = first.putIfAbsent(version, entry.getKey());
      if (before == null) {
        continue;
      }
      Owner bucket = new Owner(ANCIENT, false, version, "");
      Share had = shares.containsKey(bucket) ? shares.get(bucket) : shares.remove(before);
      Share gone = shares.remove(entry.getKey());
      if (had != null && gone != null) {
        shares.put(bucket, gone.with(gone.fields().union(had.fields())));
        left--;
      }
    }
  }

  /** The list as it stands in metadata, null if nobody owns anything. */
  @Nullable JsonArray json() {
    if (shares.isEmpty()) {
      return null;
    }
    List<Map.Entry<Owner, Share>> sorted = new ArrayList<>(shares.entrySet());
    sorted.sort(
        Comparator.<Map.Entry<Owner, Share>, Boolean>comparing(e -> !e.getKey().applies())
            .thenComparing(e -> e.getValue().time())
            .thenComparing(e -> e.getKey().manager())
            .thenComparing(e -> e.getValue().apiVersion())
            .thenComparing(e -> e.getKey().subresource()));
    JsonArray list = new JsonArray();
    for (Map.Entry<Owner, Share> entry : sorted) {
      JsonObject one = new JsonObject();
      one.addProperty("manager", entry.getKey().manager());
      one.addProperty("operation", entry.getKey().applies() ? "Apply" : "Update");
      one.addProperty("apiVersion", entry.getValue().apiVersion());
      if (!entry.getValue().time().isEmpty()) {
        one.addProperty("time", entry.getValue().time());
      }
      one.addProperty("fieldsType", "FieldsV1");
      one.add("fieldsV1", entry.getValue().fields().json());
      if (!entry.getKey().subresource().isEmpty()) {
        one.addProperty("subresource", entry.getKey().subresource());
      }
      list.add(one);
    }
    return list;
  }

  static String now() {
    return Values.seconds(Instant.now());
  }
}
