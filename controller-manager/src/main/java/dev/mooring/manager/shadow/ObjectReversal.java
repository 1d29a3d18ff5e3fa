package dev.mooring.manager.shadow;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.manager.shadow.pairing.FactKey;
import dev.mooring.manager.shadow.pairing.ObjectFacts;
import dev.mooring.manager.shadow.pairing.ObservedChange;

/** Restores the fields of a complete object that a change has changed. */
final class ObjectReversal {
  private final JsonObject object;

  ObjectReversal(JsonObject object) {
    this.object = object;
  }

  void revert(ObservedChange change) {
    for (FactKey fact : change.changes().keySet()) {
      if (fact.subject().equals(change.target())) {
        revert(fact.property(), change.before().getOrDefault(fact, ""));
      }
    }
  }

  private void revert(String property, String value) {
    int bracket = property.indexOf('[');
    if (bracket >= 0) {
      revertEntry(
          property.substring(0, bracket),
          property.substring(bracket + 1, property.length() - 1),
          value);
      return;
    }
    switch (property) {
      case "exists" -> member("metadata").remove("deletionTimestamp");
      case "spec.claimRef" -> revertClaimRef(value);
      case "spec.volumeName", "spec.storageClassName", "status.phase" ->
          set(
              member(property.substring(0, property.indexOf('.'))),
              property.substring(property.indexOf('.') + 1),
              value);
      case "status.accessModes", "status.capacity.storage" -> {
        if (value.isEmpty()) {
          member("status").remove(property.split("\\.")[1]);
        }
      }
      default -> {} // not needed to reproduce a decision
    }
  }

  private void revertEntry(String path, String name, String value) {
    switch (path) {
      case "metadata.annotations" -> set(child(member("metadata"), "annotations"), name, value);
      case "metadata.finalizers" ->
          revertElement(array(member("metadata"), "finalizers"), new JsonPrimitive(name), value);
      case "status.volumesAttached" -> {
        JsonObject entry = new JsonObject();
        entry.addProperty("name", name);
        entry.addProperty("devicePath", "");
        revertElement(array(member("status"), "volumesAttached"), entry, value);
      }
      default -> {}
    }
  }

  private static void revertElement(JsonArray array, JsonElement element, String value) {
    array.remove(element);
    if (!value.isEmpty()) {
      array.add(element);
    }
  }

  private void revertClaimRef(String value) {
    JsonObject spec = member("spec");
    if (value.isEmpty()) {
      spec.remove("claimRef");
      return;
    }
    JsonObject reference = new JsonObject();
    if (!value.equals(ObjectFacts.EMPTY_REF)) {
      int end = value.lastIndexOf(' ');
      int slash = value.indexOf('/');
      reference = child(spec, "claimRef");
      reference.addProperty("namespace", value.substring(0, Math.max(0, slash)));
      reference.addProperty("name", value.substring(slash + 1, end));
      String uid = value.substring(end + 1);
      set(reference, "uid", uid.equals(ObjectFacts.RESERVED) ? "" : uid);
    }
    spec.add("claimRef", reference);
  }

  private JsonObject member(String name) {
    return child(object, name);
  }

  private static JsonObject child(JsonObject parent, String name) {
    if (parent.get(name) instanceof JsonObject child) {
      return child;
    }
    JsonObject child = new JsonObject();
    parent.add(name, child);
    return child;
  }

  private static JsonArray array(JsonObject parent, String name) {
    if (parent.get(name) instanceof JsonArray array) {
      return array;
    }
    JsonArray array = new JsonArray();
    parent.add(name, array);
    return array;
  }

  private static void set(JsonObject parent, String name, String value) {
    if (value.isEmpty()) {
      parent.remove(name);
    } else {
      parent.addProperty(name, value);
    }
  }
}
