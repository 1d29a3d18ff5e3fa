package dev.mooring.snapshots.state;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.SharedReads;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.snapshots.decide.ClaimHolders;
import dev.mooring.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads from the API server why claims under deletion must be kept. One list request answers for
 * every claim whose deletion was seen before the request started. Thread-safe.
 */
public final class LiveHolders {
  private record ObservedDeletion(Uid claimUid, long nanos) {}

  private final Time time;
  private final SharedReads<ClaimHolders> snapshots; // by namespace
  private final SharedReads<ClaimHolders> contents;
  private final SharedReads<ClaimHolders> groups;
  private final Map<ObjectKey, ObservedDeletion> deletions = new HashMap<>(); // guarded by this

  public LiveHolders(LiveReader reader, Time time) {
    this.time = time;
    this.snapshots =
        new SharedReads<>(
            namespace -> reader.list(Kind.SNAPSHOT, namespace).map(ClaimHolders::ofSnapshots),
            time);
    this.contents =
        new SharedReads<>(
            subject -> reader.list(Kind.SNAPSHOT_CONTENT, subject).map(ClaimHolders::ofContents),
            time);
    this.groups =
        new SharedReads<>(
            subject ->
                reader.list(Kind.GROUP_SNAPSHOT_CONTENT, subject).map(ClaimHolders::ofGroups),
            time);
  }

  public synchronized void trackDeletion(Claim claim) {
    ObservedDeletion earlier = deletions.get(claim.key());
    if (earlier == null || !earlier.claimUid().equals(claim.meta().uid())) {
      deletions.put(claim.key(), new ObservedDeletion(claim.meta().uid(), time.nanos()));
    }
  }

  public synchronized void requireLaterList(Claim claim) {
    deletions.put(claim.key(), new ObservedDeletion(claim.meta().uid(), time.nanos()));
  }

  public synchronized void forget(ObjectKey claim) {
    deletions.remove(claim);
  }

  private synchronized long deletionNanos(Claim claim) {
    ObservedDeletion deletion = deletions.get(claim.key());
    return deletion != null && deletion.claimUid().equals(claim.meta().uid())
        ? deletion.nanos()
        : time.nanos();
  }

  /**
   * Returns all reasons to keep the claim; empty if another worker is running one of the lists.
   *
   * @param includesGroups whether the API server serves group snapshots
   * @param requeue runs when the running list has ended
   */
  public Optional<ReadResult<List<ClaimHolders>>> read(
      Claim claim, boolean includesGroups, Runnable requeue) throws InterruptedException {
    long deletionNanos = deletionNanos(claim);
    List<ClaimHolders> holders = new ArrayList<>();
    for (SharedReads<ClaimHolders> reads :
        includesGroups ? List.of(snapshots, contents, groups) : List.of(snapshots, contents)) {
      String subject = reads.equals(snapshots) ? claim.key().namespace() : "";
      Optional<ClaimHolders> cached = reads.findSince(subject, deletionNanos);
      if (cached.isEmpty()) {
        if (!reads.tryStart(subject, requeue)) {
          return Optional.empty();
        }
        ReadResult<ClaimHolders> answer;
        try {
          answer = reads.read(subject);
        } finally {
          reads.finish(subject);
        }
        if (answer instanceof ReadResult.Failed<ClaimHolders>(String message)) {
          return Optional.of(new ReadResult.Failed<>(message));
        }
        cached = answer.toOptional();
      }
      cached.ifPresent(holders::add);
    }
    return Optional.of(new ReadResult.Found<>(holders));
  }
}
