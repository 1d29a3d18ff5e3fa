package dev.mooring.snapshots.explain;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.TopologyText;
import dev.mooring.live.RawObject;
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
    RawObject spec = read(Kind.CLAIM, claim.key()).at(SPEC);
    RawObject source = spec.at(spec.contains("dataSource") ? "dataSource" : "dataSourceRef");
    if (!source.text("kind").equals(Kind.SNAPSHOT.kind())) {
      return List.of();
    }
    String namespace = source.text("namespace");
    ObjectKey snapshot =
        ObjectKey.of(
            namespace.isEmpty() ? claim.key().namespace() : namespace, source.text("name"));
    List<NamedFact> places =
        describe(read(Kind.SNAPSHOT, snapshot).text("status", "boundVolumeSnapshotContentName"));
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
    RawObject spec = read(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster(content)).at(SPEC);
    List<Map<String, List<String>>> terms =
        spec.objects("nodeAffinity").stream().map(SnapshotPlaces::toTerm).toList();
    return terms.isEmpty()
        ? List.of()
        : List.of(SnapshotText.fact(USABLE_IN, TopologyText.describe(terms)));
  }

  private static Map<String, List<String>> toTerm(RawObject term) {
    Map<String, List<String>> expressions = new TreeMap<>();
    for (RawObject expression : term.objects("matchLabelExpressions")) {
      expressions.put(expression.text("key"), expression.list("values"));
    }
    return expressions;
  }

  private RawObject read(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return reader.readWhole(kind, key)
            instanceof ReadResult.Found<Map<String, Object>>(Map<String, Object> document)
        ? new RawObject(document)
        : new RawObject(Map.of());
  }
}
