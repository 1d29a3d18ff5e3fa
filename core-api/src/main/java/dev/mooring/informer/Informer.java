package dev.mooring.informer;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cache of one kind. Its {@link Reflector} and the answers of own writes update it; all readers use
 * {@link #snapshot}. Guarantees I1–I5, I7 and I10 of this package. Thread-safe.
 */
public final class Informer<T extends Resource> {
  private final Kind<T> kind;
  private final List<HandlerSubscription<T>> handlers = new ArrayList<>();
  private final Map<ObjectKey, OwnDeletion> ownDeletions = new HashMap<>(); // until confirmed
  private final Map<ObjectKey, Long> ownWrites = new HashMap<>(); // last list started before
  private final CountDownLatch synced = new CountDownLatch(1);
  private volatile CacheSnapshot<T> snapshot;
  private volatile RestoreListener restores = RestoreListener.NONE;
  private long watched; // version up to which all watch events have arrived
  private long lists; // number of lists started

  private record OwnDeletion(Uid uid, long list) {}

  public Informer(Kind<T> kind, List<Index<T, ?>> indexes) {
    this.kind = kind;
    this.snapshot = CacheSnapshot.empty(indexes);
  }

  public static <T extends Resource> Informer<T> of(
      Kind<T> kind, List<Index<T, ?>> indexes, List<T> listed) {
    Informer<T> informer = new Informer<>(kind, indexes);
    informer.replaceAll(listed, 0, informer.startList());
    return informer;
  }

  public static <T extends Resource> Informer<T> of(Kind<T> kind, CacheSnapshot<T> known) {
    Informer<T> informer = new Informer<>(kind, List.of());
    informer.snapshot = known;
    informer.synced.countDown();
    return informer;
  }

  public synchronized void addIndex(Index<T, ?> index) {
    snapshot = snapshot.indexedBy(index);
  }

  void onRestore(RestoreListener listener) {
    restores = listener;
  }

  public Kind<T> kind() {
    return kind;
  }

  public CacheSnapshot<T> snapshot() {
    return snapshot;
  }

  public Optional<T> get(ObjectKey key) {
    return snapshot.get(key);
  }

  public <I> Iterable<T> findByIndex(Index<T, I> index, I term) {
    return snapshot.findByIndex(index, term);
  }

  /**
   * Registers a handler and passes it all present objects as additions, then every change (I2). The
   * handler runs under the informer's lock: it may only record keys and must not call an informer.
   */
  public synchronized void addHandler(Consumer<Change<T>> handler) {
    List<T> present = new ArrayList<>(snapshot.size());
    snapshot.all().forEach(present::add);
    // the order in which an API server lists them, so that every start is deterministic
    present.sort(Comparator.comparing(Resource::key));
    present.forEach(object -> handler.accept(new Change.Added<>(object)));
    handlers.add(new HandlerSubscription<>(handler));
  }

  /**
   * Passes the keys of all present objects and of all changed objects to a consumer, after earlier
   * handlers have run.
   *
   * @param keys consumer with the restrictions of {@link #addHandler}
   */
  public void forwardKeys(Consumer<ObjectKey> keys) {
    addHandler(change -> keys.accept(change.key()));
  }

  /** Registers a handler for later changes only, with the restrictions of {@link #addHandler}. */
  public synchronized void onChange(Consumer<Change<T>> handler) {
    handlers.add(new HandlerSubscription<>(handler));
  }

  /**
   * Delivers missed changes again to handlers that threw an exception: one change per object, from
   * the last state that the handler accepted to the newest.
   *
   * @return number of changes that still fail
   */
  synchronized int retryFailedHandlers() {
    return handlers.stream().mapToInt(HandlerSubscription::retry).sum();
  }

  synchronized String handlerFailure() {
    return handlers.stream()
        .map(HandlerSubscription::failure)
        .filter(failure -> !failure.isEmpty())
        .findFirst()
        .orElse("");
  }

  public boolean isSynced() {
    return synced.getCount() == 0;
  }

  public void awaitSynced() throws InterruptedException {
    synced.await();
  }

  /** Returns the version up to which all watch events have arrived; 0 before the first list. */
  public synchronized long watchedVersion() {
    return watched;
  }

  synchronized void applyEvent(T object) {
    watched = Math.max(watched, object.meta().resourceVersion());
    OwnDeletion deleted = ownDeletions.get(object.key());
    if (deleted != null && deleted.uid().equals(object.meta().uid())) {
      return; // the event is older than our deletion
    }
    T present = snapshot.find(object.key());
    if (present == null || present.meta().resourceVersion() <= object.meta().resourceVersion()) {
      ownWrites.remove(object.key());
    }
    if (present == null || present.meta().resourceVersion() < object.meta().resourceVersion()) {
      put(present, object);
    }
  }

  synchronized void applyDeletion(T last) {
    watched = Math.max(watched, last.meta().resourceVersion());
    OwnDeletion own = ownDeletions.get(last.key());
    if (own != null && own.uid().equals(last.meta().uid())) {
      ownDeletions.remove(last.key());
    }
    T present = snapshot.find(last.key());
    if (present != null && present.meta().uid().equals(last.meta().uid())) {
      remove(present, last);
    }
  }

  /** Applies a bookmark (I7). */
  synchronized void applyBookmark(long version) {
    watched = Math.max(watched, version);
  }

  /**
   * Records the start of a list request: the list may lack later writes of this process.
   *
   * @return number of the list
   */
  synchronized long startList() {
    return ++lists;
  }

  /**
   * Replaces all objects by a complete list (I3), whatever its versions are: an API server that was
   * restored from a backup reports lower ones. Objects stay if this process wrote them after the
   * list had started or if they are newer than the list.
   *
   * @param list number of the list, as returned by {@link #startList}
   */
  synchronized void replaceAll(List<T> listed, long version, long list) {
    if (version < watched) {
      // before handlers, which may receive an outdated intent
      restores.versionsWentBack(kind, watched, version);
    }
    ownWrites.values().removeIf(since -> since < list);
    Map<ObjectKey, T> present = new HashMap<>(2 * listed.size());
    for (T object : listed) {
      present.put(object.key(), object);
    }
    List<T> vanished = new ArrayList<>();
    for (T known : snapshot.all()) {
      if (!present.containsKey(known.key()) && !isNewerOwnWrite(known, version)) {
        vanished.add(known);
      }
    }
    vanished.forEach(known -> remove(known, known));
    ownDeletions
        .entrySet()
        .removeIf(e -> {
          T listedAgain = present.get(e.getKey());
          return e.getValue().list() < list
              || listedAgain == null
              || !listedAgain.meta().uid().equals(e.getValue().uid());
        });
    watched = version;
    for (T object : listed) {
      T known = snapshot.find(object.key());
      boolean isNewer = known != null && isNewerOwnWrite(known, object.meta().resourceVersion());
      // a restored API server assigns versions again, so equal versions do not mean equal contents
      if (!object.equals(known) && !isNewer && !ownDeletions.containsKey(object.key())) {
        put(known, object);
      }
    }
    synced.countDown();
  }

  private boolean isNewerOwnWrite(T known, long version) {
    return ownWrites.containsKey(known.key()) && known.meta().resourceVersion() > version;
  }

  /** Applies the answer of an own write (I4). */
  public synchronized void applyOwnWrite(T object) {
    if (object.meta().resourceVersion() <= watched) {
      return; // the watch has delivered this or a later state
    }
    T present = snapshot.find(object.key());
    if (present == null || present.meta().resourceVersion() < object.meta().resourceVersion()) {
      ownWrites.put(object.key(), lists);
      put(present, object);
    }
  }

  /** Applies an own deletion after which the object no longer exists (I5). */
  public synchronized void applyOwnDeletion(ObjectKey key, Uid uid) {
    T present = snapshot.find(key);
    if (present != null && present.meta().uid().equals(uid)) {
      ownDeletions.put(key, new OwnDeletion(uid, lists));
      remove(present, present);
    }
  }

  private void put(@Nullable T before, T now) {
    snapshot = snapshot.with(now);
    deliver(before == null ? new Change.Added<>(now) : new Change.Updated<>(before, now));
  }

  private void remove(T known, T last) {
    ownWrites.remove(known.key());
    snapshot = snapshot.without(known.key());
    deliver(new Change.Deleted<>(last));
  }

  private void deliver(Change<T> change) {
    handlers.forEach(handler -> handler.deliver(change));
  }
}
