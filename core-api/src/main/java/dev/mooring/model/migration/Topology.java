package dev.mooring.model.migration;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.NodeAffinity.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Translates a volume's location from Kubernetes' label keys to its driver's keys.
 *
 * <p>Node affinity takes precedence over the volume's labels; current zone and region keys take
 * precedence over the deprecated ones.
 */
final class Topology {
  static final String ZONE = "topology.kubernetes.io/zone";
  static final String REGION = "topology.kubernetes.io/region";
  static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
  static final String SEPARATOR = "__";

  private Topology() {}

  /**
   * Translates for a driver with zones only. Also replaces the deprecated region key, because few
   * nodes still have that label.
   */
  static NodeAffinity translateZone(NodeAffinity affinity, Map<String, String> labels, String key) {
    boolean usesDeprecated = usesDeprecatedKeys(affinity, labels);
    String zone = usesDeprecated ? OLD_ZONE : ZONE;
    NodeAffinity translated =
        hasValues(affinity, zone)
            ? renameKey(affinity, zone, key)
            : addRequirement(
                affinity, key, List.of(labels.getOrDefault(zone, "").split(SEPARATOR, -1)));
    return usesDeprecated ? renameKey(translated, OLD_REGION, REGION) : translated;
  }

  static NodeAffinity translateZoneAndRegion(
      NodeAffinity affinity, Map<String, String> labels, String zoneKey, String regionKey) {
    boolean usesDeprecated = usesDeprecatedKeys(affinity, labels);
    NodeAffinity zoned = translateKey(affinity, labels, usesDeprecated ? OLD_ZONE : ZONE, zoneKey);
    return translateKey(zoned, labels, usesDeprecated ? OLD_REGION : REGION, regionKey);
  }

  private static NodeAffinity translateKey(
      NodeAffinity affinity, Map<String, String> labels, String fromKey, String toKey) {
    return hasValues(affinity, fromKey)
        ? renameKey(affinity, fromKey, toKey)
        : addRequirement(affinity, toKey, List.of(labels.getOrDefault(fromKey, "")));
  }

  private static boolean usesDeprecatedKeys(NodeAffinity affinity, Map<String, String> labels) {
    if (hasKey(affinity, ZONE)) {
      return false;
    }
    return hasKey(affinity, OLD_ZONE) || !labels.containsKey(ZONE) && labels.containsKey(OLD_ZONE);
  }

  private static boolean hasKey(NodeAffinity affinity, String key) {
    return affinity.terms().stream()
        .flatMap(term -> term.expressions().stream())
        .anyMatch(requirement -> requirement.key().equals(key));
  }

  /**
   * Returns whether a requirement for the key has values; Kubernetes ignores one without values.
   */
  private static boolean hasValues(NodeAffinity affinity, String key) {
    return affinity.terms().stream()
        .flatMap(term -> term.expressions().stream())
        .anyMatch(requirement -> requirement.key().equals(key) && !requirement.values().isEmpty());
  }

  static NodeAffinity renameKey(NodeAffinity affinity, String fromKey, String toKey) {
    List<Term> terms = new ArrayList<>();
    for (Term term : affinity.terms()) {
      terms.add(
          new Term(
              term.expressions().stream()
                  .map(requirement ->
                      requirement.key().equals(fromKey)
                          ? new Requirement(toKey, requirement.operator(), requirement.values())
                          : requirement)
                  .toList(),
              term.fields()));
    }
    return new NodeAffinity(terms);
  }

  private static NodeAffinity addRequirement(
      NodeAffinity affinity, String key, List<String> values) {
    TreeSet<String> sorted = new TreeSet<>();
    values.stream().map(String::strip).filter(value -> !value.isEmpty()).forEach(sorted::add);
    if (sorted.isEmpty()) {
      return affinity;
    }
    Requirement added = new Requirement(key, "In", List.copyOf(sorted));
    List<Term> existing =
        affinity.terms().isEmpty() ? List.of(new Term(List.of(), List.of())) : affinity.terms();
    List<Term> terms = new ArrayList<>();
    for (Term term : existing) {
      List<Requirement> expressions = new ArrayList<>(term.expressions());
      expressions.add(added);
      terms.add(new Term(expressions, term.fields()));
    }
    return new NodeAffinity(terms);
  }
}
