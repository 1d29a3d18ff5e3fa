package dev.mooring.it.sim;

import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoreEvent;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.ListWatchException;
import dev.mooring.informer.ListWatchException.Reason;
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

/** List-watch of one kind in one process. The schedule decides when it delivers events. */
final class SimWatch<T extends Resource> implements ListWatch<T> {
  private final Kind<T> kind;
  private final SimServer server;
  private final Informer<T> informer;
  private final Reflector<T> reflector;
  private final SynchronousQueue<Reason> errors = new SynchronousQueue<>();
  private final Semaphore watching = new Semaphore(0);
  private final boolean large;
  private volatile Sink<T> sink;
  private volatile Store.EventCursor cursor;
  private volatile int brokenLists;
  private volatile long silentSince = Long.MAX_VALUE;
  private volatile @Nullable Reason expected;

  /**
   * Creates the watch of a process that starts.
   *
   * @param large whether the objects fill more than one page
   */
  SimWatch(SimServer server, Informer<T> informer, boolean large) {
    this.large = large;
    this.kind = informer.kind();
    this.server = server;
    this.informer = informer;
    this.reflector = new Reflector<>(informer, this, new SimTime(true), () -> 0.5);
  }

  /** Starts the watch; when it returns, the cache has the current objects. */
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

  /**
   * Delivers the next event.
   *
   * @return false if there is none
   */
  boolean deliver() {
    Reason error = expected;
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
      sink.present(SimServer.decode(kind, event.after()));
    } else if (event.last() != null) {
      sink.deleted(SimServer.decode(kind, event.last()));
    }
    return true;
  }

  /** Fault: ends the watch as expired, so that it lists all objects again. */
  void expire() {
    fail(Reason.EXPIRED, 0);
  }

  /**
   * Fault: ends the watch with an error, or with the expected error if there is one.
   *
   * @param broken number of lists afterwards that break off in the middle
   */
  void fail(Reason error, int broken) {
    Reason reason = expected == null ? error : expected;
    expected = null;
    silentSince = Long.MAX_VALUE;
    brokenLists = broken;
    try {
      errors.put(reason);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    watching.acquireUninterruptibly();
  }

  /** Fault: the next event of the watch is that error. */
  void failNext(Reason reason) {
    expected = reason;
  }

  /** Fault: from now on the watch delivers nothing. */
  void silence(long now) {
    silentSince = Math.min(silentSince, now);
  }

  /** Returns whether the watch has been silent since that time. */
  boolean isSilentSince(long sinceNanos) {
    return silentSince <= sinceNanos;
  }

  Kind<T> kind() {
    return kind;
  }

  /** Compares the cache with the API server, as a new leader does. */
  void compareWithServer() {
    reflector.requestFreshness();
    try {
      reflector.awaitFreshness();
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
  public long list(Consumer<T> consumer) throws ListWatchException {
    List<Store.EventCursor> fresh = new ArrayList<>();
    Store.ObjectListing listing = server.store(kind).listAndOpenCursor("", fresh);
    if (brokenLists > 0) {
      brokenLists--;
      listing.objects().stream()
          .limit(listing.objects().size() / 2)
          .forEach(stored -> consumer.accept(SimServer.decode(kind, stored)));
      throw new ListWatchException(Reason.FAILED, "the list breaks off");
    }
    cursor = fresh.getFirst();
    listing.objects().forEach(stored -> consumer.accept(SimServer.decode(kind, stored)));
    return listing.version();
  }

  @Override
  public Page listFirstPage(int maxObjects, Consumer<T> consumer) throws ListWatchException {
    return large ? new Page(server.store(kind).version(), false) : new Page(list(consumer), true);
  }

  @Override
  public void catchUp(long version, Sink<T> to) throws ListWatchException {
    cursor =
        server
            .store(kind)
            .openCursor(version)
            .orElseThrow(
                () -> new ListWatchException(ListWatchException.Reason.EXPIRED, "version too old"));
    sink = to;
    while (deliver()) {
      // delivers the events since that version
    }
    to.bookmark(server.store(kind).version());
  }

  @Override
  public void watch(long version, boolean everything, Sink<T> to)
      throws ListWatchException, InterruptedException {
    sink = to;
    watching.release();
    throw new ListWatchException(errors.take(), "an error");
  }
}
