package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.store.Stored;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names that definitions of a group have got.
 *
 * @param resources plural, singular and short names
 * @param kinds kinds and kinds of lists
 */
record AcceptedNames(Set<String> resources, Set<String> kinds) {
  /** A name that another definition has. */
  record Conflict(String reason, String name) {}

  /** Those of all definitions of the group but one. */
  static AcceptedNames ofOthers(Collection<Stored> definitions, String but, String group) {
    AcceptedNames all = new AcceptedNames(new HashSet<>(), new HashSet<>());
    for (Stored definition : definitions) {
      JsonObject tree = definition.tree();
      if (!definition.key().equals(but) && text(tree, "spec", "group").equals(group)) {
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
   * Takes those names back that others have.
   *
   * @param names what a definition wants, afterwards what it gets
   * @param before what it had
   * @return the last of the conflicts
   */
  Optional<Conflict> settle(JsonObject names, JsonObject before) {
    Optional<Conflict> found = Optional.empty();
    for (String field : List.of("plural", "singular", "shortNames", "kind", "listKind")) {
      Set<String> taken =
          field.toLowerCase(java.util.Locale.ROOT).endsWith("kind") ? kinds : resources;
      List<String> wanted =
          field.equals("shortNames") ? strings(names, field) : List.of(text(names, field));
      Optional<String> clash = wanted.stream().filter(taken::contains).findFirst();
      if (clash.isPresent()) {
        String reason = Character.toUpperCase(field.charAt(0)) + field.substring(1) + "Conflict";
        found = Optional.of(new Conflict(reason, clash.get()));
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
