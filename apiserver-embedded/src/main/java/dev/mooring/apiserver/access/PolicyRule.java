package dev.mooring.apiserver.access;

import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;

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
  private static final String ANY = "*";

  public static List<PolicyRule> parseRules(JsonObject role) {
    List<PolicyRule> rules = new ArrayList<>();
    if (role.get("rules") instanceof JsonArray list) {
      list.forEach(ruleElement -> {
        JsonObject rule = ruleElement.getAsJsonObject();
        rules.add(
            new PolicyRule(
                stringsAt(rule, "verbs"),
                stringsAt(rule, "apiGroups"),
                stringsAt(rule, "resources"),
                stringsAt(rule, "resourceNames"),
                stringsAt(rule, "nonResourceURLs")));
      });
    }
    return rules;
  }

  boolean allows(Attributes attributes) {
    if (!verbs.contains(ANY) && !verbs.contains(attributes.verb())) {
      return false;
    }
    if (!attributes.isResource()) {
      return paths.stream().anyMatch(p -> isPathCovered(p, attributes.path()));
    }
    return (groups.contains(ANY) || groups.contains(attributes.group()))
        && hasResource(attributes)
        && (names.isEmpty() || names.contains(attributes.name()));
  }

  private boolean hasResource(Attributes attributes) {
    return resources.contains(ANY)
        || resources.contains(attributes.qualifiedResource())
        || !attributes.subresource().isEmpty()
            && resources.contains(ANY + "/" + attributes.subresource());
  }

  private static boolean isPathCovered(String pattern, String path) {
    return pattern.equals(ANY)
        || pattern.equals(path)
        || pattern.endsWith(ANY) && path.startsWith(pattern.substring(0, pattern.length() - 1));
  }

  /**
   * Splits the rule into rules with one verb, one group, one resource, one name or one path each.
   */
  List<PolicyRule> split() {
    List<PolicyRule> singleRules = new ArrayList<>();
    for (String verb : verbs) {
      for (String path : paths) {
        singleRules.add(
            new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(path)));
      }
      for (String group : groups) {
        for (String resource : resources) {
          if (names.isEmpty()) {
            singleRules.add(
                new PolicyRule(
                    List.of(verb), List.of(group), List.of(resource), List.of(), List.of()));
          }
          for (String name : names) {
            singleRules.add(
                new PolicyRule(
                    List.of(verb), List.of(group), List.of(resource), List.of(name), List.of()));
          }
        }
      }
    }
    return singleRules;
  }

  /**
   * Returns whether this rule grants everything that {@code other}, a result of {@link #split},
   * grants.
   */
  boolean covers(PolicyRule other) {
    if (!verbs.contains(ANY) && !verbs.containsAll(other.verbs)) {
      return false;
    }
    if (!other.paths.isEmpty()) {
      return other.paths.stream().allMatch(p -> paths.stream().anyMatch(q -> isPathCovered(q, p)));
    }
    boolean coversNames =
        names.isEmpty() || !other.names.isEmpty() && names.containsAll(other.names);
    return coversNames
        && (groups.contains(ANY) || groups.containsAll(other.groups))
        && other.resources.stream().allMatch(this::isCoveringResource);
  }

  private boolean isCoveringResource(String resource) {
    int slash = resource.indexOf('/');
    return resources.contains(ANY)
        || resources.contains(resource)
        || slash >= 0 && resources.contains(ANY + resource.substring(slash));
  }

  String format() {
    List<String> members = new ArrayList<>();
    addMember("APIGroups", groups, members);
    addMember("Resources", resources, members);
    addMember("ResourceNames", names, members);
    addMember("NonResourceURLs", paths, members);
    addMember("Verbs", verbs, members);
    return "{" + String.join(", ", members) + "}";
  }

  private static void addMember(String name, List<String> values, List<String> members) {
    if (!values.isEmpty()) {
      members.add(name + ":[\"" + String.join("\" \"", values) + "\"]");
    }
  }
}
