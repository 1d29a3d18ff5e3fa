package dev.mooring.snapshots.observe;

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
 * Lists from the API server what holds claims that are being deleted. One list serves all claims
 * whose deletion was seen before the list began. Thread-safe.
 */
public final class LiveHolders {
  private record Seen(Uid claim, long at) {}

  private final Time time;
  private final SharedReads<ClaimHolders> snapshots; // by namespace
  private final SharedReads<ClaimHolders> contents;
  private final SharedReads<ClaimHolders> groups;
  private final Map<ObjectKey, Seen> deleting = new HashMap<>(); // guarded by this

  /** Nothing is listed yet. */
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

  /** The claim is being deleted. */
  public synchronized void noteDeleting(Claim claim) {
    Seen earlier = deleting.get(claim.key());
    if (earlier == null || !earlier.claim().equals(claim.meta().uid())) {
      deleting.put(claim.key(), new Seen(claim.meta().uid(), time.nanos()));
    }
  }

  /** The claim was held: only a list that begins from now on counts for it. */
  public synchronized void noteHeld(Claim claim) {
    deleting.put(claim.key(), new Seen(claim.meta().uid(), time.nanos()));
  }

  /** The claim is gone, or nothing of ours holds it. */
  public synchronized void forget(ObjectKey claim) {
    deleting.remove(claim);
  }

  private synchronized long since(Claim claim) {
    Seen seen = deleting.get(claim.key());
    return seen != null && seen.claim().equals(claim.meta().uid()) ? seen.at() : time.nanos();
  }

  /**
   * Everything that may hold the claim; empty if another worker lists some of it.
   *
   * @param groupsToo whether the API server has the kinds of groups
   * @param again runs when the list that is under way has ended
   */
  public Optional<ReadResult<List<ClaimHolders>>> of(Claim claim, boolean groupsToo, Runnable again)
      throws InterruptedException {
    long since = since(claim);
    List<ClaimHolders> all = new ArrayList<>();
    for (SharedReads<ClaimHolders> one :
        groupsToo ? List.of(snapshots, contents, groups) : List.of(snapshots, contents)) {
      String subject = one.equals(snapshots) ? claim.key().namespace() : "";
      Optional<ClaimHolders> known = one.since(subject, since);
      if (known.isEmpty()) {
        if (!one.begins(subject, again)) {
          return Optional.empty();
        }
        ReadResult<ClaimHolders> read;
        try {
          read = one.read(subject);
        } finally {
          one.ends(subject);
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
