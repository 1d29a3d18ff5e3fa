package dev.mooring.protection.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.EventSink;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.ReportedNotes;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.RawObject;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.protection.decide.EphemeralDecision;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Creates the claims of generic ephemeral volumes. It reads the template from the API server,
 * because cached pods do not contain it. Thread-safe.
 */
public final class EphemeralExecutor {
  public static final String REPORTER = "ephemeral_volume";

  private final ClusterWriter writer;
  private final LiveReader reader;
  private final EventSink events;
  private final ReportedNotes<ObjectKey> reportedNotes = new ReportedNotes<>();
  private final LongAdder creates = new LongAdder();
  private final LongAdder failures = new LongAdder();

  public EphemeralExecutor(ClusterWriter writer, LiveReader reader, EventSink events) {
    this.writer = writer;
    this.reader = reader;
    this.events = events;
  }

  public long creates() {
    return creates.sum();
  }

  public long failures() {
    return failures.sum();
  }

  public void forget(ObjectKey pod) {
    reportedNotes.forget(pod);
  }

  public Outcome execute(Pod pod, EphemeralDecision decision) throws InterruptedException {
    return switch (decision) {
      case EphemeralDecision.Nothing() -> {
        reportedNotes.forget(pod.key());
        yield Outcome.SETTLED;
      }
      case EphemeralDecision.ForeignClaim(String volume, ObjectKey claim) -> {
        // the end of that claim, or another owner, requeues the pod; a retry would change nothing
        emit(
            pod,
            volume,
            "PVC " + claim + " was not created for pod " + pod.key() + " (pod is not owner)");
        yield Outcome.SETTLED;
      }
      case EphemeralDecision.CreateClaim(String volume, ObjectKey claim) ->
          createClaim(pod, volume, claim);
    };
  }

  private Outcome createClaim(Pod pod, String volume, ObjectKey claim) throws InterruptedException {
    return switch (reader.readWhole(Kind.POD, pod.key())) {
      case ReadResult.Absent<Map<String, Object>> _ -> Outcome.SETTLED;
      case ReadResult.Failed<Map<String, Object>>(String message) ->
          new Outcome.Unanswered("pod " + pod.key() + ": " + message);
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> podDocument) -> {
        RawObject document = new RawObject(podDocument);
        if (!Uid.of(document.text("metadata", "uid")).equals(pod.meta().uid())
            || document.at("metadata").contains("deletionTimestamp")) {
          yield Outcome.SETTLED; // replaced or being deleted: a watch event will follow
        }
        Optional<RawObject> template = findTemplate(document.at("spec"), volume);
        yield template.isEmpty() ? Outcome.SETTLED : writeClaim(pod, volume, claim, template.get());
      }
    };
  }

  private Outcome writeClaim(Pod pod, String volume, ObjectKey claim, RawObject template)
      throws InterruptedException {
    creates.increment();
    WriteResult<Claim> result =
        writer.create(Kind.CLAIM, claim, createDocument(pod, claim, template));
    String problem =
        switch (result) {
          case WriteResult.Written<Claim> _ -> "";
          case WriteResult.Conflict<Claim>(String message) -> message;
          case WriteResult.Gone<Claim> _ -> "the namespace is gone";
          case WriteResult.Rejected<Claim>(int _, String message) -> message;
          case WriteResult.Unreachable<Claim>(String message) -> message;
        };
    if (problem.isEmpty()) {
      return pod.ephemeral().size() > 1
          ? new Outcome.CheckAgain(java.time.Duration.ZERO)
          : Outcome.SETTLED;
    }
    failures.increment();
    String message = "create PVC " + claim.name() + ": " + problem;
    emit(pod, volume, message);
    return result instanceof WriteResult.Unreachable<Claim>
        ? new Outcome.Unanswered(message)
        : new Outcome.Retry(new Failure.Rejected(message));
  }

  private void emit(Pod pod, String volume, String problem) {
    String message = "ephemeral volume " + volume + ": " + problem;
    if (reportedNotes.isNew(pod.key(), pod.meta().uid() + " " + message)) {
      events.emit(
          new ClusterEvent(
              Kind.POD,
              pod.meta(),
              ClusterEvent.Type.WARNING,
              "FailedBinding",
              "CreatingClaim",
              message,
              REPORTER));
    }
  }

  private static Optional<RawObject> findTemplate(RawObject spec, String volume) {
    return spec.objects("volumes").stream()
        .filter(entry -> entry.text("name").equals(volume))
        .findFirst()
        .map(entry -> entry.at("ephemeral", "volumeClaimTemplate"));
  }

  private static Document createDocument(Pod pod, ObjectKey claim, RawObject template) {
    Document document =
        Document.empty()
            .set(claim.namespace(), "metadata", "namespace")
            .set(
                List.of(
                    Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Pod",
                        "name",
                        pod.meta().name(),
                        "uid",
                        pod.meta().uid().toString(),
                        "controller",
                        true,
                        "blockOwnerDeletion",
                        true)),
                "metadata",
                "ownerReferences")
            .set(template.at("spec").members(), "spec");
    for (String field : List.of("labels", "annotations")) {
      RawObject values = template.at("metadata", field);
      if (!values.isEmpty()) {
        document.set(values.members(), "metadata", field);
      }
    }
    return document;
  }
}
