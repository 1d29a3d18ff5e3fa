package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.ContentVerdict;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.csi.decide.DataHandle;
import dev.mooring.csi.decide.DataUser;
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
  private static final String CREDENTIALS_ERROR = "Failed to get snapshot credentials: ";

  // Next step after the driver has deleted the data.
  @FunctionalInterface
  interface ContentStep {
    Outcome run(WriteResult<? extends Resource> result) throws InterruptedException;
  }

  // Reads the Secret, which may take long, then judges, then records the deletion against the
  // judged resourceVersion, then calls the driver. No read may come between the last two.
  Outcome delete(ContentView cached, DataHandle handle, ContentStep next)
      throws InterruptedException {
    Optional<Outcome> heldOutcome = admission.checkHold(cached);
    if (heldOutcome.isPresent()) {
      return heldOutcome.get();
    }
    if (!twins.areGroupsKnown()) {
      return unanswered(
          cached, "a group may need its data, and VolumeGroupSnapshotContents cannot be listed");
    }
    ContentStatusWriter statusWriter = admission.statusWriter();
    switch (requests.readSecrets(cached)) {
      case CheckResult.Invalid<DriverSecrets>(String reason) -> {
        statusWriter.emitDeletionFailure(cached, CREDENTIALS_ERROR + reason);
        return retry(reason);
      }
      case CheckResult.Unknown<DriverSecrets>(String reason) -> {
        if (statusWriter.memory().recordUnreadableSecret(cached.meta().uid())) {
          statusWriter.emitDeletionFailure(cached, CREDENTIALS_ERROR + reason);
        }
        return unanswered(cached, reason);
      }
      case CheckResult.Valid<DriverSecrets>(DriverSecrets credentials) -> {
        statusWriter.memory().recordReadableSecret(cached.meta().uid());
        return judge(cached, handle, judged -> commit(judged, handle, credentials, next));
      }
    }
  }

  private static Outcome unanswered(ContentView content, String reason) {
    return new Outcome.Unanswered("content " + content.key() + ": " + reason);
  }

  private static Outcome retry(String reason) {
    return new Outcome.Retry(new Failure.Unreachable(reason));
  }

  @FunctionalInterface
  private interface JudgedDeletion {
    Outcome run(ContentVerdict.Confirmed judged) throws InterruptedException;
  }

  private Outcome judge(ContentView cached, DataHandle handle, JudgedDeletion deletion)
      throws InterruptedException {
    LiveReader reader = requests.reader();
    ContentVerdict verdict =
        LiveDecisions.decide(
            reader,
            LiveFacts.NONE,
            live -> ContentRules.mayBeDeleted(cached, handle, twins.findUsers(cached), live));
    return switch (verdict) {
      case ContentVerdict.Confirmed judged ->
          ContentRequests.haveSameSecret(cached, judged.content())
              ? admission.admit(judged.content(), () -> deletion.run(judged))
              : new Outcome.Conflicted("content " + cached.key() + " names another Secret");
      case ContentVerdict.InUse(String user) -> waitForUser(cached, handle, user);
      case ContentVerdict.Gone() -> Outcome.SETTLED;
      case ContentVerdict.Changed() ->
          new Outcome.Conflicted("content " + cached.key() + " has changed");
      case ContentVerdict.Unknown(String reason) -> unanswered(cached, reason);
    };
  }

  private Outcome waitForUser(ContentView content, DataHandle handle, String user) {
    String usage = user + " uses the same " + content.kind().names().noun() + " " + handle.id();
    admission
        .statusWriter()
        .emitDeletionFailure(content, usage + "; it is deleted when that object is deleted");
    return retry("content " + content.key() + " keeps its data: " + usage);
  }

  // Point of no return. The conditional write does not notice a twin that is created meanwhile, so
  // the cache is read again.
  private Outcome commit(
      ContentVerdict.Confirmed judged,
      DataHandle handle,
      DriverSecrets credentials,
      ContentStep next)
      throws InterruptedException {
    ContentView judgedContent = judged.content();
    WriteResult<? extends Resource> result =
        admission.statusWriter().recordDeletionStart(judgedContent);
    Optional<ContentView> content = result.toOptional().map(ContentView::of);
    if (content.isEmpty()) {
      return Outcome.ofWrite("recording the deletion of content " + judgedContent.key(), result);
    }
    Optional<String> newTwin =
        twins.findUsers(content.get()).stream()
            .map(DataUser::name)
            .filter(twin -> !judged.users().contains(twin))
            .findFirst();
    return newTwin.isPresent()
        ? waitForUser(content.get(), handle, newTwin.get())
        : call(content.get(), handle, credentials, next);
  }

  private Outcome call(
      ContentView content, DataHandle handle, DriverSecrets credentials, ContentStep next)
      throws InterruptedException {
    ContentStatusWriter statusWriter = admission.statusWriter();
    return switch (requests.snapshots().delete(handle, credentials)) {
      case DriverReply.Ok<Done> _ -> {
        admission.recordDeletion(content);
        yield next.run(statusWriter.writeDeleted(content));
      }
      case DriverReply.Refused<Done> refusal -> {
        String noun = content.kind().names().noun();
        statusWriter.emitDeletionFailure(
            content, "Failed to delete " + noun + ": " + refusal.text());
        yield retry("failed to delete " + noun + " " + handle.id() + ": " + refusal.text());
      }
    };
  }
}
