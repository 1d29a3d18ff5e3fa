package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.store.StoredObject;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names that the definitions of an API group have been given.
 *
 * @param resources plural, singular and short names
 * @param kinds kinds and list kinds
 */
record AcceptedNames(Set<String> resources, Set<String> kinds) {
  record NameConflict(String reason, String name) {}

  static AcceptedNames collectNamesOfOthers(
      Collection<StoredObject> definitions, String exceptedName, String group) {
    AcceptedNames accepted = new AcceptedNames(new HashSet<>(), new HashSet<>());
    for (StoredObject definition : definitions) {
      JsonObject tree = definition.tree();
      if (!definition.key().equals(exceptedName) && textAt(tree, "spec", "group").equals(group)) {
        accepted.resources.add(textAt(tree, "status", "acceptedNames", "plural"));
        accepted.resources.add(textAt(tree, "status", "acceptedNames", "singular"));
        accepted.resources.addAll(stringsAt(tree, "status", "acceptedNames", "shortNames"));
        accepted.kinds.add(textAt(tree, "status", "acceptedNames", "kind"));
        accepted.kinds.add(textAt(tree, "status", "acceptedNames", "listKind"));
      }
    }
    accepted.resources.remove("");
    accepted.kinds.remove("");
    return accepted;
  }

  /**
   * Removes names that other definitions hold.
   *
   * @param names the names that a definition requests; afterwards those that it is given
   * @param oldNames the names that it held
   * @return the last conflict
   */
  Optional<NameConflict> resolveConflicts(JsonObject names, JsonObject oldNames) {
    Optional<NameConflict> conflict = Optional.empty();
    for (String field : List.of("plural", "singular", "shortNames", "kind", "listKind")) {
      Set<String> takenNames =
          field.toLowerCase(java.util.Locale.ROOT).endsWith("kind") ? kinds : resources;
      List<String> requestedNames =
          field.equals("shortNames") ? stringsAt(names, field) : List.of(textAt(names, field));
      Optional<String> takenName = requestedNames.stream().filter(takenNames::contains).findFirst();
      if (takenName.isPresent()) {
        String reason = Character.toUpperCase(field.charAt(0)) + field.substring(1) + "Conflict";
        conflict = Optional.of(new NameConflict(reason, takenName.get()));
        restoreName(names, oldNames, field);
      }
    }
    return conflict;
  }

  private static void restoreName(JsonObject names, JsonObject oldNames, String field) {
    JsonElement oldName = valueAt(oldNames, field);
    if (oldName != null) {
      names.add(field, oldName.deepCopy());
    } else if (field.equals("plural") || field.equals("kind")) {
      names.addProperty(field, "");
    } else {
      names.remove(field);
    }
  }
}
