package dev.mooring.snapshots.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.decide.ContentDecider.EndedDelay;
import dev.mooring.snapshots.decide.SnapshotStep;
import dev.mooring.snapshots.execute.SnapshotFacts.EndFacts;
import dev.mooring.storage.DeletionClock;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.CondemnationDecider;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import dev.mooring.storage.decide.CondemnationVerdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

public record SnapshotCondemner(ClusterPorts ports) {
  private static final String METADATA = "metadata";
  private static final String ANNOTATIONS = "annotations";
  private static final Duration UNREADABLE_RECHECK = Duration.ofMinutes(1);

  public Outcome condemn(VolumeSnapshot snapshot, SnapshotStep.CondemnContent step)
      throws InterruptedException {
    return switch (new SnapshotFacts(ports.reader()).readManifest(snapshot)) {
      case ReadResult.Absent<String> _ -> Outcome.SETTLED;
      case ReadResult.Failed<String>(String message) ->
          new Outcome.Unanswered("the manifest of snapshot " + snapshot.key() + ": " + message);
      case ReadResult.Found<String>(String manifest) -> condemn(step, manifest);
    };
  }

  private Outcome condemn(SnapshotStep.CondemnContent step, String manifest)
      throws InterruptedException {
    SnapshotContent content = step.content();
    Instant now = ports.time().now().truncatedTo(ChronoUnit.SECONDS);
    WriteResult<SnapshotContent> result =
        ports
            .writer()
            .patch(
                Kind.SNAPSHOT_CONTENT,
                content.key(),
                Document.patchOf(content.meta())
                    .set(step.until().toString(), METADATA, ANNOTATIONS, Condemnation.UNTIL)
                    .set(now.toString(), METADATA, ANNOTATIONS, Condemnation.SINCE)
                    .set(
                        content.snapshot().uid().toString(),
                        METADATA,
                        ANNOTATIONS,
                        Condemnation.SNAPSHOT_UID)
                    .set(manifest, METADATA, ANNOTATIONS, Condemnation.SNAPSHOT_MANIFEST));
    if (result instanceof WriteResult.Written<SnapshotContent>) {
      ports
          .events()
          .emit(
              new ClusterEvent(
                  Kind.SNAPSHOT_CONTENT,
                  content.meta(),
                  ClusterEvent.Type.NORMAL,
                  "SnapshotCondemned",
                  "SnapshotCondemned",
                  "snapshot %s is gone; its data is destroyed after %s. To restore the snapshot, run 'mooring undo volumesnapshotcontent/%s'"
                      .formatted(content.snapshot().key(), step.until(), content.meta().name()),
                  "snapshot-controller"));
    }
    return Outcome.ofWrite("condemning content " + content.key(), result);
  }

  public Optional<Outcome> check(SnapshotContent cached) throws InterruptedException {
    if (!ContentDecider.isWaiting(cached)) {
      return Optional.empty();
    }
    Optional<Outcome> wait = checkDeadline(cached);
    return Optional.of(wait.isPresent() ? wait.get() : end(cached));
  }

  private Optional<Outcome> checkDeadline(SnapshotContent content) {
    Instant now = new DeletionClock(ports).earliest();
    return switch (CondemnationDecider.decide(content, Terms.NONE, now)) {
      case CondemnationVerdict.Wait(Instant until) ->
          Optional.of(new Outcome.CheckAgain(Duration.between(now, until)));
      case CondemnationVerdict.Due _ -> Optional.empty();
      case CondemnationVerdict.Keep _, CondemnationVerdict.Condemn _ ->
          Optional.of(new Outcome.CheckAgain(UNREADABLE_RECHECK));
    };
  }

  private Outcome end(SnapshotContent cached) throws InterruptedException {
    return switch (new SnapshotFacts(ports.reader()).readEnd(cached)) {
      case ReadResult.Absent<EndFacts> _ -> Outcome.SETTLED;
      case ReadResult.Failed<EndFacts>(String message) ->
          new Outcome.Unanswered("content " + cached.key() + ": " + message);
      case ReadResult.Found<EndFacts>(EndFacts facts) -> {
        Optional<Outcome> wait = checkDeadline(cached); // the reads have shown the server's clock
        yield wait.isPresent()
            ? wait.get()
            : write(
                ContentDecider.endDelay(
                    cached,
                    facts.snapshot(),
                    Optional.of(facts.content()),
                    new DeletionClock(ports).earliest()));
      }
    };
  }

  private Outcome write(EndedDelay step) throws InterruptedException {
    return switch (step) {
      case EndedDelay.Keep() -> Outcome.SETTLED; // a change requeues the content
      case EndedDelay.Mark(SnapshotContent live) ->
          Outcome.ofWrite(
              "marking content " + live.key(),
              ports
                  .writer()
                  .patch(
                      Kind.SNAPSHOT_CONTENT,
                      live.key(),
                      Document.patchOf(live.meta())
                          .set("yes", METADATA, ANNOTATIONS, SnapshotContent.BEING_DELETED)));
      case EndedDelay.Delete(SnapshotContent live) ->
          Outcome.ofWrite(
              "deleting content " + live.key(),
              ports
                  .writer()
                  .delete(
                      Kind.SNAPSHOT_CONTENT,
                      live.key(),
                      live.meta().uid(),
                      live.meta().resourceVersion())); // an undo may have changed it since
    };
  }
}
