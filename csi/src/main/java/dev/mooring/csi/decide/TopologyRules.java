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

/** Computes the topology requirement of a new volume. */
public final class TopologyRules {
  private static final int MAX_DIGITS = 10; // digits of a 32-bit number
  private static final Pattern NUMBERED = Pattern.compile("(.*)-([0-9]+)");
  private static final int FNV_BASIS = 0x811c9dc5;
  private static final int FNV_PRIME = 16777619;

  // Order of external-provisioner: by size, then by keys and values.
  private static final Comparator<Map<String, String>> ORDER =
      Comparator.<Map<String, String>>comparingInt(Map::size).thenComparing(TopologyRules::compare);

  private static int compare(Map<String, String> first, Map<String, String> second) {
    Iterator<Map.Entry<String, String>> secondSegments =
        new TreeMap<>(second).entrySet().iterator();
    for (Map.Entry<String, String> segment : new TreeMap<>(first).entrySet()) {
      Map.Entry<String, String> secondSegment = secondSegments.next();
      int byKey = segment.getKey().compareTo(secondSegment.getKey());
      int order = byKey != 0 ? byKey : segment.getValue().compareTo(secondSegment.getValue());
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
      return TopologyRules.selectTerm(labels, keys);
    }
  }

  private static Optional<Map<String, String>> selectTerm(
      Map<String, String> labels, List<String> keys) {
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
   * @param selectedNode the selected node's name; null if none
   * @param allowedTopologies the class's allowedTopologies
   */
  public static CheckResult<Optional<Topology>> computeRequirement(
      String claimName,
      ClusterNodes nodes,
      @Nullable String selectedNode,
      List<Map<String, List<String>>> allowedTopologies,
      Policy policy) {
    List<Map<String, String>> permittedTerms = flatten(allowedTopologies);
    if (selectedNode != null) {
      return computeForNode(nodes, selectedNode, permittedTerms, policy);
    }
    if (!permittedTerms.isEmpty()) {
      return toRequirement(permittedTerms, firstTermIndex(claimName, permittedTerms.size()));
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
    return collectTerms(nodes, keys.get())
        .then(terms -> toRequirement(terms, firstTermIndex(claimName, terms.size())));
  }

  private static CheckResult<Optional<Topology>> computeForNode(
      ClusterNodes nodes,
      String selectedNode,
      List<Map<String, String>> permittedTerms,
      Policy policy) {
    DriverNode driverNode = nodes.drivers().get(selectedNode);
    if (driverNode == null || driverNode.keys().isEmpty()) {
      return new CheckResult.Invalid<>("no topology key found for node " + selectedNode);
    }
    Optional<Map<String, String>> segment = driverNode.term();
    if (segment.isEmpty()) {
      return new CheckResult.Invalid<>(
          "node %s lacks one of the labels %s that are topology keys of the driver"
              .formatted(selectedNode, driverNode.keys()));
    }
    if (policy.strict()) {
      return permittedTerms.isEmpty() || findTerm(permittedTerms, segment.get()) >= 0
          ? toRequirement(List.of(segment.get()), 0)
          : rejectNode(selectedNode);
    }
    CheckResult<List<Map<String, String>>> terms =
        permittedTerms.isEmpty()
            ? collectTerms(nodes, driverNode.keys())
            : new CheckResult.Valid<>(permittedTerms);
    return terms.then(candidates -> {
      int index = findTerm(candidates, segment.get());
      return index < 0 ? rejectNode(selectedNode) : toRequirement(candidates, index);
    });
  }

  private static CheckResult<Optional<Topology>> rejectNode(String node) {
    return new CheckResult.Invalid<>(
        "selected node " + node + " is not in the class's allowedTopologies");
  }

  // Returns the index of the first term that the segment satisfies; -1 if none.
  private static int findTerm(List<Map<String, String>> terms, Map<String, String> segment) {
    for (int i = 0; i < terms.size(); i++) {
      if (segment.entrySet().containsAll(terms.get(i).entrySet())) {
        return i;
      }
    }
    return -1;
  }

  private static CheckResult<List<Map<String, String>>> collectTerms(
      ClusterNodes nodes, List<String> keys) {
    List<Map<String, String>> terms =
        sortDistinct(nodes.labels().stream().flatMap(l -> selectTerm(l, keys).stream()).toList());
    return terms.isEmpty()
        ? new CheckResult.Invalid<>("topologyKeys " + keys + " were not found on any nodes")
        : new CheckResult.Valid<>(terms);
  }

  private static List<Map<String, String>> sortDistinct(List<Map<String, String>> terms) {
    List<Map<String, String>> distinct = new ArrayList<>(new LinkedHashSet<>(terms));
    distinct.sort(ORDER);
    return List.copyOf(distinct);
  }

  private static CheckResult<Optional<Topology>> toRequirement(
      List<Map<String, String>> requisite, int firstIndex) {
    List<Map<String, String>> preferred =
        new ArrayList<>(requisite.subList(firstIndex, requisite.size()));
    preferred.addAll(requisite.subList(0, firstIndex));
    return new CheckResult.Valid<>(Optional.of(new Topology(requisite, List.copyOf(preferred))));
  }

  /**
   * Combines the topologies that a class allows with those where a snapshot can be restored
   * (KEP-5943). Empty terms allow every topology.
   */
  public static CheckResult<List<Map<String, List<String>>>> restrictToSnapshot(
      List<Map<String, List<String>>> allowedTopologies,
      List<Map<String, List<String>>> snapshotTopologies) {
    if (allowedTopologies.isEmpty() || snapshotTopologies.isEmpty()) {
      return new CheckResult.Valid<>(
          allowedTopologies.isEmpty() ? snapshotTopologies : allowedTopologies);
    }
    List<Map<String, List<String>>> common = new ArrayList<>();
    for (Map<String, List<String>> allowedTerm : allowedTopologies) {
      for (Map<String, List<String>> snapshotTerm : snapshotTopologies) {
        Map<String, List<String>> term = new TreeMap<>(allowedTerm);
        snapshotTerm.forEach((key, values) ->
            term.merge(key, values, (a, b) -> a.stream().filter(b::contains).toList()));
        if (term.values().stream().noneMatch(List::isEmpty)) {
          common.add(term);
        }
      }
    }
    return common.isEmpty()
        ? new CheckResult.Invalid<>(
            "the class's allowedTopologies %s exclude the snapshot's nodeAffinity %s"
                .formatted(allowedTopologies, snapshotTopologies))
        : new CheckResult.Valid<>(List.copyOf(common));
  }

  public static List<Map<String, String>> flatten(
      List<Map<String, List<String>>> allowedTopologies) {
    Set<Map<String, String>> terms = new LinkedHashSet<>();
    for (Map<String, List<String>> term : allowedTopologies) {
      List<Map<String, String>> product = List.of(Map.of());
      for (Map.Entry<String, List<String>> expression : term.entrySet()) {
        List<Map<String, String>> extendedProduct = new ArrayList<>();
        for (Map<String, String> partial : product) {
          for (String value : expression.getValue()) {
            Map<String, String> extended = new TreeMap<>(partial);
            extended.put(expression.getKey(), value);
            extendedProduct.add(Map.copyOf(extended));
          }
        }
        product = extendedProduct;
      }
      terms.addAll(product);
    }
    terms.remove(Map.<String, String>of());
    return sortDistinct(List.copyOf(terms));
  }

  // Claims of the same StatefulSet pod start at the same segment, those of the next pod at the
  // next.
  static int firstTermIndex(String claimName, int termCount) {
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
    return (int) (((hash(base) + index) & 0xffffffffL) % termCount);
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
