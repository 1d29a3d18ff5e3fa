package dev.mooring.csi.decide;

import dev.mooring.spi.csi.CsiConnection.Topology;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Computes the topology requirement of a new volume (spec/csi-bridge.md 5.4). */
public final class TopologyRules {
  private static final int MAX_DIGITS = 10; // digits of a 32-bit number
  private static final Pattern NUMBERED = Pattern.compile("(.*)-([0-9]+)");
  private static final int FNV_BASIS = 0x811c9dc5;
  private static final int FNV_PRIME = 16777619;

  // Order of external-provisioner: by size, then by keys and values.
  private static final Comparator<Map<String, String>> ORDER =
      Comparator.<Map<String, String>>comparingInt(Map::size).thenComparing(TopologyRules::compare);

  private static int compare(Map<String, String> one, Map<String, String> other) {
    Iterator<Map.Entry<String, String>> others = new TreeMap<>(other).entrySet().iterator();
    for (Map.Entry<String, String> segment : new TreeMap<>(one).entrySet()) {
      Map.Entry<String, String> against = others.next();
      int byKey = segment.getKey().compareTo(against.getKey());
      int order = byKey != 0 ? byKey : segment.getValue().compareTo(against.getValue());
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /**
   * Policy of the topology requirement.
   *
   * @param strict whether only the selected node's segment is requested
   * @param immediate whether all segments are requested if no node is selected
   */
  public record Policy(boolean strict, boolean immediate) {
    public static final Policy DEFAULT = new Policy(false, true);
  }

  /**
   * Known nodes of the cluster.
   *
   * @param drivers the nodes on which the driver runs, by name
   * @param labels labels of every node: nodes without the driver count too, because it may start
   *     there
   */
  public record ClusterNodes(Map<String, DriverNode> drivers, List<Map<String, String>> labels) {}

  public record DriverNode(List<String> keys, Map<String, String> labels) {
    public Optional<Map<String, String>> term() {
      return TopologyRules.term(labels, keys);
    }
  }

  private static Optional<Map<String, String>> term(Map<String, String> labels, List<String> keys) {
    Map<String, String> term = new TreeMap<>();
    for (String key : keys) {
      String value = labels.get(key);
      if (value == null) {
        return Optional.empty();
      }
      term.put(key, value);
    }
    return Optional.of(Map.copyOf(term));
  }

  private TopologyRules() {}

  /**
   * Computes the requirement for a claim; empty if the driver gets none.
   *
   * @param claimName spreads the claims of a StatefulSet over the segments
   * @param selected the selected node's name; null if none
   * @param allowed the class's allowedTopologies
   */
  public static CheckResult<Optional<Topology>> requirement(
      String claimName,
      ClusterNodes nodes,
      @Nullable String selected,
      List<Map<String, List<String>>> allowed,
      Policy policy) {
    List<Map<String, String>> permitted = flattened(allowed);
    if (selected != null) {
      return onNode(nodes, selected, permitted, policy);
    }
    if (!permitted.isEmpty()) {
      return ordered(permitted, start(claimName, permitted.size()));
    }
    if (!policy.immediate()) {
      return new CheckResult.Valid<>(Optional.empty());
    }
    Optional<List<String>> keys =
        new TreeMap<>(nodes.drivers())
            .values().stream().map(DriverNode::keys).filter(k -> !k.isEmpty()).findFirst();
    if (keys.isEmpty()) {
      return new CheckResult.Invalid<>("no available topology found");
    }
    return cluster(nodes, keys.get()).then(all -> ordered(all, start(claimName, all.size())));
  }

  private static CheckResult<Optional<Topology>> onNode(
      ClusterNodes nodes, String selected, List<Map<String, String>> permitted, Policy policy) {
    DriverNode place = nodes.drivers().get(selected);
    if (place == null || place.keys().isEmpty()) {
      return new CheckResult.Invalid<>("no topology key found for node " + selected);
    }
    Optional<Map<String, String>> here = place.term();
    if (here.isEmpty()) {
      return new CheckResult.Invalid<>(
          "node %s lacks one of the labels %s that are topology keys of the driver"
              .formatted(selected, place.keys()));
    }
    if (policy.strict()) {
      return permitted.isEmpty() || indexWithin(permitted, here.get()) >= 0
          ? ordered(List.of(here.get()), 0)
          : notPermitted(selected);
    }
    CheckResult<List<Map<String, String>>> terms =
        permitted.isEmpty() ? cluster(nodes, place.keys()) : new CheckResult.Valid<>(permitted);
    return terms.then(all -> {
      int at = indexWithin(all, here.get());
      return at < 0 ? notPermitted(selected) : ordered(all, at);
    });
  }

  private static CheckResult<Optional<Topology>> notPermitted(String node) {
    return new CheckResult.Invalid<>(
        "selected node " + node + " is not in the class's allowedTopologies");
  }

  // Returns the index of the first term that the segment satisfies; -1 if none.
  private static int indexWithin(List<Map<String, String>> terms, Map<String, String> place) {
    for (int i = 0; i < terms.size(); i++) {
      if (place.entrySet().containsAll(terms.get(i).entrySet())) {
        return i;
      }
    }
    return -1;
  }

  private static CheckResult<List<Map<String, String>>> cluster(
      ClusterNodes nodes, List<String> keys) {
    List<Map<String, String>> all =
        sorted(nodes.labels().stream().flatMap(l -> term(l, keys).stream()).toList());
    return all.isEmpty()
        ? new CheckResult.Invalid<>("topologyKeys " + keys + " were not found on any nodes")
        : new CheckResult.Valid<>(all);
  }

  private static List<Map<String, String>> sorted(List<Map<String, String>> terms) {
    List<Map<String, String>> distinct = new ArrayList<>(new LinkedHashSet<>(terms));
    distinct.sort(ORDER);
    return List.copyOf(distinct);
  }

  private static CheckResult<Optional<Topology>> ordered(
      List<Map<String, String>> requisite, int first) {
    List<Map<String, String>> preferred =
        new ArrayList<>(requisite.subList(first, requisite.size()));
    preferred.addAll(requisite.subList(0, first));
    return new CheckResult.Valid<>(Optional.of(new Topology(requisite, List.copyOf(preferred))));
  }

  static List<Map<String, String>> flattened(List<Map<String, List<String>>> allowed) {
    Set<Map<String, String>> all = new LinkedHashSet<>();
    for (Map<String, List<String>> term : allowed) {
      List<Map<String, String>> product = List.of(Map.of());
      for (Map.Entry<String, List<String>> expression : term.entrySet()) {
        List<Map<String, String>> next = new ArrayList<>();
        for (Map<String, String> partial : product) {
          for (String value : expression.getValue()) {
            Map<String, String> extended = new TreeMap<>(partial);
            extended.put(expression.getKey(), value);
            next.add(Map.copyOf(extended));
          }
        }
        product = next;
      }
      all.addAll(product);
    }
    all.remove(Map.<String, String>of());
    return sorted(List.copyOf(all));
  }

  // Claims of the same StatefulSet pod start at the same segment, those of the next pod at the
  // next.
  static int start(String claimName, int terms) {
    Matcher numbered = NUMBERED.matcher(claimName);
    String base = claimName;
    long index = 0;
    if (numbered.matches()) {
      String digits = numbered.group(2).replaceFirst("^0+(?=.)", "");
      long number = digits.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
      if (number <= 0xffffffffL) { // external-provisioner parses 32 bits
        base = numbered.group(1).substring(numbered.group(1).lastIndexOf('-') + 1);
        index = number;
      }
    }
    return (int) (((hash(base) + index) & 0xffffffffL) % terms);
  }

  // FNV-1, 32 bits.
  static long hash(String text) {
    int hash = FNV_BASIS;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash *= FNV_PRIME;
      hash ^= b & 0xff;
    }
    return hash & 0xffffffffL;
  }
}
