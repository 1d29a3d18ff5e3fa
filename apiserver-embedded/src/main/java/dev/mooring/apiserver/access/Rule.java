package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.strings;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule of a role.
 *
 * @param verbs what may be done
 * @param groups to which groups'
 * @param resources resources
 * @param names of which names, none for all
 * @param paths or to which paths
 */
public record Rule(
    List<String> verbs,
    List<String> groups,
    List<String> resources,
    List<String> names,
    List<String> paths) {
  private static final String ALL = "*";

  /** The rules of a role. */
  public static List<Rule> of(JsonObject role) {
    List<Rule> rules = new ArrayList<>();
    if (role.get("rules") instanceof JsonArray list) {
      list.forEach(one -> {
        JsonObject rule = one.getAsJsonObject();
        rules.add(
            new Rule(
                strings(rule, "verbs"),
                strings(rule, "apiGroups"),
                strings(rule, "resources"),
                strings(rule, "resourceNames"),
                strings(rule, "nonResourceURLs")));
      });
    }
    return rules;
  }

  /** Whether it allows that. */
  boolean allows(Attributes asked) {
    if (!verbs.contains(ALL) && !verbs.contains(asked.verb())) {
      return false;
    }
    if (!asked.isResource()) {
      return paths.stream().anyMatch(p -> covers(p, asked.path()));
    }
    return (groups.contains(ALL) || groups.contains(asked.group()))
        && resource(asked)
        && (names.isEmpty() || names.contains(asked.name()));
  }

  private boolean resource(Attributes asked) {
    return resources.contains(ALL)
        || resources.contains(asked.combined())
        || !asked.subresource().isEmpty() && resources.contains(ALL + "/" + asked.subresource());
  }

  private static boolean covers(String pattern, String path) {
    return pattern.equals(ALL)
        || pattern.equals(path)
        || pattern.endsWith(ALL) && path.startsWith(pattern.substring(0, pattern.length() - 1));
  }

  /** The same as rules with one verb, one group, one resource, one name or one path each. */
  List<Rule> single() {
    List<Rule> all = new ArrayList<>();
    for (String verb : verbs) {
      for (String path : paths) {
        all.add(new Rule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)));
      }
      for (String group : groups) {
        for (String resource : resources) {
          if (names.isEmpty()) {
            all.add(
                new Rule(List.of(verb), List.of(group), List.of(resource), List.of(), List.of()));
          }
          for (String name : names) {
            all.add(
                new Rule(
                    List.of(verb), List.of(group), List.of(resource), List.of(name), List.of()));
          }
        }
      }
    }
    return all;
  }

  /** Whether everything that the other, a single one, allows is allowed here too. */
  boolean covers(Rule other) {
    if (!verbs.contains(ALL) && !verbs.containsAll(other.verbs)) {
      return false;
    }
    if (!other.paths.isEmpty()) {
      return other.paths.stream().allMatch(p -> paths.stream().anyMatch(q -> covers(q, p)));
    }
    boolean named = names.isEmpty() || !other.names.isEmpty() && names.containsAll(other.names);
    return named
        && (groups.contains(ALL) || groups.containsAll(other.groups))
        && other.resources.stream().allMatch(this::coversResource);
  }

  private boolean coversResource(String resource) {
    int slash = resource.indexOf('/');
    return resources.contains(ALL)
        || resources.contains(resource)
        || slash >= 0 && resources.contains(ALL + resource.substring(slash));
  }

  /** As messages about escalation show it. */
  String told() {
    List<String> parts = new ArrayList<>();
    list("APIGroups", groups, parts);
    list("Resources", resources, parts);
    list("ResourceNames", names, parts);
    list("NonResourceURLs", paths, parts);
    list("Verbs", verbs, parts);
    return "{" + String.join(", ", parts) + "}";
  }

  private static void list(String name, List<String> values, List<String> parts) {
    if (!values.isEmpty()) {
      parts.add(name + ":[\"" + String.join("\" \"", values) + "\"]");
    }
  }
}
