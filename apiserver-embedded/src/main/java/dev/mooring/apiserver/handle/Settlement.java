package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.admit.Admission;
import dev.mooring.apiserver.kinds.FieldErrors;
import dev.mooring.apiserver.kinds.ObjectNames;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.kinds.Strategy;
import dev.mooring.apiserver.store.Stored;
import java.util.List;

/**
 * What becomes of a change: what may not change is put back, the rest is completed, looked at and
 * held against limits.
 */
record Settlement(Admission admission, ResourceType type, String name, WriteOptions options) {
  private static final List<String> KEPT =
      List.of(
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "generation",
          "namespace",
          "name");

  /** What is written instead of the current object. */
  JsonObject settle(JsonObject edited, Stored current) throws Problem {
    JsonObject old = current.tree();
    JsonObject object = edited;
    object.remove("kind");
    object.remove("apiVersion");
    JsonObject metadata = child(object, "metadata");
    Preconditions.update(type, name, options, metadata, current);
    if (type.namespaced()) {
      sameNamespace(metadata, old);
    }
    FieldErrors errors = new FieldErrors();
    immutable(metadata, old.getAsJsonObject("metadata"), errors);
    keepWhatIsTheServers(metadata, old);
    if (!options.dryRun()) {
      metadata.remove("selfLink"); // the storage takes it out, and what is not stored keeps it
    }
    metadata.addProperty("resourceVersion", Long.toString(current.version()));
    own(object, old);
    object =
        switch (options.subresource()) {
          case "status" -> status(object, current, errors);
          case "finalize" -> finalizers(object, current, errors);
          default -> main(object, old, errors);
        };
    boolean main = options.subresource().isEmpty();
    Strategy.Looks looks = main ? type.rules().looks() : Strategy.Looks.CHANGE;
    Preconditions.finalizersOfDeleted(object, old, looks, errors);
    prune(object);
    if (!errors.isEmpty()) {
      throw Problem.invalid(type, name, errors.all());
    }
    if (options.subresource().isEmpty()) {
      admission.update(type, name, object, old);
      admission.charge(type, object, old, options.dryRun());
    }
    return object;
  }

  private static void keepWhatIsTheServers(JsonObject metadata, JsonObject old) {
    for (String field : KEPT) {
      JsonElement was = at(old, "metadata", field);
      if (was == null) {
        metadata.remove(field);
      } else {
        metadata.add(field, was);
      }
    }
  }

  /** What has changed is the writer's from now on, if the writer has a name. */
  private void own(JsonObject object, JsonObject old) {
    if (options.manager().isEmpty()) {
      restore(child(object, "metadata"), old.getAsJsonObject("metadata"), "managedFields");
      return;
    }
    type.rules().setDefaults(object);
    if (!options.manager().equals(WriteOptions.SETTLED)) {
      Owners.note(options, type, old, object);
    }
  }

  private JsonObject status(JsonObject edited, Stored current, FieldErrors errors) {
    JsonObject object = current.copy();
    JsonObject metadata = child(edited, "metadata");
    JsonObject before = child(object, "metadata");
    type.rules().statusKeeps().forEach(member -> restore(metadata, before, member));
    object.add("metadata", metadata);
    if (type.isCustom() && !edited.has("status")) {
      object.remove("status");
    } else {
      object.add("status", edited.has("status") ? edited.get("status") : new JsonObject());
    }
    type.rules().prepareStatus(object, current.tree());
    ObjectNames.validateUpdate(type, child(object, "metadata"), Strategy.Looks.CHANGE, errors);
    type.rules().validateStatus(object, current.tree(), errors);
    return object;
  }

  private JsonObject finalizers(JsonObject edited, Stored current, FieldErrors errors) {
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
      ObjectNames.finalizer(now.get(i), "spec.finalizers[" + i + "]", errors);
    }
    return object;
  }

  private JsonObject main(JsonObject object, JsonObject old, FieldErrors errors) {
    if (type.hasStatus()) {
      restore(object, old, "status");
    }
    type.rules().setDefaults(object);
    admission.settle(type, object, old);
    type.rules().prepareUpdate(object, old);
    ObjectNames.validateUpdate(type, child(object, "metadata"), type.rules().looks(), errors);
    type.rules().validateUpdate(object, old, errors);
    return object;
  }

  /** What the server set once and for all. */
  private void immutable(JsonObject metadata, JsonObject old, FieldErrors errors) {
    boolean main = options.subresource().isEmpty();
    if (!main && !options.subresource().equals("status")) {
      return;
    }
    Strategy.Looks looks = main ? type.rules().looks() : Strategy.Looks.CHANGE;
    for (String field : List.of("uid", "deletionTimestamp", "deletionGracePeriodSeconds")) {
      JsonElement sent = metadata.get(field);
      boolean empty = sent == null || sent.isJsonNull() || sent.getAsString().isEmpty();
      boolean kept = !field.equals("uid") && !main && old.has(field);
      for (int i = 0; !empty && !kept && !sent.equals(old.get(field)) && i <= looks.change(); i++) {
        errors.immutable("metadata." + field, sent.getAsString());
      }
    }
  }

  private static void sameNamespace(JsonObject metadata, JsonObject old) throws Problem {
    String sent = text(metadata, "namespace");
    if (!sent.isEmpty() && !sent.equals(text(old, "metadata", "namespace"))) {
      throw Problem.badRequest(
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

  /** Empty labels, annotations and the like are absent in what Kubernetes stores. */
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
