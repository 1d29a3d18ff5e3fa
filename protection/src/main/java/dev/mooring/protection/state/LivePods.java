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
 * list that began after a claim's deletion was seen still counts for that claim a little later,
 * because no kubelet starts a pod whose claim is being deleted. Passes all other reads to the API
 * server. Thread-safe.
 */
public final class LivePods implements LiveReader {
  private record SeenDeletion(Uid claim, long at) {}

  private final LiveReader reader;
  private final Time time;
  private final SharedReads<List<Pod>> lists;
  private final Map<ObjectKey, SeenDeletion> deleting = new HashMap<>();
  private final Map<ObjectKey, Long> woken = new HashMap<>();

  public LivePods(LiveReader reader, Time time) {
    this.reader = reader;
    this.time = time;
    this.lists = new SharedReads<>(namespace -> reader.list(Kind.POD, namespace), time);
  }

  /**
   * Returns whether the caller may list the namespace now; {@link #endListing} must follow. At most
   * one worker waits for the pods of a namespace.
   *
   * @param ended runs when the current list has ended, if the caller may not list
   */
  public boolean tryBegin(String namespace, Runnable ended) {
    return lists.begins(namespace, ended);
  }

  public void endListing(String namespace) {
    lists.ends(namespace);
  }

  public synchronized void noteDeleting(ObjectKey claim, Uid uid) {
    SeenDeletion earlier = deleting.get(claim);
    if (earlier == null || !earlier.claim().equals(uid)) {
      deleting.put(claim, new SeenDeletion(uid, time.nanos()));
    }
  }

  public synchronized void forget(ObjectKey claim, Uid uid) {
    woken.remove(claim);
    deleting.computeIfPresent(claim, (key, seen) -> seen.claim().equals(uid) ? null : seen);
  }

  public synchronized void noteWoken(ObjectKey claim) {
    woken.put(claim, time.nanos());
  }

  /**
   * Returns the pods of a claim's namespace if they were listed after the claim was last requeued:
   * claims that are requeued together share a list. The claim's next decision needs another one.
   */
  public Optional<List<Pod>> takeSinceWoken(ObjectKey claim) {
    Optional<List<Pod>> known = knownSinceWoken(claim);
    synchronized (this) {
      woken.remove(claim);
    }
    return known;
  }

  public Optional<List<Pod>> knownSinceWoken(ObjectKey claim) {
    Long since;
    synchronized (this) {
      since = woken.get(claim);
    }
    return since == null ? Optional.empty() : lists.since(claim.namespace(), since);
  }

  public synchronized void forgetOthers(ObjectKey claim, Uid now) {
    deleting.computeIfPresent(claim, (key, seen) -> seen.claim().equals(now) ? seen : null);
  }

  private synchronized long seenDeleting(ObjectKey claim, Uid uid) {
    SeenDeletion seen = deleting.get(claim);
    return seen != null && seen.claim().equals(uid) ? seen.at() : time.nanos();
  }

  public Optional<List<Pod>> remembered(ObjectKey claim, Uid uid) {
    return lists.since(claim.namespace(), seenDeleting(claim, uid));
  }

  public ReadResult<List<Pod>> now(String namespace) throws InterruptedException {
    return lists.read(namespace);
  }

  @Override
  @SuppressWarnings("unchecked") // the kind determines the element type
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    return kind.equals(Kind.POD)
        ? (ReadResult<List<T>>) (ReadResult<?>) now(namespace)
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
