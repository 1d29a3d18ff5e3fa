package dev.mooring.manager.grow;

import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A StatefulSet as the API server stores it, with all fields. */
public record StoredStatefulSet(Map<String, Object> members) {
  private static final String METADATA = "metadata";
  private static final String FIELD_MANAGERS = "managedFields";
  private static final String TEMPLATES = "volumeClaimTemplates";
  private static final String OWN_MANAGER = "mooring";
  private static final List<String> OF_COLLECTOR = List.of("orphan", "foregroundDeletion");
  private static final List<String> KEPT_METADATA =
      List.of("name", "namespace", "labels", "annotations", "ownerReferences");
  private static final String[] STORAGE = {"spec", "resources", "requests", "storage"};

  public record ClaimTemplate(String name, Quantity size) {}

  Uid uid() {
    return Uid.of(JsonMembers.textAt(members, METADATA, "uid"));
  }

  long version() {
    String version = JsonMembers.textAt(members, METADATA, "resourceVersion");
    return version.isEmpty() ? 0 : Long.parseLong(version);
  }

  boolean isBeingDeleted() {
    return !JsonMembers.textAt(members, METADATA, "deletionTimestamp").isEmpty();
  }

  List<ClaimTemplate> templates() {
    return JsonMembers.listAt(members, "spec", TEMPLATES).stream()
        .map(template ->
            new ClaimTemplate(
                JsonMembers.textAt(template, METADATA, "name"),
                Quantity.parse(JsonMembers.textAt(template, STORAGE)).orElse(Quantity.ZERO)))
        .toList();
  }

  List<String> foreignFinalizers() {
    return JsonMembers.listAt(members, METADATA, "finalizers").stream()
        .map(Objects::toString)
        .filter(finalizer -> !OF_COLLECTOR.contains(finalizer))
        .toList();
  }

  Optional<String> owner() {
    return JsonMembers.listAt(members, METADATA, "ownerReferences").stream()
        .filter(owner -> Boolean.TRUE.equals(JsonMembers.at(owner, "controller")))
        .map(owner -> JsonMembers.textAt(owner, "kind") + " " + JsonMembers.textAt(owner, "name"))
        .findFirst();
  }

  /**
   * Returns whether a partition keeps some pods at an earlier revision. A new StatefulSet does not
   * know that revision, so these pods would restart with the new one.
   */
  boolean isPartiallyUpdated() {
    Object partition =
        JsonMembers.at(members, "spec", "updateStrategy", "rollingUpdate", "partition");
    return partition instanceof Number number
        && number.longValue() > 0
        && !JsonMembers.textAt(members, "status", "currentRevision")
            .equals(JsonMembers.textAt(members, "status", "updateRevision"));
  }

  List<?> fieldManagers() {
    return JsonMembers.listAt(members, METADATA, FIELD_MANAGERS).stream()
        .filter(entry -> JsonMembers.textAt(entry, "subresource").isEmpty())
        .toList();
  }

  boolean isManagedHereOnly() {
    return fieldManagers().stream()
        .allMatch(entry -> JsonMembers.textAt(entry, "manager").equals(OWN_MANAGER));
  }

  /**
   * Returns the StatefulSet to create again: with another size in a template, with the entries of
   * field managers, and without what the API server sets.
   */
  Map<String, Object> manifest(String template, Quantity size) {
    Map<String, Object> copy = JsonMembers.copy(members);
    copy.remove("status");
    Map<String, Object> metadata = new LinkedHashMap<>();
    for (String name : KEPT_METADATA) {
      Object value = JsonMembers.at(copy, METADATA, name);
      if (value != null) {
        metadata.put(name, value);
      }
    }
    List<?> managers = new StoredStatefulSet(copy).fieldManagers();
    if (!managers.isEmpty()) {
      metadata.put(FIELD_MANAGERS, managers);
    }
    copy.put("apiVersion", GrowthRequest.STATEFUL_SET.apiVersion());
    copy.put("kind", GrowthRequest.STATEFUL_SET.kind());
    copy.put(METADATA, metadata);
    List<Object> templates = new ArrayList<>();
    for (Object claimTemplate : JsonMembers.listAt(copy, "spec", TEMPLATES)) {
      templates.add(claimTemplate);
      if (JsonMembers.textAt(claimTemplate, METADATA, "name").equals(template)) {
        templates.set(templates.size() - 1, withSize(claimTemplate, size));
      }
    }
    JsonMembers.replace(copy, templates, "spec", TEMPLATES);
    return copy;
  }

  private static Map<String, Object> withSize(Object template, Quantity size) {
    Map<String, Object> copy = new LinkedHashMap<>();
    ((Map<?, ?>) template).forEach((name, value) -> copy.put(name.toString(), value));
    JsonMembers.replace(copy, size.toString(), STORAGE);
    return copy;
  }

  static Map<String, Object> withoutFieldManagers(Map<String, Object> manifest) {
    Map<String, Object> copy = JsonMembers.copy(manifest);
    if (copy.get(METADATA) instanceof Map<?, ?> metadata) {
      metadata.remove(FIELD_MANAGERS);
    }
    return copy;
  }

  static Map<String, Object> renamed(Map<String, Object> manifest, String name) {
    Map<String, Object> copy = JsonMembers.copy(manifest);
    JsonMembers.replace(copy, name, METADATA, "name");
    return copy;
  }
}
