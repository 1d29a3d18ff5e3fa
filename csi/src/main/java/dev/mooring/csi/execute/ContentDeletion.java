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
        return judge(cached, handle, judged -> commit(judged, handle, credentials, next));
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
    Outcome run(ContentVerdict.Confirmed judged) throws InterruptedException;
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
      case ContentVerdict.Confirmed judged ->
          ContentRequests.haveSameSecret(cached, judged.content())
              ? admission.admit(judged.content(), () -> deletion.run(judged))
              : new Outcome.Conflicted("content " + cached.key() + " names another Secret");
      case ContentVerdict.InUse(String user) -> waitForUser(cached, handle, user);
      case ContentVerdict.Gone() -> Outcome.SETTLED;
      case ContentVerdict.Changed() ->
          new Outcome.Conflicted("content " + cached.key() + " has changed");
      case ContentVerdict.CannotTell(String why) -> unanswered(cached, why);
    };
  }

  private Outcome waitForUser(ContentView content, DataHandle handle, String user) {
    String why = user + " uses the same " + content.kind().names().noun() + " " + handle.id();
    admission
        .statusWriter()
        .deletionFailed(content, why + "; it is deleted when that object is deleted");
    return retry("content " + content.key() + " keeps its data: " + why);
  }

  // Point of no return. The conditional write does not notice a twin that is created meanwhile, so
  // the cache is read again.
  private Outcome commit(
      ContentVerdict.Confirmed judged,
      DataHandle handle,
      DriverSecrets credentials,
      ContentStep next)
      throws InterruptedException {
    WriteResult<? extends Resource> recorded =
        admission.statusWriter().deletionStarts(judged.content());
    Optional<ContentView> content = recorded.written().map(ContentView::of);
    if (content.isEmpty()) {
      return Outcome.after("recording the deletion of content " + judged.content().key(), recorded);
    }
    Optional<String> newTwin =
        twins.of(content.get()).stream()
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
        admission.deleted(content);
        yield next.of(statusWriter.writeDeleted(content));
      }
      case DriverReply.Refused<Done> refused -> {
        String noun = content.kind().names().noun();
        statusWriter.deletionFailed(content, "Failed to delete " + noun);
        yield retry("failed to delete " + noun + " " + handle.id() + ": " + refused.text());
      }
    };
  }
}
