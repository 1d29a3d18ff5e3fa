package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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
      Collection<StoredObject> definitions, String except, String group) {
    AcceptedNames all = new AcceptedNames(new HashSet<>(), new HashSet<>());
    for (StoredObject definition : definitions) {
      JsonObject tree = definition.tree();
      if (!definition.key().equals(except) && text(tree, "spec", "group").equals(group)) {
        all.resources.add(text(tree, "status", "acceptedNames", "plural"));
        all.resources.add(text(tree, "status", "acceptedNames", "singular"));
        all.resources.addAll(strings(tree, "status", "acceptedNames", "shortNames"));
        all.kinds.add(text(tree, "status", "acceptedNames", "kind"));
        all.kinds.add(text(tree, "status", "acceptedNames", "listKind"));
      }
    }
    all.resources.remove("");
    all.kinds.remove("");
    return all;
  }

  /**
   * Removes names that other definitions hold.
   *
   * @param names the names that a definition requests; afterwards those that it is given
   * @param before the names that it held
   * @return the last conflict
   */
  Optional<NameConflict> resolveConflicts(JsonObject names, JsonObject before) {
    Optional<NameConflict> found = Optional.empty();
    for (String field : List.of("plural", "singular", "shortNames", "kind", "listKind")) {
      Set<String> taken =
          field.toLowerCase(java.util.Locale.ROOT).endsWith("kind") ? kinds : resources;
      List<String> wanted =
          field.equals("shortNames") ? strings(names, field) : List.of(text(names, field));
      Optional<String> clash = wanted.stream().filter(taken::contains).findFirst();
      if (clash.isPresent()) {
        String reason = Character.toUpperCase(field.charAt(0)) + field.substring(1) + "Conflict";
        found = Optional.of(new NameConflict(reason, clash.get()));
        keep(names, before, field);
      }
    }
    return found;
  }

  private static void keep(JsonObject names, JsonObject before, String field) {
    JsonElement had = at(before, field);
    if (had != null) {
      names.add(field, had.deepCopy());
    } else if (field.equals("plural") || field.equals("kind")) {
      names.addProperty(field, "");
    } else {
      names.remove(field);
    }
  }
}
