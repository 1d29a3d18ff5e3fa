package dev.mooring.protection.observe;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.time.Mutex;
import dev.mooring.time.Time;
import java.time.Duration;
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
  private static final long LASTS = Duration.ofSeconds(5).toNanos();

  /** Since when a claim has been seen to be deleted: of that uid, not a later one of its name. */
  private record Seen(Uid claim, long at) {}

  private record Listed(long began, ReadResult<List<Pod>> pods) {}

  private static final Listed NOTHING = new Listed(Long.MIN_VALUE, new ReadResult.Absent<>());

  private static final class Namespace {
    final Mutex listing;
    volatile Listed last = NOTHING;

    Namespace(Time time) {
      listing = new Mutex(time);
    }
  }

  private final LiveReader reader;
  private final Time time;
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private final Map<ObjectKey, Seen> deleting = new HashMap<>();
  private final Map<ObjectKey, Long> woken = new HashMap<>();

  /** Asks there. */
  public LivePods(LiveReader reader, Time time) {
    this.reader = reader;
    this.time = time;
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
    Long since;
    synchronized (this) {
      since = woken.remove(claim);
    }
    Listed last = last(claim.namespace());
    return since != null && counts(last, since) ? last.pods() : now(claim.namespace());
  }

  private boolean counts(Listed listed, long since) {
    return listed.pods() instanceof ReadResult.Found<List<Pod>>
        && listed.began() - since > 0
        && time.nanos() - listed.began() < LASTS;
  }

  /** Forgets earlier claims of that name, whose end nobody told. */
  public synchronized void forgetOthers(ObjectKey claim, Uid now) {
    deleting.computeIfPresent(claim, (key, seen) -> seen.claim().equals(now) ? seen : null);
  }

  private synchronized Namespace namespace(String name) {
    return namespaces.computeIfAbsent(name, n -> new Namespace(time));
  }

  private synchronized Listed last(String namespace) {
    Namespace known = namespaces.get(namespace);
    return known == null ? NOTHING : known.last;
  }

  private synchronized void drop(String name, Namespace namespace) {
    if (namespace.last.began() != Long.MIN_VALUE
        && time.nanos() - namespace.last.began() >= LASTS
        && !namespace.listing.isLocked()) {
      namespaces.remove(name, namespace);
    }
  }

  private synchronized long seenDeleting(ObjectKey claim, Uid uid) {
    Seen seen = deleting.get(claim);
    return seen != null && seen.claim().equals(uid) ? seen.at() : time.nanos();
  }

  /** An earlier list that still counts for the claim; empty if there is none. */
  public Optional<List<Pod>> remembered(ObjectKey claim, Uid uid) {
    Listed last = last(claim.namespace());
    return counts(last, seenDeleting(claim, uid))
            && last.pods() instanceof ReadResult.Found<List<Pod>>(List<Pod> pods)
        ? Optional.of(pods)
        : Optional.empty();
  }

  /** A list that begins after this call, shared by all who ask before it begins. */
  public ReadResult<List<Pod>> now(String name) throws InterruptedException {
    long asked = time.nanos();
    Namespace namespace = namespace(name);
    namespace.listing.lock();
    try {
      Listed last = namespace.last;
      if (last.began() != Long.MIN_VALUE && last.began() - asked > 0) {
        return last.pods();
      }
      long began = time.nanos();
      ReadResult<List<Pod>> pods = reader.list(Kind.POD, name);
      namespace.last = new Listed(began, pods);
      time.schedule(Duration.ofNanos(LASTS), () -> drop(name, namespace));
      return pods;
    } finally {
      namespace.listing.unlock();
    }
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
