package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.admit.AdmissionChain;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import dev.mooring.apiserver.store.StoredObject;
import java.util.List;

/**
 * Processes an update before it is stored: restores immutable fields, sets defaults, validates, and
 * checks limits.
 */
record ObjectUpdate(
    AdmissionChain admission, ResourceType type, String name, WriteOptions options) {
  private static final List<String> SERVER_FIELDS =
      List.of(
          """
          uid creationTimestamp deletionTimestamp deletionGracePeriodSeconds generation
          namespace name
          """
              .split("\\s+"));

  JsonObject prepare(JsonObject edited, StoredObject current) throws StatusException {
    JsonObject old = current.tree();
    JsonObject object = edited;
    object.remove("kind");
    object.remove("apiVersion");
    JsonObject metadata = getOrAddChild(object, "metadata");
    WritePreconditions.checkUpdate(type, name, options, metadata, current);
    if (type.namespaced()) {
      requireSameNamespace(metadata, old);
    }
    FieldErrors errors = new FieldErrors();
    checkImmutable(metadata, old.getAsJsonObject("metadata"), errors);
    restoreServerFields(metadata, old);
    if (!options.dryRun()) {
      metadata.remove("selfLink"); // storage removes it; objects that are not stored keep it
    }
    metadata.addProperty("resourceVersion", Long.toString(current.version()));
    recordOwner(object, old);
    object =
        switch (options.subresource()) {
          case "status", "approval" -> prepareStatus(object, current, errors);
          case "finalize" -> prepareFinalizers(object, current, errors);
          case "ephemeralcontainers", "resize" -> preparePart(object, current, errors);
          default -> prepareMain(object, old, errors);
        };
    WritePreconditions.rejectNewFinalizers(object, old, getChecks(), errors);
    pruneEmptyMetadata(object);
    if (!errors.isEmpty()) {
      throw StatusException.invalid(type, name, errors.getCauses());
    }
    makeCalls(old).validate("UPDATE", object, old);
    if (options.subresource().isEmpty()) {
      admission.checkUpdate(type, name, object, old);
      admission.charge(type, object, old, options.dryRun());
    }
    return object;
  }

  private KindStrategy.MetadataChecks getChecks() {
    return options.subresource().isEmpty()
        ? type.strategy().getMetadataChecks()
        : KindStrategy.MetadataChecks.CHANGE_ONLY;
  }

  WebhookCalls makeCalls(JsonObject old) {
    String namespace =
        type == KindCatalogue.NAMESPACES ? name : textAt(old, "metadata", "namespace");
    return new WebhookCalls(admission.webhooks(), type, options, namespace, name);
  }

  private JsonObject mutate(JsonObject object, JsonObject old) throws StatusException {
    JsonObject mutated = makeCalls(old).mutate("UPDATE", object, old);
    if (mutated != object) {
      type.strategy().setDefaults(mutated);
    }
    return mutated;
  }

  private static void restoreServerFields(JsonObject metadata, JsonObject old) {
    for (String field : SERVER_FIELDS) {
      JsonElement oldValue = valueAt(old, "metadata", field);
      if (oldValue == null) {
        metadata.remove(field);
      } else {
        metadata.add(field, oldValue);
      }
    }
  }

  // Makes the writer the owner of the changed fields, if it has a manager name.
  private void recordOwner(JsonObject object, JsonObject old) {
    if (options.manager().isEmpty()) {
      restoreMember(
          getOrAddChild(object, "metadata"), old.getAsJsonObject("metadata"), "managedFields");
      return;
    }
    type.strategy().setDefaults(object);
    if (!options.manager().equals(WriteOptions.OWNERSHIP_COMPUTED)) {
      FieldOwnerships.recordUpdate(options, type, old, object);
    }
  }

  private JsonObject prepareStatus(JsonObject edited, StoredObject current, FieldErrors errors)
      throws StatusException {
    JsonObject object = current.copy();
    JsonObject metadata = getOrAddChild(edited, "metadata");
    JsonObject oldMetadata = getOrAddChild(object, "metadata");
    type.strategy()
        .getMetadataKeptOnStatus()
        .forEach(member -> restoreMember(metadata, oldMetadata, member));
    object.add("metadata", metadata);
    if (type.isCustom() && !edited.has("status")) {
      object.remove("status");
    } else {
      object.add("status", edited.has("status") ? edited.get("status") : new JsonObject());
    }
    type.strategy().prepareStatus(object, current.tree());
    object = mutate(object, current.tree());
    ObjectNames.validateUpdate(
        type, getOrAddChild(object, "metadata"), KindStrategy.MetadataChecks.CHANGE_ONLY, errors);
    type.strategy().validateStatus(object, current.tree(), errors);
    return object;
  }

  private JsonObject preparePart(JsonObject edited, StoredObject current, FieldErrors errors)
      throws StatusException {
    JsonObject object = current.copy();
    restoreMember(
        getOrAddChild(object, "metadata"), getOrAddChild(edited, "metadata"), "managedFields");
    type.strategy().mergePart(options.subresource(), edited, object);
    type.strategy().setDefaults(object);
    object = mutate(object, current.tree());
    type.strategy().prepareUpdate(object, current.tree());
    type.strategy().validatePart(options.subresource(), object, current.tree(), errors);
    return object;
  }

  private JsonObject prepareFinalizers(
      JsonObject edited, StoredObject current, FieldErrors errors) {
    JsonObject object = current.copy();
    object.add("metadata", getOrAddChild(edited, "metadata"));
    JsonObject spec = new JsonObject();
    if (valueAt(edited, "spec", "finalizers") instanceof JsonArray list && !list.isEmpty()) {
      spec.add("finalizers", list);
    }
    object.add("spec", spec);
    type.strategy().setDefaults(object);
    List<String> finalizers = stringsAt(object, "spec", "finalizers");
    for (int i = 0; i < finalizers.size(); i++) {
      ObjectNames.validateFinalizer(finalizers.get(i), "spec.finalizers[" + i + "]", errors);
    }
    return object;
  }

  private JsonObject prepareMain(JsonObject edited, JsonObject old, FieldErrors errors)
      throws StatusException {
    if (type.hasStatus()) {
      restoreMember(edited, old, "status");
    }
    type.strategy().setDefaults(edited);
    admission.mutateUpdate(type, edited, old);
    JsonObject object = mutate(edited, old);
    if (object != edited && type.hasStatus()) {
      restoreMember(object, old, "status");
    }
    type.strategy().prepareUpdate(object, old);
    ObjectNames.validateUpdate(
        type, getOrAddChild(object, "metadata"), type.strategy().getMetadataChecks(), errors);
    type.strategy().validateUpdate(object, old, errors);
    return object;
  }

  private void checkImmutable(JsonObject metadata, JsonObject old, FieldErrors errors) {
    boolean isMainResource = options.subresource().isEmpty();
    if (!isMainResource && !List.of("status", "approval").contains(options.subresource())) {
      return;
    }
    KindStrategy.MetadataChecks checks = getChecks();
    for (String field : List.of("uid", "deletionTimestamp", "deletionGracePeriodSeconds")) {
      JsonElement sentValue = metadata.get(field);
      boolean isEmptyValue =
          sentValue == null || sentValue.isJsonNull() || sentValue.getAsString().isEmpty();
      boolean isRestored = !field.equals("uid") && !isMainResource && old.has(field);
      for (int i = 0;
          !isEmptyValue
              && !isRestored
              && !sentValue.equals(old.get(field))
              && i <= checks.changeChecks();
          i++) {
        errors.addImmutable("metadata." + field, sentValue.getAsString());
      }
    }
  }

  private static void requireSameNamespace(JsonObject metadata, JsonObject old)
      throws StatusException {
    String sentNamespace = textAt(metadata, "namespace");
    if (!sentNamespace.isEmpty() && !sentNamespace.equals(textAt(old, "metadata", "namespace"))) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private static void restoreMember(JsonObject object, JsonObject old, String field) {
    if (old.has(field)) {
      object.add(field, old.get(field).deepCopy());
    } else {
      object.remove(field);
    }
  }

  /** Removes empty labels, annotations and similar members, as Kubernetes' storage does. */
  static void pruneEmptyMetadata(JsonObject object) {
    JsonObject metadata = getOrAddChild(object, "metadata");
    for (String name : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
      JsonElement value = metadata.get(name);
      if (value instanceof JsonObject o && o.isEmpty()
          || value instanceof JsonArray a && a.isEmpty()) {
        metadata.remove(name);
      }
    }
    if (textAt(metadata, "generateName").isEmpty()) {
      metadata.remove("generateName");
    }
  }
}
