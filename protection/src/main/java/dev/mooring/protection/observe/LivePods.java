package dev.mooring.protection.observe;

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
 * The pods of a namespace as the server lists them now, so that thousands of deleted claims cost
 * few lists. A list that began after a claim was seen to be deleted still counts for that claim a
 * little later: no kubelet starts a pod whose claim is being deleted. Whatever else is asked of it
 * the server is asked. Thread-safe.
 */
public final class LivePods implements LiveReader {
  /** Since when a claim has been seen to be deleted: of that uid, not a later one of its name. */
  private record Seen(Uid claim, long at) {}

  private final LiveReader reader;
  private final Time time;
  private final SharedReads<List<Pod>> lists;
  private final Map<ObjectKey, Seen> deleting = new HashMap<>();
  private final Map<ObjectKey, Long> woken = new HashMap<>();

  /** Asks there. */
  public LivePods(LiveReader reader, Time time) {
    this.reader = reader;
    this.time = time;
    this.lists = new SharedReads<>(namespace -> reader.list(Kind.POD, namespace), time);
  }

  /**
   * Whether the caller may list the namespace now; {@link #ends} must follow. At most one worker
   * waits for the pods of a namespace.
   *
   * @param ended runs when the list that is under way has ended, if the caller may not
   */
  public boolean begins(String namespace, Runnable ended) {
    return lists.begins(namespace, ended);
  }

  /** The caller lists the namespace no longer. */
  public void ends(String namespace) {
    lists.ends(namespace);
  }

  /** Notes that a claim has been seen to be deleted. */
  public synchronized void noteDeleting(ObjectKey claim, Uid uid) {
    Seen earlier = deleting.get(claim);
    if (earlier == null || !earlier.claim().equals(uid)) {
      deleting.put(claim, new Seen(uid, time.nanos()));
    }
  }

  /** Forgets a claim that is gone. */
  public synchronized void forget(ObjectKey claim, Uid uid) {
    woken.remove(claim);
    deleting.computeIfPresent(claim, (key, seen) -> seen.claim().equals(uid) ? null : seen);
  }

  /** Notes that something has happened after which a claim has to be looked at anew. */
  public synchronized void noteWoken(ObjectKey claim) {
    woken.put(claim, time.nanos());
  }

  /**
   * The pods of a claim's namespace, as of a time after the claim was woken last: so claims that
   * are woken together share a list.
   */
  public ReadResult<List<Pod>> sinceWoken(ObjectKey claim) throws InterruptedException {
    Optional<List<Pod>> known = knownSinceWoken(claim);
    synchronized (this) {
      woken.remove(claim);
    }
    return known.isPresent() ? new ReadResult.Found<>(known.get()) : now(claim.namespace());
  }

  /** A list that began after the claim was woken last. */
  public Optional<List<Pod>> knownSinceWoken(ObjectKey claim) {
    Long since;
    synchronized (this) {
      since = woken.get(claim);
    }
    return since == null ? Optional.empty() : lists.since(claim.namespace(), since);
  }

  /** Forgets earlier claims of that name, whose end nobody told. */
  public synchronized void forgetOthers(ObjectKey claim, Uid now) {
    deleting.computeIfPresent(claim, (key, seen) -> seen.claim().equals(now) ? seen : null);
  }

  private synchronized long seenDeleting(ObjectKey claim, Uid uid) {
    Seen seen = deleting.get(claim);
    return seen != null && seen.claim().equals(uid) ? seen.at() : time.nanos();
  }

  /** An earlier list that still counts for the claim; empty if there is none. */
  public Optional<List<Pod>> remembered(ObjectKey claim, Uid uid) {
    return lists.since(claim.namespace(), seenDeleting(claim, uid));
  }

  /** A list that begins after this call. */
  public ReadResult<List<Pod>> now(String namespace) throws InterruptedException {
    return lists.read(namespace);
  }

  @Override
  @SuppressWarnings("unchecked") // the kind says whose list it is
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
