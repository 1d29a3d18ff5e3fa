package dev.mooring.manager.rights;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRule.Verb;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A ClusterRole or Role with a minimal set of rules.
 *
 * @param namespace "" for a ClusterRole
 * @param rules in a fixed order
 */
public record RbacRole(String namespace, List<Rule> rules) {
  private static final Comparator<Target> ORDER =
      Comparator.comparing(Target::namespace)
          .thenComparing(Target::group)
          .thenComparing(Target::resource)
          .thenComparing(Target::name);

  public record Rule(String group, List<String> resources, List<String> names, List<Verb> verbs) {}

  /**
   * Builds minimal roles: a ClusterRole for cluster-wide rights, and one Role per namespace.
   * Cluster-wide rights are not repeated in the Roles.
   *
   * @param classNamespaces namespaces for rights whose namespace StorageClasses determine
   */
  public static List<RbacRole> allowing(
      Collection<RbacRule> rights, Collection<String> classNamespaces) {
    Map<Target, TreeSet<Verb>> verbs = new TreeMap<>(ORDER);
    for (RbacRule right : rights) {
      boolean isChosenByClasses = right.target().namespace().equals(Target.NAMESPACES_OF_CLASSES);
      for (String namespace :
          isChosenByClasses ? classNamespaces : List.of(right.target().namespace())) {
        verbs
            .computeIfAbsent(right.target().inNamespace(namespace), t -> new TreeSet<>())
            .add(right.verb());
      }
    }
    verbs.forEach((target, targetVerbs) -> {
      if (target.isNamespaced()) {
        targetVerbs.removeAll(verbs.getOrDefault(target.inNamespace(""), new TreeSet<>()));
      }
    });
    verbs.values().removeIf(TreeSet::isEmpty);
    Map<String, List<Rule>> roles = new TreeMap<>();
    verbs.forEach((target, targetVerbs) ->
        roles
            .computeIfAbsent(target.namespace(), n -> new ArrayList<>())
            .add(
                new Rule(
                    target.group(),
                    List.of(target.resource()),
                    target.name().isEmpty() ? List.of() : List.of(target.name()),
                    List.copyOf(targetVerbs))));
    return roles.entrySet().stream()
        .map(e -> new RbacRole(e.getKey(), mergeRules(e.getValue())))
        .toList();
  }

  private static List<Rule> mergeRules(List<Rule> rules) {
    Map<List<Object>, Rule> merged = new LinkedHashMap<>();
    for (Rule rule : rules) {
      merged.merge(
          List.of(rule.group, rule.names, rule.verbs),
          rule,
          (a, b) -> {
            List<String> resources = new ArrayList<>(a.resources);
            resources.addAll(b.resources);
            return new Rule(a.group, List.copyOf(resources), a.names, a.verbs);
          });
    }
    return List.copyOf(merged.values());
  }
}
