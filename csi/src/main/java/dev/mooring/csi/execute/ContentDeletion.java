package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataHandle;
import dev.mooring.csi.state.ContentTwins;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Resource;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.util.Optional;

/** Deletes the snapshot or group snapshot of a content at the driver. Thread-safe. */
public record ContentDeletion(
    ContentTwins twins, ContentRequests requests, DeletionAdmission admission) {
  // Next step after the driver has deleted the data.
  @FunctionalInterface
  interface ContentStep {
    Outcome of(WriteResult<? extends Resource> deleted) throws InterruptedException;
  }

  // Reads the Secret, which may take long, then judges, then records the deletion against the
  // judged resourceVersion, then calls the driver. No read may come between the last two.
  Outcome delete(ContentView cached, DataHandle handle, ContentStep next)
      throws InterruptedException {
    Optional<Outcome> held = admission.held(cached);
    if (held.isPresent()) {
      return held.get();
    }
    ContentStatusWriter statusWriter = admission.statusWriter();
    switch (requests.secrets(cached)) {
      case CheckResult.Invalid<DriverSecrets>(String why) -> {
        statusWriter.deletionFailed(cached, "Failed to get snapshot credentials");
        return retry(why);
      }
      case CheckResult.Unknown<DriverSecrets>(String why) -> {
        if (statusWriter.memory().secretUnread(cached.meta().uid())) {
          statusWriter.deletionFailed(cached, "Failed to get snapshot credentials");
        }
        return unanswered(cached, why);
      }
      case CheckResult.Valid<DriverSecrets>(DriverSecrets credentials) -> {
        statusWriter.memory().secretRead(cached.meta().uid());
        return judge(cached, handle, content -> commit(content, handle, credentials, next));
      }
    }
  }

  private static Outcome unanswered(ContentView content, String why) {
    return new Outcome.Unanswered("content " + content.key() + ": " + why);
  }

  private static Outcome retry(String why) {
    return new Outcome.Retry(new Failure.Unreachable(why));
  }

  @FunctionalInterface
  private interface JudgedDeletion {
    Outcome run(ContentView judged) throws InterruptedException;
  }

  private Outcome judge(ContentView cached, DataHandle handle, JudgedDeletion deletion)
      throws InterruptedException {
    LiveReader reader = requests.reader();
    ContentVerdict verdict =
        LiveDecisions.decide(
            reader,
            LiveFacts.NONE,
            live -> ContentRules.mayBeDeleted(cached, handle, twins.of(cached), live));
    return switch (verdict) {
      case ContentVerdict.Confirmed(ContentView content) ->
          ContentRequests.haveSameSecret(cached, content)
              ? admission.admit(content, () -> deletion.run(content))
              : new Outcome.Conflicted("content " + cached.key() + " names another Secret");
      case ContentVerdict.InUse(String user) -> {
        String why = user + " uses the same " + cached.kind().names().noun() + " " + handle.id();
        admission
            .statusWriter()
            .deletionFailed(cached, why + "; it is deleted when that object is deleted");
        yield retry("content " + cached.key() + " keeps its data: " + why);
      }
      case ContentVerdict.Gone() -> Outcome.SETTLED;
      case ContentVerdict.Changed() ->
          new Outcome.Conflicted("content " + cached.key() + " has changed");
      case ContentVerdict.CannotTell(String why) -> unanswered(cached, why);
    };
  }

  // Point of no return.
  private Outcome commit(
      ContentView judged, DataHandle handle, DriverSecrets credentials, ContentStep next)
      throws InterruptedException {
    ContentStatusWriter statusWriter = admission.statusWriter();
    WriteResult<? extends Resource> recorded = statusWriter.deletionStarts(judged);
    Optional<ContentView> content = recorded.written().map(ContentView::of);
    if (content.isEmpty()) {
      return Outcome.after("recording the deletion of content " + judged.key(), recorded);
    }
    return switch (requests.snapshots().delete(handle, credentials)) {
      case DriverReply.Ok<Done> _ -> {
        admission.deleted(content.get());
        yield next.of(statusWriter.writeDeleted(content.get()));
      }
      case DriverReply.Refused<Done> refused -> {
        String noun = judged.kind().names().noun();
        statusWriter.deletionFailed(content.get(), "Failed to delete " + noun);
        yield retry("failed to delete " + noun + " " + handle.id() + ": " + refused.text());
      }
    };
  }
}
