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
 * The state of one kind. Written by its {@link Reflector} and by the answers of own writes; read by
 * everybody through {@link #snapshot}. Guarantees I1–I5 and I7 of this package. Thread-safe.
 *
 * @param <T> the objects
 */
public final class Informer<T extends Resource> {
  private final Kind<T> kind;
  private final List<Subscription<T>> handlers = new ArrayList<>();
  private final Map<ObjectKey, OwnDeletion> deletedByUs = new HashMap<>(); // until it is confirmed
  private final Map<ObjectKey, Long> writtenByUs = new HashMap<>(); // the list that was the newest
  private final CountDownLatch synced = new CountDownLatch(1);
  private volatile Snapshot<T> snapshot;
  private volatile RestoreListener restores = RestoreListener.NONE;
  private long watched; // the version up to which the watch has told everything
  private long lists; // that have begun

  /** An object that we deleted, and which list had begun last by then. */
  private record OwnDeletion(Uid uid, long list) {}

  /**
   * Knows nothing yet.
   *
   * @param kind the kind
   * @param indexes what its snapshots can be asked by
   */
  public Informer(Kind<T> kind, List<Index<T, ?>> indexes) {
    this.kind = kind;
    this.snapshot = Snapshot.empty(indexes);
  }

  /**
   * One that knows what was listed once, and that nobody keeps up to date.
   *
   * @param kind the kind
   * @param indexes what its snapshots can be asked by
   * @param listed all objects
   */
  public static <T extends Resource> Informer<T> of(
      Kind<T> kind, List<Index<T, ?>> indexes, List<T> listed) {
    Informer<T> informer = new Informer<>(kind, indexes);
    informer.replaced(listed, 0, informer.listBegins());
    return informer;
  }

  /**
   * One that knows what was known at one moment, and that nobody keeps up to date.
   *
   * @param kind the kind
   * @param known all objects, with the indexes of the informer that it is of
   */
  public static <T extends Resource> Informer<T> of(Kind<T> kind, Snapshot<T> known) {
    Informer<T> informer = new Informer<>(kind, List.of());
    informer.snapshot = known;
    informer.synced.countDown();
    return informer;
  }

  /** Its snapshots can be asked by that index from now on, if they could not before. */
  public synchronized void addIndex(Index<T, ?> index) {
    snapshot = snapshot.indexedBy(index);
  }

  void onRestore(RestoreListener listener) {
    restores = listener;
  }

  /** The kind. */
  public Kind<T> kind() {
    return kind;
  }

  /** The newest state. */
  public Snapshot<T> snapshot() {
    return snapshot;
  }

  /** The object of that key, in the newest state. */
  public Optional<T> get(ObjectKey key) {
    return snapshot.get(key);
  }

  /** The objects that the index files under the term, in the newest state. */
  public <I> Iterable<T> by(Index<T, I> index, I term) {
    return snapshot.by(index, term);
  }

  /**
   * Tells the handler of everything that is there, as additions, and then of every change (I2). It
   * is called under the informer's lock: it must only note keys down, and never call back into an
   * informer.
   */
  public synchronized void addHandler(Consumer<Change<T>> handler) {
    List<T> present = new ArrayList<>(snapshot.size());
    snapshot.all().forEach(present::add);
    present.sort(
        Comparator.comparing(
            Resource::key)); // as a server lists them, so that a start is the same every time
    present.forEach(object -> handler.accept(new Change.Added<>(object)));
    handlers.add(new Subscription<>(handler));
  }

  /**
   * Hands on the key of every object that is there, and of every one that comes, changes or goes,
   * after the handlers that were there before have heard of it.
   *
   * @param keys takes them; called as {@link #addHandler} says
   */
  public void keysTo(Consumer<ObjectKey> keys) {
    addHandler(change -> keys.accept(change.key()));
  }

  /** Tells the handler of every change from now on. It is called as {@link #addHandler} says. */
  public synchronized void onChange(Consumer<Change<T>> handler) {
    handlers.add(new Subscription<>(handler));
  }

  /**
   * Delivers again what handlers failed to take: one change per object, from the state that the
   * handler took last to the newest.
   *
   * @return the number of changes that still fail
   */
  synchronized int retryFailedHandlers() {
    return handlers.stream().mapToInt(Subscription::retry).sum();
  }

  /** The last failure of a handler that misses changes, "" for none. */
  synchronized String handlerFailure() {
    return handlers.stream()
        .map(Subscription::failure)
        .filter(failure -> !failure.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** Whether the first list is complete. */
  public boolean isSynced() {
    return synced.getCount() == 0;
  }

  /** Waits for the first list to be complete. */
  public void awaitSynced() throws InterruptedException {
    synced.await();
  }

  /** The version up to which the watch has told everything; 0 before the first list. */
  public synchronized long watchedVersion() {
    return watched;
  }

  /** The watch told of an object that came or changed. */
  synchronized void observed(T object) {
    watched = Math.max(watched, object.meta().resourceVersion());
    OwnDeletion deleted = deletedByUs.get(object.key());
    if (deleted != null && deleted.uid().equals(object.meta().uid())) {
      return; // sent before our deletion
    }
    T present = snapshot.find(object.key());
    if (present == null || present.meta().resourceVersion() <= object.meta().resourceVersion()) {
      writtenByUs.remove(object.key());
    }
    if (present == null || present.meta().resourceVersion() < object.meta().resourceVersion()) {
      put(present, object);
    }
  }

  /** The watch told of a deletion. */
  synchronized void observedDeletion(T last) {
    watched = Math.max(watched, last.meta().resourceVersion());
    OwnDeletion ours = deletedByUs.get(last.key());
    if (ours != null && ours.uid().equals(last.meta().uid())) {
      deletedByUs.remove(last.key());
    }
    T present = snapshot.find(last.key());
    if (present != null && present.meta().uid().equals(last.meta().uid())) {
      remove(present, last);
    }
  }

  /** The watch told how far it is (I7). */
  synchronized void observedVersion(long version) {
    watched = Math.max(watched, version);
  }

  /**
   * A list is about to be asked for: what we write from now on may be missing in it.
   *
   * @return which list it is
   */
  synchronized long listBegins() {
    return ++lists;
  }

  /**
   * A complete list replaces what was known (I3), whatever the versions are: those of a server that
   * was restored from a backup are lower than ours. Only what we wrote after the list had begun,
   * and what it is too old for, stays.
   *
   * @param list which list it is, as {@link #listBegins} said
   */
  synchronized void replaced(List<T> listed, long version, long list) {
    if (version < watched) {
      restores.versionsWentBack(kind, watched, version); // before a handler sees an old intent
    }
    writtenByUs.values().removeIf(since -> since < list);
    Map<ObjectKey, T> present = new HashMap<>(2 * listed.size());
    for (T object : listed) {
      present.put(object.key(), object);
    }
    List<T> vanished = new ArrayList<>();
    for (T known : snapshot.all()) {
      if (!present.containsKey(known.key()) && !isOursAndNewer(known, version)) {
        vanished.add(known);
      }
    }
    vanished.forEach(known -> remove(known, known));
    deletedByUs
        .entrySet()
        .removeIf(e -> {
          T again = present.get(e.getKey());
          return e.getValue().list() < list
              || again == null
              || !again.meta().uid().equals(e.getValue().uid());
        });
    watched = version;
    for (T object : listed) {
      T known = snapshot.find(object.key());
      boolean ours = known != null && isOursAndNewer(known, object.meta().resourceVersion());
      // a restored server gives out versions a second time: they alone say nothing
      if (!object.equals(known) && !ours && !deletedByUs.containsKey(object.key())) {
        put(known, object);
      }
    }
    synced.countDown();
  }

  private boolean isOursAndNewer(T known, long version) {
    return writtenByUs.containsKey(known.key()) && known.meta().resourceVersion() > version;
  }

  /** The answer of an own write (I4). */
  public synchronized void wrote(T object) {
    if (object.meta().resourceVersion() <= watched) {
      return; // the watch has told of it, or of what came after it
    }
    T present = snapshot.find(object.key());
    if (present == null || present.meta().resourceVersion() < object.meta().resourceVersion()) {
      writtenByUs.put(object.key(), lists);
      put(present, object);
    }
  }

  /** An own deletion took effect and the object is gone at once (I5). */
  public synchronized void deleted(ObjectKey key, Uid uid) {
    T present = snapshot.find(key);
    if (present != null && present.meta().uid().equals(uid)) {
      deletedByUs.put(key, new OwnDeletion(uid, lists));
      remove(present, present);
    }
  }

  private void put(@Nullable T before, T now) {
    snapshot = snapshot.with(now);
    tell(before == null ? new Change.Added<>(now) : new Change.Updated<>(before, now));
  }

  private void remove(T known, T last) {
    writtenByUs.remove(known.key());
    snapshot = snapshot.without(known.key());
    tell(new Change.Deleted<>(last));
  }

  private void tell(Change<T> change) {
    handlers.forEach(handler -> handler.deliver(change));
  }
}
