package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.admit.AdmissionChain;
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
  private static final List<String> KEPT =
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
    JsonObject metadata = child(object, "metadata");
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
          case "status" -> prepareStatus(object, current, errors);
          case "finalize" -> prepareFinalizers(object, current, errors);
          default -> prepareMain(object, old, errors);
        };
    boolean main = options.subresource().isEmpty();
    KindStrategy.MetadataChecks checks =
        main ? type.rules().getMetadataChecks() : KindStrategy.MetadataChecks.CHANGE;
    WritePreconditions.rejectNewFinalizers(object, old, checks, errors);
    prune(object);
    if (!errors.isEmpty()) {
      throw StatusException.invalid(type, name, errors.all());
    }
    if (options.subresource().isEmpty()) {
      admission.checkUpdate(type, name, object, old);
      admission.charge(type, object, old, options.dryRun());
    }
    return object;
  }

  private static void restoreServerFields(JsonObject metadata, JsonObject old) {
    for (String field : KEPT) {
      JsonElement was = at(old, "metadata", field);
      if (was == null) {
        metadata.remove(field);
      } else {
        metadata.add(field, was);
      }
    }
  }

  // Makes the writer the owner of the changed fields, if it has a manager name.
  private void recordOwner(JsonObject object, JsonObject old) {
    if (options.manager().isEmpty()) {
      restore(child(object, "metadata"), old.getAsJsonObject("metadata"), "managedFields");
      return;
    }
    type.rules().setDefaults(object);
    if (!options.manager().equals(WriteOptions.SETTLED)) {
      FieldOwnerships.recordUpdate(options, type, old, object);
    }
  }

  private JsonObject prepareStatus(JsonObject edited, StoredObject current, FieldErrors errors) {
    JsonObject object = current.copy();
    JsonObject metadata = child(edited, "metadata");
    JsonObject before = child(object, "metadata");
    type.rules().getMetadataKeptOnStatus().forEach(member -> restore(metadata, before, member));
    object.add("metadata", metadata);
    if (type.isCustom() && !edited.has("status")) {
      object.remove("status");
    } else {
      object.add("status", edited.has("status") ? edited.get("status") : new JsonObject());
    }
    type.rules().prepareStatus(object, current.tree());
    ObjectNames.validateUpdate(
        type, child(object, "metadata"), KindStrategy.MetadataChecks.CHANGE, errors);
    type.rules().validateStatus(object, current.tree(), errors);
    return object;
  }

  private JsonObject prepareFinalizers(
      JsonObject edited, StoredObject current, FieldErrors errors) {
    JsonObject object = current.copy();
    object.add("metadata", child(edited, "metadata"));
    JsonObject spec = new JsonObject();
    if (at(edited, "spec", "finalizers") instanceof JsonArray list && !list.isEmpty()) {
      spec.add("finalizers", list);
    }
    object.add("spec", spec);
    type.rules().setDefaults(object);
    List<String> now = strings(object, "spec", "finalizers");
    for (int i = 0; i < now.size(); i++) {
      ObjectNames.validateFinalizer(now.get(i), "spec.finalizers[" + i + "]", errors);
    }
    return object;
  }

  private JsonObject prepareMain(JsonObject object, JsonObject old, FieldErrors errors) {
    if (type.hasStatus()) {
      restore(object, old, "status");
    }
    type.rules().setDefaults(object);
    admission.mutateUpdate(type, object, old);
    type.rules().prepareUpdate(object, old);
    ObjectNames.validateUpdate(
        type, child(object, "metadata"), type.rules().getMetadataChecks(), errors);
    type.rules().validateUpdate(object, old, errors);
    return object;
  }

  private void checkImmutable(JsonObject metadata, JsonObject old, FieldErrors errors) {
    boolean main = options.subresource().isEmpty();
    if (!main && !options.subresource().equals("status")) {
      return;
    }
    KindStrategy.MetadataChecks checks =
        main ? type.rules().getMetadataChecks() : KindStrategy.MetadataChecks.CHANGE;
    for (String field : List.of("uid", "deletionTimestamp", "deletionGracePeriodSeconds")) {
      JsonElement sent = metadata.get(field);
      boolean empty = sent == null || sent.isJsonNull() || sent.getAsString().isEmpty();
      boolean kept = !field.equals("uid") && !main && old.has(field);
      for (int i = 0;
          !empty && !kept && !sent.equals(old.get(field)) && i <= checks.change();
          i++) {
        errors.addImmutable("metadata." + field, sent.getAsString());
      }
    }
  }

  private static void requireSameNamespace(JsonObject metadata, JsonObject old)
      throws StatusException {
    String sent = text(metadata, "namespace");
    if (!sent.isEmpty() && !sent.equals(text(old, "metadata", "namespace"))) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private static void restore(JsonObject object, JsonObject old, String field) {
    if (old.has(field)) {
      object.add(field, old.get(field).deepCopy());
    } else {
      object.remove(field);
    }
  }

  /** Removes empty labels, annotations and similar members, as Kubernetes' storage does. */
  static void prune(JsonObject object) {
    JsonObject metadata = child(object, "metadata");
    for (String name : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
      JsonElement value = metadata.get(name);
      if (value instanceof JsonObject o && o.isEmpty()
          || value instanceof JsonArray a && a.isEmpty()) {
        metadata.remove(name);
      }
    }
    for (String empty : List.of("generateName")) {
      if (text(metadata, empty).isEmpty()) {
        metadata.remove(empty);
      }
    }
  }
}
