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
  private record SeenDeletion(Uid claim, long at) {}

  private final Time time;
  private final SharedReads<ClaimHolders> snapshots; // by namespace
  private final SharedReads<ClaimHolders> contents;
  private final SharedReads<ClaimHolders> groups;
  private final Map<ObjectKey, SeenDeletion> deletions = new HashMap<>(); // guarded by this

  public LiveHolders(LiveReader reader, Time time) {
    this.time = time;
    this.snapshots =
        new SharedReads<>(
            namespace -> reader.list(Kind.SNAPSHOT, namespace).map(ClaimHolders::ofSnapshots),
            time);
    this.contents =
        new SharedReads<>(
            all -> reader.list(Kind.SNAPSHOT_CONTENT, all).map(ClaimHolders::ofContents), time);
    this.groups =
        new SharedReads<>(
            all -> reader.list(Kind.GROUP_SNAPSHOT_CONTENT, all).map(ClaimHolders::ofGroups), time);
  }

  public synchronized void trackDeletion(Claim claim) {
    SeenDeletion earlier = deletions.get(claim.key());
    if (earlier == null || !earlier.claim().equals(claim.meta().uid())) {
      deletions.put(claim.key(), new SeenDeletion(claim.meta().uid(), time.nanos()));
    }
  }

  public synchronized void requireLaterList(Claim claim) {
    deletions.put(claim.key(), new SeenDeletion(claim.meta().uid(), time.nanos()));
  }

  public synchronized void forget(ObjectKey claim) {
    deletions.remove(claim);
  }

  private synchronized long since(Claim claim) {
    SeenDeletion seen = deletions.get(claim.key());
    return seen != null && seen.claim().equals(claim.meta().uid()) ? seen.at() : time.nanos();
  }

  /**
   * Returns all reasons to keep the claim; empty if another worker is running one of the lists.
   *
   * @param groupsToo whether the API server serves group snapshots
   * @param again runs when the running list has ended
   */
  public Optional<ReadResult<List<ClaimHolders>>> of(Claim claim, boolean groupsToo, Runnable again)
      throws InterruptedException {
    long since = since(claim);
    List<ClaimHolders> all = new ArrayList<>();
    for (SharedReads<ClaimHolders> reads :
        groupsToo ? List.of(snapshots, contents, groups) : List.of(snapshots, contents)) {
      String subject = reads.equals(snapshots) ? claim.key().namespace() : "";
      Optional<ClaimHolders> known = reads.since(subject, since);
      if (known.isEmpty()) {
        if (!reads.begins(subject, again)) {
          return Optional.empty();
        }
        ReadResult<ClaimHolders> read;
        try {
          read = reads.read(subject);
        } finally {
          reads.ends(subject);
        }
        if (read instanceof ReadResult.Failed<ClaimHolders>(String message)) {
          return Optional.of(new ReadResult.Failed<>(message));
        }
        known = read.found();
      }
      known.ifPresent(all::add);
    }
    return Optional.of(new ReadResult.Found<>(all));
  }
}
