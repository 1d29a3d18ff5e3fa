package dev.mooring.it.sim;

import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoreEvent;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process's watch of one kind; the schedule decides when it delivers. */
final class SimWatch<T extends Resource> implements ListWatch<T> {
  private final Kind<T> kind;
  private final SimServer server;
  private final Informer<T> informer;
  private final Reflector<T> reflector;
  private final SynchronousQueue<Why> errors = new SynchronousQueue<>();
  private final Semaphore watching = new Semaphore(0);
  private final boolean large;
  private volatile Sink<T> sink;
  private volatile Store.Cursor cursor;
  private volatile int brokenLists;
  private volatile long silentSince = Long.MAX_VALUE;
  private volatile @Nullable Why expected;

  /**
   * @param large whether lists need several pages
   */
  SimWatch(SimServer server, Informer<T> informer, boolean large) {
    this.large = large;
    this.kind = informer.kind();
    this.server = server;
    this.informer = informer;
    this.reflector = new Reflector<>(informer, this, new SimTime(true), () -> 0.5);
  }

  /** Lists all objects; the cache has them when this returns. */
  void start() {
    reflector.start();
    watching.acquireUninterruptibly();
  }

  void stop() {
    try {
      reflector.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Delivers the next change; returns false if there is none. */
  boolean deliver() {
    Why error = expected;
    if (error != null) {
      fail(error, 0);
      return true;
    }
    if (silentSince != Long.MAX_VALUE) {
      return false;
    }
    List<StoreEvent> events;
    try {
      events = cursor.take(1, 0);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (events == null || events.isEmpty()) {
      return false;
    }
    StoreEvent event = events.getFirst();
    if (event.after() != null) {
      sink.present(SimServer.decoded(kind, event.after()));
    } else if (event.last() != null) {
      sink.deleted(SimServer.decoded(kind, event.last()));
    }
    return true;
  }

  /** Lists all objects again after a gap. */
  void gap() {
    fail(Why.EXPIRED, 0);
  }

  /**
   * Ends the watch with the expected error, or else this one.
   *
   * @param broken how many of the following lists break off
   */
  void fail(Why error, int broken) {
    Why why = expected == null ? error : expected;
    expected = null;
    silentSince = Long.MAX_VALUE;
    brokenLists = broken;
    try {
      errors.put(why);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    watching.acquireUninterruptibly();
  }

  /** Makes the next delivery fail with that error. */
  void expect(Why why) {
    expected = why;
  }

  /** Delivers nothing from now on. */
  void mute(long now) {
    silentSince = Math.min(silentSince, now);
  }

  /** Returns whether the watch has delivered nothing since then. */
  boolean isSilentSince(long then) {
    return silentSince <= then;
  }

  Kind<T> kind() {
    return kind;
  }

  /** Compares the cache with the server, as a process does that takes the lead. */
  void prove() {
    reflector.prove();
    try {
      reflector.awaitProof();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    watching.acquireUninterruptibly();
  }

  Informer<T> informer() {
    return informer;
  }

  @Override
  public boolean streamsLists() {
    return false;
  }

  @Override
  public long list(Consumer<T> each) throws ListWatchException {
    List<Store.Cursor> fresh = new ArrayList<>();
    Store.Listing listing = server.store(kind).listThen("", fresh);
    if (brokenLists > 0) {
      brokenLists--;
      listing.objects().stream()
          .limit(listing.objects().size() / 2)
          .forEach(stored -> each.accept(SimServer.decoded(kind, stored)));
      throw new ListWatchException(Why.FAILED, "a list that breaks off");
    }
    cursor = fresh.getFirst();
    listing.objects().forEach(stored -> each.accept(SimServer.decoded(kind, stored)));
    return listing.version();
  }

  @Override
  public Page head(int most, Consumer<T> each) throws ListWatchException {
    return large ? new Page(server.store(kind).version(), false) : new Page(list(each), true);
  }

  @Override
  public void catchUp(long from, Sink<T> to) throws ListWatchException {
    cursor =
        server
            .store(kind)
            .from(from)
            .orElseThrow(
                () -> new ListWatchException(ListWatchException.Why.EXPIRED, "too long ago"));
    sink = to;
    while (deliver()) {
      // what happened since
    }
    to.progress(server.store(kind).version());
  }

  @Override
  public void watch(long from, boolean everything, Sink<T> to)
      throws ListWatchException, InterruptedException {
    sink = to;
    watching.release();
    throw new ListWatchException(errors.take(), "an error");
  }
}
