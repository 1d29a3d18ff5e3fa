package dev.mooring.manager.explain;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.manager.audit.AuditFiles;
import dev.mooring.manager.audit.AuditLine;
import dev.mooring.manager.audit.Timeline;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Compat;
import dev.mooring.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains a cluster on request. Each request reads the cluster, so answers are never stale.
 * Read-only. Thread-safe; blocks.
 */
public record ClusterAnswers(
    ListedClusterView.Source source, Understanding understanding, Time time) {
  private static final int LINES = 10;
  private static final Kind<PartialObject> NAMESPACE =
      new Kind<>("", "v1", "namespaces", "Namespace", false, PartialObject.class);

  public record Understanding(Compat compat, @Nullable AuditFiles audit) {}

  private ClusterExplainers explainers(ListedClusterView clusterView) {
    return new ClusterExplainers(clusterView, understanding.compat(), time);
  }

  public ExplainAnswer about(ExplainedObject asked)
      throws NotAnsweredException, InterruptedException {
    Resource found = read(source.reader(), asked.kind(), asked.key());
    ListedClusterView clusterView =
        ListedClusterView.read(
            source, asked.key().namespace(), ClusterExplainers.reads(List.of(asked.kind())), found);
    List<Explanation> explanations =
        explainers(clusterView).explain(asked.kind(), asked.key(), Detail.EVIDENCE);
    if (explanations.isEmpty()) {
      throw new NotAnsweredException(
          asked.kind() + " " + asked.key() + " was deleted during the request: try again");
    }
    return new ExplainAnswer(
        TimelineText.addActions(
            EventEvidence.addEvents(explanations, found, clusterView.events()),
            found.key(),
            done(asked)),
        1,
        asked,
        List.of());
  }

  private List<AuditLine> done(ExplainedObject asked) throws NotAnsweredException {
    AuditFiles audit = understanding.audit();
    if (audit == null) {
      return List.of();
    }
    try {
      return Timeline.read(audit, asked.kind(), asked.key()).last(LINES).lines();
    } catch (IOException e) {
      throw new NotAnsweredException(String.valueOf(e.getMessage()));
    }
  }

  private static <T extends Resource> T read(LiveReader reader, Kind<T> kind, ObjectKey key)
      throws NotAnsweredException, InterruptedException {
    return switch (reader.read(kind, key)) {
      case ReadResult.Found<T>(T found) -> found;
      case ReadResult.Absent<T> _ ->
          throw new NotAnsweredException(
              "not found: "
                  + kind
                  + " \""
                  + key.name()
                  + "\""
                  + (key.namespace().isEmpty()
                      ? ""
                      : " in namespace \""
                          + key.namespace()
                          + "\" (it may be in another namespace)"));
      case ReadResult.Failed<T>(String why) ->
          throw new NotAnsweredException("cannot read " + kind + " " + key + ": " + why);
    };
  }

  /**
   * Explains everything that is waiting, in short.
   *
   * @param namespace limits the answer to objects of the namespace; "" for all objects
   * @throws NotAnsweredException if the namespace is invalid, or if claims, volumes or pods cannot
   *     be listed
   */
  public ExplainAnswer waiting(String namespace) throws NotAnsweredException, InterruptedException {
    String flaw = ObjectKey.of(namespace, "any").flaw();
    if (!flaw.isEmpty()) {
      throw new NotAnsweredException("invalid namespace: " + flaw);
    }
    List<UnreadableKind> open = namespace.isEmpty() ? List.of() : open(namespace);
    List<Kind<?>> kinds =
        namespace.isEmpty() ? ClusterExplainers.KINDS : ClusterExplainers.NAMESPACED;
    ListedClusterView clusterView =
        ListedClusterView.read(source, namespace, ClusterExplainers.reads(kinds), null);
    WaitingObjectScan waits =
        new WaitingObjectScan(clusterView, explainers(clusterView), namespace);
    for (Kind<?> kind : kinds) {
      String why = clusterView.unseen(kind).orElse("");
      if (ClusterExplainers.MAIN.contains(kind) && !why.isEmpty()) {
        throw new NotAnsweredException(
            "cannot list "
                + kind.plural()
                + (namespace.isEmpty() ? " in all namespaces" : " in namespace " + namespace)
                + ": "
                + why);
      }
      waits.scan(kind);
    }
    return new ExplainAnswer(
        waits.explanations().stream().sorted(Explanation.BY_URGENCY).toList(),
        waits.objects(),
        null,
        Stream.concat(
                waits.objects() == 0 ? open.stream() : Stream.empty(), waits.unseen().stream())
            .toList());
  }

  /**
   * Checks that the namespace exists. Otherwise a misspelled namespace would look healthy.
   *
   * @throws NotAnsweredException if the namespace does not exist
   */
  private List<UnreadableKind> open(String namespace)
      throws NotAnsweredException, InterruptedException {
    return switch (source.reader().readWhole(NAMESPACE, ObjectKey.cluster(namespace))) {
      case ReadResult.Found<Map<String, Object>> _ -> List.of();
      case ReadResult.Absent<Map<String, Object>> _ ->
          throw new NotAnsweredException(
              "unknown namespace \""
                  + namespace
                  + "\": specify an existing namespace, or -A for all");
      case ReadResult.Failed<Map<String, Object>>(String why) ->
          List.of(new UnreadableKind(NAMESPACE, why, "whether namespace " + namespace + " exists"));
    };
  }
}
