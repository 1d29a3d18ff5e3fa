package dev.mooring.protection.state;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.SharedReads;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Live lists of a namespace's pods, shared so that thousands of deleted claims cost few lists. A
 * list that began after the deletion of a claim was observed stays valid for that claim for a few
 * seconds, because no kubelet starts a pod whose claim is being deleted. Passes all other reads to
 * the API server. Thread-safe.
 */
public final class LivePods implements LiveReader {
  private record ObservedDeletion(Uid claimUid, long nanos) {}

  private final LiveReader reader;
  private final Time time;
  private final SharedReads<List<Pod>> lists;
  private final Map<ObjectKey, ObservedDeletion> observedDeletions = new HashMap<>();
  private final Map<ObjectKey, Long> requeueTimes = new HashMap<>();

  public LivePods(LiveReader reader, Time time) {
    this.reader = reader;
    this.time = time;
    this.lists = new SharedReads<>(namespace -> reader.list(Kind.POD, namespace), time);
  }

  /**
   * Returns whether the caller may list the namespace now; {@link #endListing} must follow. At most
   * one worker waits for the pods of a namespace.
   *
   * @param onEnd runs when the current list has ended, if the caller may not list
   */
  public boolean tryBeginListing(String namespace, Runnable onEnd) {
    return lists.tryStart(namespace, onEnd);
  }

  public void endListing(String namespace) {
    lists.finish(namespace);
  }

  public synchronized void recordDeletion(ObjectKey claim, Uid uid) {
    ObservedDeletion earlierDeletion = observedDeletions.get(claim);
    if (earlierDeletion == null || !earlierDeletion.claimUid().equals(uid)) {
      observedDeletions.put(claim, new ObservedDeletion(uid, time.nanos()));
    }
  }

  public synchronized void forget(ObjectKey claim, Uid uid) {
    requeueTimes.remove(claim);
    observedDeletions.computeIfPresent(
        claim, (key, deletion) -> deletion.claimUid().equals(uid) ? null : deletion);
  }

  public synchronized void recordRequeue(ObjectKey claim) {
    requeueTimes.put(claim, time.nanos());
  }

  /**
   * Returns the pods of a claim's namespace if they were listed after the claim was last requeued:
   * claims that are requeued together share a list. The claim's next decision needs another one.
   */
  public Optional<List<Pod>> takeListSinceRequeue(ObjectKey claim) {
    Optional<List<Pod>> listedPods = listSinceRequeue(claim);
    synchronized (this) {
      requeueTimes.remove(claim);
    }
    return listedPods;
  }

  public Optional<List<Pod>> listSinceRequeue(ObjectKey claim) {
    Long requeueNanos;
    synchronized (this) {
      requeueNanos = requeueTimes.get(claim);
    }
    return requeueNanos == null
        ? Optional.empty()
        : lists.findSince(claim.namespace(), requeueNanos);
  }

  public synchronized void forgetOtherUids(ObjectKey claim, Uid currentUid) {
    observedDeletions.computeIfPresent(
        claim, (key, deletion) -> deletion.claimUid().equals(currentUid) ? deletion : null);
  }

  private synchronized long deletionNanos(ObjectKey claim, Uid uid) {
    ObservedDeletion deletion = observedDeletions.get(claim);
    return deletion != null && deletion.claimUid().equals(uid) ? deletion.nanos() : time.nanos();
  }

  public Optional<List<Pod>> listSinceDeletion(ObjectKey claim, Uid uid) {
    return lists.findSince(claim.namespace(), deletionNanos(claim, uid));
  }

  public ReadResult<List<Pod>> listPods(String namespace) throws InterruptedException {
    return lists.read(namespace);
  }

  @Override
  @SuppressWarnings("unchecked") // the kind determines the element type
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    return kind.equals(Kind.POD)
        ? (ReadResult<List<T>>) (ReadResult<?>) listPods(namespace)
        : reader.list(kind, namespace);
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return reader.read(kind, key);
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    return reader.readWhole(kind, key);
  }

  @Override
  public boolean isForbidden(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return reader.isForbidden(kind, key);
  }
}
