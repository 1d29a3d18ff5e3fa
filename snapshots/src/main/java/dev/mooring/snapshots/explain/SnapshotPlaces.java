package dev.mooring.snapshots.explain;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.TopologyText;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads where snapshots are usable: the nodeAffinity of their contents, which caches drop. Facts
 * that cannot be read are absent.
 */
public record SnapshotPlaces(LiveReader reader) {
  private static final String SPEC = "spec";
  private static final String USABLE_IN = "Usable in";

  public List<NamedFact> describeSource(Claim claim) throws InterruptedException {
    if (!claim.hasDataSource()) {
      return List.of();
    }
    Map<?, ?> spec = child(read(Kind.CLAIM, claim.key()), SPEC);
    Map<?, ?> source = child(spec, spec.get("dataSource") == null ? "dataSourceRef" : "dataSource");
    if (!text(source, "kind").equals(Kind.SNAPSHOT.kind())) {
      return List.of();
    }
    String namespace = text(source, "namespace");
    ObjectKey snapshot =
        ObjectKey.of(
            namespace.isEmpty() ? claim.key().namespace() : namespace, text(source, "name"));
    Map<?, ?> status = child(read(Kind.SNAPSHOT, snapshot), "status");
    List<NamedFact> places = describe(text(status, "boundVolumeSnapshotContentName"));
    if (places.isEmpty()) {
      return List.of();
    }
    List<NamedFact> facts = new ArrayList<>();
    facts.add(SnapshotText.fact("Name", snapshot.name()));
    facts.addAll(places);
    return List.copyOf(facts);
  }

  List<NamedFact> describe(String content) throws InterruptedException {
    if (content.isEmpty()) {
      return List.of();
    }
    Map<?, ?> spec = child(read(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster(content)), SPEC);
    List<Map<String, List<String>>> terms =
        children(spec, "nodeAffinity").stream().map(SnapshotPlaces::toTerm).toList();
    return terms.isEmpty()
        ? List.of()
        : List.of(SnapshotText.fact(USABLE_IN, TopologyText.describe(terms)));
  }

  private static Map<String, List<String>> toTerm(Map<?, ?> term) {
    Map<String, List<String>> expressions = new TreeMap<>();
    for (Map<?, ?> expression : children(term, "matchLabelExpressions")) {
      expressions.put(
          text(expression, "key"),
          expression.get("values") instanceof List<?> values
              ? values.stream().map(String::valueOf).toList()
              : List.of());
    }
    return expressions;
  }

  private Map<?, ?> read(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return reader.readWhole(kind, key)
            instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> document)
        ? document
        : Map.of();
  }

  private static Map<?, ?> child(Map<?, ?> object, String name) {
    return object.get(name) instanceof Map<?, ?> child ? child : Map.of();
  }

  private static List<Map<?, ?>> children(Map<?, ?> object, String name) {
    List<Map<?, ?>> children = new ArrayList<>();
    if (object.get(name) instanceof List<?> list) {
      for (Object element : list) {
        if (element instanceof Map<?, ?> child) {
          children.add(child);
        }
      }
    }
    return children;
  }

  private static String text(Map<?, ?> object, String name) {
    return object.get(name) instanceof String text ? text : "";
  }
}
