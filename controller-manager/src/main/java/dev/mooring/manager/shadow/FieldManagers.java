package dev.mooring.manager.shadow;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.manager.shadow.pairing.FactKey;
import dev.mooring.manager.shadow.pairing.ObjectFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds who last wrote a field, in an object's managedFields. */
final class FieldManagers {
  private static final Set<String> CONTROLLERS = Set.of("kube-controller-manager", "mooring");

  private FieldManagers() {}

  /**
   * Returns whether managedFields show that other actors than volume controllers wrote all these
   * fields. False if nothing is recorded, for example for a removed field.
   */
  static boolean areForeign(JsonObject object, Set<FactKey> facts) {
    Set<String> managers = new TreeSet<>();
    for (FactKey fact : facts) {
      managers.addAll(managersOf(object, pathOf(fact.property())));
    }
    return !managers.isEmpty() && Collections.disjoint(managers, CONTROLLERS);
  }

  private static List<String> pathOf(String property) {
    if (property.equals(ObjectFacts.CLAIM_REF)) {
      return List.of("f:spec", "f:claimRef", "f:uid");
    }
    int bracket = property.indexOf('[');
    String path = bracket < 0 ? property : property.substring(0, bracket);
    List<String> members = new ArrayList<>();
    for (String member : path.split("\\.")) {
      members.add("f:" + member);
    }
    if (bracket >= 0) {
      String name = property.substring(bracket + 1, property.length() - 1);
      members.add(path.endsWith("finalizers") ? "v:\"" + name + '"' : "f:" + name);
    }
    return members;
  }

  private static Set<String> managersOf(JsonObject object, List<String> path) {
    Set<String> managers = new TreeSet<>();
    if (object.get("metadata") instanceof JsonObject metadata
        && metadata.get("managedFields") instanceof JsonArray entries) {
      for (JsonElement entry : entries) {
        if (entry instanceof JsonObject members && has(members.get("fieldsV1"), path)) {
          managers.add(WholeObjects.textAt(members, "manager"));
        }
      }
    }
    return managers;
  }

  private static boolean has(@Nullable JsonElement fields, List<String> path) {
    @Nullable JsonElement current = fields;
    for (String member : path) {
      current = current instanceof JsonObject members ? members.get(member) : null;
    }
    return current != null;
  }
}
