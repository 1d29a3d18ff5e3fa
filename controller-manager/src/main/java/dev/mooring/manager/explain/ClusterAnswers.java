package dev.mooring.manager.explain;

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
public record ClusterAnswers(ListedClusterView.Source source, Understanding settings, Time time) {
  private static final int LINES = 10;
  private static final Kind<PartialObject> NAMESPACE =
      new Kind<>("", "v1", "namespaces", "Namespace", false, PartialObject.class);

  public record Understanding(Compat compat, @Nullable AuditFiles audit) {}

  public ExplainAnswer explain(ExplainedObject requested)
      throws NotAnsweredException, InterruptedException {
    Resource object = read(requested.kind(), requested.key());
    ListedClusterView clusterView =
        ListedClusterView.read(
            source,
            requested.key().namespace(),
            ClusterExplainers.readKinds(List.of(requested.kind())),
            object);
    List<Explanation> explanations =
        new ClusterExplainers(clusterView, settings.compat(), time)
            .explain(requested.kind(), requested.key(), Detail.EVIDENCE);
    if (explanations.isEmpty()) {
      throw new NotAnsweredException(
          requested.kind() + " " + requested.key() + " was deleted during the request: try again");
    }
    return new ExplainAnswer(
        TimelineText.addActions(
            EventEvidence.addEvents(explanations, object, clusterView.events()),
            object.key(),
            readAuditLines(requested)),
        1,
        requested,
        List.of());
  }

  private List<AuditLine> readAuditLines(ExplainedObject requested) throws NotAnsweredException {
    AuditFiles audit = settings.audit();
    if (audit == null) {
      return List.of();
    }
    try {
      return Timeline.read(audit, requested.kind(), requested.key()).last(LINES).lines();
    } catch (IOException e) {
      throw new NotAnsweredException(String.valueOf(e.getMessage()));
    }
  }

  private <T extends Resource> T read(Kind<T> kind, ObjectKey key)
      throws NotAnsweredException, InterruptedException {
    return switch (source.reader().read(kind, key)) {
      case ReadResult.Found<T>(T object) -> object;
      case ReadResult.Absent<T> _ ->
          throw new NotAnsweredException(
              "not found: "
                  + kind
                  + " \""
                  + key.name()
                  + "\""
                  + (key.namespace().isEmpty() ? "" : " in namespace \"" + key.namespace() + "\"")
                  + new NearbyNames(source).describe(kind, key));
      case ReadResult.Failed<T>(String message) ->
          throw new NotAnsweredException("cannot read " + kind + " " + key + ": " + message);
    };
  }

  /**
   * Explains everything that is waiting, in short.
   *
   * @param namespace limits the answer to objects of the namespace; "" for all objects
   * @throws NotAnsweredException if the namespace is invalid, or if claims, volumes or pods cannot
   *     be listed
   */
  public ExplainAnswer explainWaiting(String namespace)
      throws NotAnsweredException, InterruptedException {
    String flaw = ObjectKey.of(namespace, "any").flaw();
    if (!flaw.isEmpty()) {
      throw new NotAnsweredException("invalid namespace: " + flaw);
    }
    List<UnreadableKind> unreadableKinds =
        namespace.isEmpty() ? List.of() : checkNamespace(namespace);
    List<Kind<?>> kinds =
        namespace.isEmpty()
            ? ClusterExplainers.EXPLAINED_KINDS
            : ClusterExplainers.NAMESPACED_KINDS;
    ListedClusterView clusterView =
        ListedClusterView.read(source, namespace, ClusterExplainers.readKinds(kinds), null);
    int threads = Runtime.getRuntime().availableProcessors();
    WaitingObjectScan scan =
        new WaitingObjectScan(
            clusterView,
            ClusterExplainers.forThreads(threads, clusterView, settings.compat(), time),
            namespace);
    for (Kind<?> kind : kinds) {
      String message = clusterView.readError(kind).orElse("");
      if (ClusterExplainers.MAIN_KINDS.contains(kind) && !message.isEmpty()) {
        throw new NotAnsweredException(
            "cannot list "
                + kind.plural()
                + (namespace.isEmpty() ? " in all namespaces" : " in namespace " + namespace)
                + ": "
                + message);
      }
      scan.scan(kind);
    }
    return new ExplainAnswer(
        scan.explanations().stream().sorted(Explanation.BY_URGENCY).toList(),
        scan.objectCount(),
        null,
        Stream.concat(
                scan.objectCount() == 0 ? unreadableKinds.stream() : Stream.empty(),
                scan.unseen().stream())
            .toList());
  }

  /**
   * Checks that the namespace exists. Otherwise nothing would seem to wait in a misspelled
   * namespace.
   *
   * @throws NotAnsweredException if the namespace does not exist
   */
  private List<UnreadableKind> checkNamespace(String namespace)
      throws NotAnsweredException, InterruptedException {
    return switch (source.reader().readWhole(NAMESPACE, ObjectKey.cluster(namespace))) {
      case ReadResult.Found<Map<String, Object>> _ -> List.of();
      case ReadResult.Absent<Map<String, Object>> _ ->
          throw new NotAnsweredException(
              "unknown namespace \""
                  + namespace
                  + "\": specify an existing namespace, or -A for all"
                  + new NearbyNames(source).describe(NAMESPACE, ObjectKey.cluster(namespace)));
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          List.of(
              new UnreadableKind(NAMESPACE, message, "whether namespace " + namespace + " exists"));
    };
  }
}
