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

/** Where a volume may be made (spec/csi-bridge.md 5.4). */
public final class Topologies {
  private static final int MOST_DIGITS = 10; // of 32 bits
  private static final Pattern NUMBERED = Pattern.compile("(.*)-([0-9]+)");
  private static final int FNV_BASIS = 0x811c9dc5;
  private static final int FNV_PRIME = 16777619;

  /** Terms in the sidecar's order: by size, then key by key and value by value. */
  private static final Comparator<Map<String, String>> ORDER =
      Comparator.<Map<String, String>>comparingInt(Map::size).thenComparing(Topologies::compare);

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
   * How the driver is told where.
   *
   * @param strict whether only the selected node's place is named
   * @param immediate whether volumes that no node was selected for are told all places
   */
  public record Policy(boolean strict, boolean immediate) {
    /** As external-provisioner by default. */
    public static final Policy DEFAULT = new Policy(false, true);
  }

  /**
   * What is known of the cluster's nodes.
   *
   * @param drivers the nodes on which the driver runs, by name
   * @param labels the labels of every node: one where the driver does not run (yet) has a place too
   */
  public record Nodes(Map<String, Place> drivers, List<Map<String, String>> labels) {}

  /**
   * A node on which the driver runs.
   *
   * @param keys the labels that say where it is, possibly none
   * @param labels its labels
   */
  public record Place(List<String> keys, Map<String, String> labels) {
    /** Where it is, if all its labels are there. */
    public Optional<Map<String, String>> term() {
      return Topologies.term(labels, keys);
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

  private Topologies() {}

  /**
   * Works out the requirement for a claim.
   *
   * @param claimName spreads the claims of a StatefulSet over the places
   * @param nodes the cluster's nodes
   * @param selected the selected node's name, null for none
   * @param allowed the class's allowedTopologies
   * @return empty if the driver is told nothing
   */
  public static Checked<Optional<Topology>> requirement(
      String claimName,
      Nodes nodes,
      @Nullable String selected,
      List<Map<String, List<String>>> allowed,
      Policy policy) {
    List<Map<String, String>> permitted = flattened(allowed);
    if (selected != null) {
      return onNode(nodes, selected, permitted, policy);
    }
    if (!permitted.isEmpty()) {
      return told(permitted, start(claimName, permitted.size()));
    }
    if (!policy.immediate()) {
      return new Checked.Valid<>(Optional.empty());
    }
    Optional<List<String>> keys =
        new TreeMap<>(nodes.drivers())
            .values().stream().map(Place::keys).filter(k -> !k.isEmpty()).findFirst();
    if (keys.isEmpty()) {
      return new Checked.Invalid<>("no available topology found");
    }
    return cluster(nodes, keys.get()).then(all -> told(all, start(claimName, all.size())));
  }

  private static Checked<Optional<Topology>> onNode(
      Nodes nodes, String selected, List<Map<String, String>> permitted, Policy policy) {
    Place place = nodes.drivers().get(selected);
    if (place == null || place.keys().isEmpty()) {
      return new Checked.Invalid<>("no topology key found for node " + selected);
    }
    Optional<Map<String, String>> here = place.term();
    if (here.isEmpty()) {
      return new Checked.Invalid<>(
          "node "
              + selected
              + " lacks one of the labels "
              + place.keys()
              + " that say where it is");
    }
    if (policy.strict()) {
      return permitted.isEmpty() || indexWithin(permitted, here.get()) >= 0
          ? told(List.of(here.get()), 0)
          : notPermitted(selected);
    }
    Checked<List<Map<String, String>>> terms =
        permitted.isEmpty() ? cluster(nodes, place.keys()) : new Checked.Valid<>(permitted);
    return terms.then(all -> {
      int at = indexWithin(all, here.get());
      return at < 0 ? notPermitted(selected) : told(all, at);
    });
  }

  private static Checked<Optional<Topology>> notPermitted(String node) {
    return new Checked.Invalid<>(
        "the place of selected node " + node + " is not among the class's allowedTopologies");
  }

  /** The first term that holds at that place, -1 for none. */
  private static int indexWithin(List<Map<String, String>> terms, Map<String, String> place) {
    for (int i = 0; i < terms.size(); i++) {
      if (place.entrySet().containsAll(terms.get(i).entrySet())) {
        return i;
      }
    }
    return -1;
  }

  private static Checked<List<Map<String, String>>> cluster(Nodes nodes, List<String> keys) {
    List<Map<String, String>> all =
        sorted(nodes.labels().stream().flatMap(l -> term(l, keys).stream()).toList());
    return all.isEmpty()
        ? new Checked.Invalid<>("topologyKeys " + keys + " were not found on any nodes")
        : new Checked.Valid<>(all);
  }

  private static List<Map<String, String>> sorted(List<Map<String, String>> terms) {
    List<Map<String, String>> distinct = new ArrayList<>(new LinkedHashSet<>(terms));
    distinct.sort(ORDER);
    return List.copyOf(distinct);
  }

  private static Checked<Optional<Topology>> told(List<Map<String, String>> requisite, int first) {
    List<Map<String, String>> preferred =
        new ArrayList<>(requisite.subList(first, requisite.size()));
    preferred.addAll(requisite.subList(0, first));
    return new Checked.Valid<>(Optional.of(new Topology(requisite, List.copyOf(preferred))));
  }

  /** Every combination of the values of every term. */
  static List<Map<String, String>> flattened(List<Map<String, List<String>>> allowed) {
    Set<Map<String, String>> all = new LinkedHashSet<>();
    for (Map<String, List<String>> term : allowed) {
      List<Map<String, String>> product = List.of(Map.of());
      for (Map.Entry<String, List<String>> expression : term.entrySet()) {
        List<Map<String, String>> next = new ArrayList<>();
        for (Map<String, String> begun : product) {
          for (String value : expression.getValue()) {
            Map<String, String> grown = new TreeMap<>(begun);
            grown.put(expression.getKey(), value);
            next.add(Map.copyOf(grown));
          }
        }
        product = next;
      }
      all.addAll(product);
    }
    all.remove(Map.<String, String>of());
    return sorted(List.copyOf(all));
  }

  /**
   * All claims of one pod of a StatefulSet begin at the same place, those of the next at the next.
   */
  static int start(String claimName, int terms) {
    Matcher numbered = NUMBERED.matcher(claimName);
    String base = claimName;
    long index = 0;
    if (numbered.matches()) {
      String digits = numbered.group(2).replaceFirst("^0+(?=.)", "");
      long number = digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
      if (number <= 0xffffffffL) { // a larger one is no number to the sidecar
        base = numbered.group(1).substring(numbered.group(1).lastIndexOf('-') + 1);
        index = number;
      }
    }
    return (int) (((hash(base) + index) & 0xffffffffL) % terms);
  }

  /** FNV-1, 32 bits. */
  static long hash(String text) {
    int hash = FNV_BASIS;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash *= FNV_PRIME;
      hash ^= b & 0xff;
    }
    return hash & 0xffffffffL;
  }
}
