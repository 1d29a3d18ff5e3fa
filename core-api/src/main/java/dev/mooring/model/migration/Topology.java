package dev.mooring.model.migration;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.NodeAffinity.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Where a volume is, in its driver's words instead of Kubernetes'.
 *
 * <p>What the node affinity says counts before the volume's labels, the newer names of zone and
 * region before the older ones.
 */
final class Topology {
  static final String ZONE = "topology.kubernetes.io/zone";
  static final String REGION = "topology.kubernetes.io/region";
  static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
  static final String SEPARATOR = "__";

  private Topology() {}

  /** Of a driver that knows zones only; nodes with the older region label become rare. */
  static NodeAffinity zonal(NodeAffinity affinity, Map<String, String> labels, String key) {
    boolean old = speaksOld(affinity, labels);
    String zone = old ? OLD_ZONE : ZONE;
    NodeAffinity moved =
        has(affinity, zone)
            ? renamed(affinity, zone, key)
            : with(affinity, key, List.of(labels.getOrDefault(zone, "").split(SEPARATOR, -1)));
    return old ? renamed(moved, OLD_REGION, REGION) : moved;
  }

  /** Of a driver that knows zones and regions, of which a label names one each. */
  static NodeAffinity regional(
      NodeAffinity affinity, Map<String, String> labels, String zoneKey, String regionKey) {
    boolean old = speaksOld(affinity, labels);
    NodeAffinity zoned = moved(affinity, labels, old ? OLD_ZONE : ZONE, zoneKey);
    return moved(zoned, labels, old ? OLD_REGION : REGION, regionKey);
  }

  private static NodeAffinity moved(
      NodeAffinity affinity, Map<String, String> labels, String from, String to) {
    return has(affinity, from)
        ? renamed(affinity, from, to)
        : with(affinity, to, List.of(labels.getOrDefault(from, "")));
  }

  private static boolean speaksOld(NodeAffinity affinity, Map<String, String> labels) {
    if (names(affinity, ZONE)) {
      return false;
    }
    return names(affinity, OLD_ZONE) || !labels.containsKey(ZONE) && labels.containsKey(OLD_ZONE);
  }

  private static boolean names(NodeAffinity affinity, String key) {
    return affinity.terms().stream()
        .flatMap(term -> term.expressions().stream())
        .anyMatch(one -> one.key().equals(key));
  }

  /** Whether it says anything about the key: a requirement without values does not. */
  private static boolean has(NodeAffinity affinity, String key) {
    return affinity.terms().stream()
        .flatMap(term -> term.expressions().stream())
        .anyMatch(one -> one.key().equals(key) && !one.values().isEmpty());
  }

  static NodeAffinity renamed(NodeAffinity affinity, String from, String to) {
    List<Term> terms = new ArrayList<>();
    for (Term term : affinity.terms()) {
      terms.add(
          new Term(
              term.expressions().stream()
                  .map(one ->
                      one.key().equals(from)
                          ? new Requirement(to, one.operator(), one.values())
                          : one)
                  .toList(),
              term.fields()));
    }
    return new NodeAffinity(terms);
  }

  /** With one more requirement in every term. */
  private static NodeAffinity with(NodeAffinity affinity, String key, List<String> values) {
    TreeSet<String> sorted = new TreeSet<>();
    values.stream().map(String::strip).filter(value -> !value.isEmpty()).forEach(sorted::add);
    if (sorted.isEmpty()) {
      return affinity;
    }
    Requirement more = new Requirement(key, "In", List.copyOf(sorted));
    List<Term> before =
        affinity.terms().isEmpty() ? List.of(new Term(List.of(), List.of())) : affinity.terms();
    List<Term> terms = new ArrayList<>();
    for (Term term : before) {
      List<Requirement> expressions = new ArrayList<>(term.expressions());
      expressions.add(more);
      terms.add(new Term(expressions, term.fields()));
    }
    return new NodeAffinity(terms);
  }
}
