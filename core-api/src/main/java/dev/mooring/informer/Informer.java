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
import java.util.concurrent.CopyOnWriteArrayList;
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
  private final CountDownLatch answered = new CountDownLatch(1);
  private final List<Runnable> answerListeners = new CopyOnWriteArrayList<>();
  private volatile CacheSnapshot<T> snapshot;
  private volatile @Nullable ListRefusal refusal;
  private volatile RestoreListener restoreListener = RestoreListener.NONE;
  private long watchedVersion; // version up to which all watch events have arrived
  private long listCount; // number of lists started
  private @Nullable List<T> listed; // objects by key, until the next change

  private record OwnDeletion(Uid uid, long list) {}

  public Informer(Kind<T> kind, List<Index<T, ?>> indexes) {
    this.kind = kind;
    this.snapshot = CacheSnapshot.empty(indexes);
  }

  public static <T extends Resource> Informer<T> of(
      Kind<T> kind, List<Index<T, ?>> indexes, List<T> objects) {
    Informer<T> informer = new Informer<>(kind, indexes);
    informer.replaceAll(objects, 0, informer.startList());
    return informer;
  }

  public static <T extends Resource> Informer<T> of(Kind<T> kind, CacheSnapshot<T> contents) {
    Informer<T> informer = new Informer<>(kind, List.of());
    informer.snapshot = contents;
    informer.synced.countDown();
    informer.answered.countDown();
    return informer;
  }

  public synchronized void addIndex(Index<T, ?> index) {
    snapshot = snapshot.indexedBy(index);
  }

  void onRestore(RestoreListener listener) {
    restoreListener = listener;
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
    listObjects().forEach(object -> handler.accept(new Change.Added<>(object)));
    handlers.add(new HandlerSubscription<>(handler));
  }

  // The order in which an API server lists them, so that every start is deterministic. A start
  // registers a dozen handlers, and sorts once.
  private synchronized List<T> listObjects() {
    List<T> objects = listed;
    if (objects == null) {
      objects = snapshot.toList();
      objects.sort(Comparator.comparing(Resource::key));
      listed = objects;
    }
    return objects;
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

  /** Waits until the first list is complete or the API server refuses the kind. */
  public void awaitAnswer() throws InterruptedException {
    answered.await();
  }

  /**
   * Returns the last answer of the API server if it was a refusal. A cache that has synced before
   * keeps its contents, which may be stale.
   */
  public Optional<ListRefusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  /**
   * Registers a listener for the first complete list and for each new refusal. It runs on the
   * reflector's thread, perhaps under the informer's lock: it must not block.
   */
  public void onAnswer(Runnable listener) {
    answerListeners.add(listener);
  }

  void recordRefusal(ListRefusal newRefusal) {
    ListRefusal previousRefusal = refusal;
    refusal = newRefusal;
    answered.countDown();
    if (previousRefusal == null || previousRefusal.cause() != newRefusal.cause()) {
      answerListeners.forEach(Runnable::run);
    }
  }

  void clearRefusal() {
    refusal = null;
  }

  /** Returns the version up to which all watch events have arrived; 0 before the first list. */
  public synchronized long watchedVersion() {
    return watchedVersion;
  }

  synchronized void applyEvent(T object) {
    watchedVersion = Math.max(watchedVersion, object.meta().resourceVersion());
    OwnDeletion ownDeletion = ownDeletions.get(object.key());
    if (ownDeletion != null && ownDeletion.uid().equals(object.meta().uid())) {
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
    watchedVersion = Math.max(watchedVersion, last.meta().resourceVersion());
    OwnDeletion ownDeletion = ownDeletions.get(last.key());
    if (ownDeletion != null && ownDeletion.uid().equals(last.meta().uid())) {
      ownDeletions.remove(last.key());
    }
    T present = snapshot.find(last.key());
    if (present != null && present.meta().uid().equals(last.meta().uid())) {
      remove(present, last, false);
    }
  }

  /** Applies a bookmark (I7). */
  synchronized void applyBookmark(long version) {
    watchedVersion = Math.max(watchedVersion, version);
  }

  /**
   * Records the start of a list request: the list may lack later writes of this process.
   *
   * @return number of the list
   */
  synchronized long startList() {
    return ++listCount;
  }

  /**
   * Replaces all objects by a complete list (I3), whatever its versions are: an API server that was
   * restored from a backup reports lower ones. Objects stay if this process wrote them after the
   * list had started or if they are newer than the list.
   *
   * @param list number of the list, as returned by {@link #startList}
   */
  synchronized void replaceAll(List<T> objects, long version, long list) {
    if (version < watchedVersion) {
      // before handlers, which may receive an outdated intent
      restoreListener.versionsWentBack(kind, watchedVersion, version);
    }
    ownWrites.values().removeIf(lastListBefore -> lastListBefore < list);
    Map<ObjectKey, T> present = new HashMap<>(2 * objects.size());
    for (T object : objects) {
      present.put(object.key(), object);
    }
    List<T> vanished = new ArrayList<>();
    for (T cached : snapshot.objects()) {
      if (!present.containsKey(cached.key()) && !isNewerOwnWrite(cached, version)) {
        vanished.add(cached);
      }
    }
    vanished.forEach(cached -> remove(cached, cached, true));
    ownDeletions
        .entrySet()
        .removeIf(e -> {
          T listedObject = present.get(e.getKey());
          return e.getValue().list() < list
              || listedObject == null
              || !listedObject.meta().uid().equals(e.getValue().uid());
        });
    watchedVersion = version;
    for (T object : objects) {
      T cached = snapshot.find(object.key());
      boolean isNewer = cached != null && isNewerOwnWrite(cached, object.meta().resourceVersion());
      // a restored API server assigns versions again, so equal versions do not mean equal contents
      if (!object.equals(cached) && !isNewer && !ownDeletions.containsKey(object.key())) {
        put(cached, object);
      }
    }
    clearRefusal();
    if (!isSynced()) {
      synced.countDown();
      answered.countDown();
      answerListeners.forEach(Runnable::run);
    }
  }

  private boolean isNewerOwnWrite(T cached, long version) {
    return ownWrites.containsKey(cached.key()) && cached.meta().resourceVersion() > version;
  }

  /** Applies the answer of an own write (I4). */
  public synchronized void applyOwnWrite(T object) {
    if (object.meta().resourceVersion() <= watchedVersion) {
      return; // the watch has delivered this or a later state
    }
    T present = snapshot.find(object.key());
    if (present == null || present.meta().resourceVersion() < object.meta().resourceVersion()) {
      ownWrites.put(object.key(), listCount);
      put(present, object);
    }
  }

  /** Applies an own deletion after which the object no longer exists (I5). */
  public synchronized void applyOwnDeletion(ObjectKey key, Uid uid) {
    T present = snapshot.find(key);
    if (present != null && present.meta().uid().equals(uid)) {
      ownDeletions.put(key, new OwnDeletion(uid, listCount));
      remove(present, present, false);
    }
  }

  private void put(@Nullable T previous, T current) {
    snapshot = snapshot.with(current);
    listed = null;
    deliver(
        previous == null ? new Change.Added<>(current) : new Change.Updated<>(previous, current));
  }

  private void remove(T cached, T last, boolean isFoundByList) {
    ownWrites.remove(cached.key());
    snapshot = snapshot.without(cached.key());
    listed = null;
    deliver(new Change.Deleted<>(last, isFoundByList));
  }

  private void deliver(Change<T> change) {
    handlers.forEach(handler -> handler.deliver(change));
  }
}
