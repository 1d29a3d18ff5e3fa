package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.strings;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule of a role.
 *
 * @param groups the API groups
 * @param names the object names; empty for all
 * @param paths the non-resource URLs
 */
public record PolicyRule(
    List<String> verbs,
    List<String> groups,
    List<String> resources,
    List<String> names,
    List<String> paths) {
  private static final String ALL = "*";

  public static List<PolicyRule> of(JsonObject role) {
    List<PolicyRule> rules = new ArrayList<>();
    if (role.get("rules") instanceof JsonArray list) {
      list.forEach(one -> {
        JsonObject rule = one.getAsJsonObject();
        rules.add(
            new PolicyRule(
                strings(rule, "verbs"),
                strings(rule, "apiGroups"),
                strings(rule, "resources"),
                strings(rule, "resourceNames"),
                strings(rule, "nonResourceURLs")));
      });
    }
    return rules;
  }

  boolean allows(Attributes requested) {
    if (!verbs.contains(ALL) && !verbs.contains(requested.verb())) {
      return false;
    }
    if (!requested.isResource()) {
      return paths.stream().anyMatch(p -> covers(p, requested.path()));
    }
    return (groups.contains(ALL) || groups.contains(requested.group()))
        && resource(requested)
        && (names.isEmpty() || names.contains(requested.name()));
  }

  private boolean resource(Attributes requested) {
    return resources.contains(ALL)
        || resources.contains(requested.qualifiedResource())
        || !requested.subresource().isEmpty()
            && resources.contains(ALL + "/" + requested.subresource());
  }

  private static boolean covers(String pattern, String path) {
    return pattern.equals(ALL)
        || pattern.equals(path)
        || pattern.endsWith(ALL) && path.startsWith(pattern.substring(0, pattern.length() - 1));
  }

  /**
   * Splits the rule into rules with one verb, one group, one resource, one name or one path each.
   */
  List<PolicyRule> split() {
    List<PolicyRule> all = new ArrayList<>();
    for (String verb : verbs) {
      for (String path : paths) {
        all.add(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)));
      }
      for (String group : groups) {
        for (String resource : resources) {
          if (names.isEmpty()) {
            all.add(
                new PolicyRule(
                    List.of(verb), List.of(group), List.of(resource), List.of(), List.of()));
          }
          for (String name : names) {
            all.add(
                new PolicyRule(
                    List.of(verb), List.of(group), List.of(resource), List.of(name), List.of()));
          }
        }
      }
    }
    return all;
  }

  /**
   * Returns whether this rule grants everything that {@code other}, a result of {@link #split},
   * grants.
   */
  boolean covers(PolicyRule other) {
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

  String format() {
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
