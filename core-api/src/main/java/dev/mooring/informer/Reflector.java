package dev.mooring.informer;

import dev.mooring.informer.ListWatchException.Reason;
import dev.mooring.model.Resource;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.DoublingDelay;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Keeps an informer up to date: lists, then watches in a loop, on its own virtual thread (I6).
 * Pauses after failures grow from 0.2 s to 30 s, with up to 50 % jitter, and reset after the first
 * watch event. Only a complete list replaces the contents, never an error (I8). On request,
 * compares the contents with the API server (I9).
 */
public final class Reflector<T extends Resource> {
  private static final System.Logger LOG = System.getLogger(Reflector.class.getName());
  private static final DoublingDelay BACKOFF =
      new DoublingDelay(Duration.ofMillis(200), Duration.ofSeconds(30), 0.5);
  private static final Duration MIN_WATCH_DURATION = Duration.ofSeconds(5);
  private static final int PAGE_SIZE = 500;
  private static final int SILENCES_UNTIL_LIST = 2;
  private static final Duration REFUSAL_CHECK = Duration.ofMillis(100);

  private final Informer<T> informer;
  private final ListWatch<T> source;
  private final Time time;
  private final DoubleSupplier random;
  private final AtomicLong failures = new AtomicLong();
  private volatile String lastFailure = "";
  private volatile boolean running;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});
  private volatile CountDownLatch freshness = new CountDownLatch(0);
  private boolean mustList = true;
  private boolean listsInPages; // a streamed list failed, so use pages
  private boolean lastWatchWasQuiet; // the last watch delivered no event
  private int silentWatches;
  private int failedRounds;

  public Reflector(Informer<T> informer, ListWatch<T> source, Time time, DoubleSupplier random) {
    this.informer = informer;
    this.source = source;
    this.time = time;
    this.random = random;
  }

  public void start() {
    running = true;
    thread =
        VitalThreads.start(
            "reflector-" + informer.kind().plural(), () -> !running, this::runRounds);
  }

  public void stop() throws InterruptedException {
    running = false;
    thread.interrupt();
    thread.join(Duration.ofSeconds(5));
  }

  /**
   * Requests a comparison of the contents with the API server. Callers that depend on fresh
   * contents then wait with {@link #awaitFreshness}.
   */
  public void requestFreshness() {
    freshness = new CountDownLatch(1);
    thread.interrupt();
  }

  /**
   * Waits until the contents include everything that the API server had at the last call of {@link
   * #requestFreshness}. Returns earlier if the API server refuses a kind that was never listed: its
   * first list will be fresh.
   */
  public void awaitFreshness() throws InterruptedException {
    while (!freshness.await(REFUSAL_CHECK.toMillis(), TimeUnit.MILLISECONDS)) {
      if (!informer.isSynced() && informer.refusal().isPresent()) {
        return;
      }
    }
  }

  public long failures() {
    return failures.get();
  }

  public String lastFailure() {
    return lastFailure;
  }

  private void runRounds() {
    while (running) {
      try {
        runRound();
      } catch (InterruptedException e) {
        // stop() or requestFreshness() interrupted the call; the next iteration handles both
      }
    }
  }

  void runRound() throws InterruptedException {
    CountDownLatch freshnessRequest = freshness; // read before the requests below
    failures.addAndGet(informer.retryFailedHandlers());
    long start = time.nanos();
    EventForwarder events = new EventForwarder(mustList && !listsInPages && source.streamsLists());
    try {
      if (mustList) {
        list(events);
      } else if (freshnessRequest.getCount() > 0 || lastWatchWasQuiet) {
        compareVersions(freshnessRequest.getCount() > 0);
      }
      if (!mustList) {
        freshnessRequest.countDown();
        watch(events, start);
      }
    } catch (ListWatchException e) {
      handleFailure(e, events);
    } catch (RuntimeException bug) {
      LOG.log(
          Level.ERROR, () -> informer.kind() + ": processing an answer failed; listing again", bug);
      mustList = true;
      failures.incrementAndGet();
      lastFailure = bug.toString();
      pause(Duration.ZERO);
    }
  }

  /**
   * Reads the API server's current version. A lower version than ours means that it was restored
   * from a backup. To catch up, a small kind is replaced by the page; for a large kind a short
   * watch delivers the missing events. If that watch does not reach the current version, the next
   * round lists all objects.
   */
  private void compareVersions(boolean isFreshnessRequested)
      throws ListWatchException, InterruptedException {
    lastWatchWasQuiet = false;
    long knownVersion = informer.watchedVersion();
    long list = informer.startList();
    List<T> objects = new ArrayList<>();
    ListWatch.Page page = source.listFirstPage(isFreshnessRequested ? PAGE_SIZE : 1, objects::add);
    if (page.version() < knownVersion) {
      LOG.log(
          Level.WARNING,
          () ->
              "%s: the API server's version went back from %s to %s, probably because of a restore from a backup; listing again"
                  .formatted(informer.kind(), knownVersion, page.version()));
      mustList = true;
    } else if (isFreshnessRequested && page.isComplete()) {
      informer.replaceAll(objects, page.version(), list);
    } else if (isFreshnessRequested && page.version() > knownVersion) {
      source.catchUp(knownVersion, new EventForwarder(false));
      mustList = informer.watchedVersion() < page.version();
    }
  }

  private void list(EventForwarder events) throws ListWatchException, InterruptedException {
    if (events.isListing) {
      events.listNumber = informer.startList();
      source.watch(0, true, events);
      listsInPages = mustList; // the stream ended before it was complete
      return;
    }
    long list = informer.startList();
    List<T> objects = new ArrayList<>();
    long version = source.list(objects::add);
    informer.replaceAll(objects, version, list);
    mustList = false;
    listsInPages = false;
  }

  private void watch(EventForwarder events, long start)
      throws ListWatchException, InterruptedException {
    if (!events.streamsList) {
      source.watch(informer.watchedVersion(), false, events);
    }
    silentWatches = 0;
    lastWatchWasQuiet = !events.hasEvents;
    if (events.hasEvents || time.nanos() - start >= MIN_WATCH_DURATION.toNanos()) {
      recordSuccess();
    } else {
      pause(Duration.ZERO); // the watch ended at once without an event; a pause avoids a hot loop
    }
  }

  private void recordSuccess() {
    failedRounds = 0;
    informer.clearRefusal();
    lastFailure = informer.handlerFailure();
  }

  private void handleFailure(ListWatchException e, EventForwarder events)
      throws InterruptedException {
    if (events.hasEvents) {
      failedRounds = 0;
    }
    if (events.isListing) { // after any failure, list in pages instead
      listsInPages = true;
      LOG.log(Level.DEBUG, () -> informer.kind() + ": " + e.getMessage() + "; listing in pages");
      time.sleep(capped(e.retryAfter()));
      return;
    }
    switch (e.reason()) {
      case EXPIRED -> {
        mustList = true;
        LOG.log(Level.DEBUG, () -> informer.kind() + ": " + e.getMessage() + "; listing again");
        if (events.hasEvents || failedRounds == 0) {
          failedRounds = Math.max(1, failedRounds);
          return;
        }
        pause(Duration.ZERO);
      }
      case FUTURE_VERSION -> {
        mustList = true; // only a list shows what the API server has
        recordFailure(e);
      }
      case SILENT -> {
        // a repeated silence may hide a broken watch
        mustList |= ++silentWatches % SILENCES_UNTIL_LIST == 0;
        recordFailure(e);
      }
      case NO_SUCH_RESOURCE, FORBIDDEN -> {
        mustList = true; // a list may be allowed without a watch
        informer.recordRefusal(toRefusal(e));
        recordFailure(e);
      }
      case NO_STREAMING, THROTTLED, UNAUTHENTICATED, FAILED -> recordFailure(e);
    }
  }

  private static boolean isRefused(ListWatchException e) {
    return e.reason() == Reason.NO_SUCH_RESOURCE || e.reason() == Reason.FORBIDDEN;
  }

  private static ListRefusal toRefusal(ListWatchException e) {
    return new ListRefusal(
        e.reason() == Reason.FORBIDDEN ? ListRefusal.Cause.FORBIDDEN : ListRefusal.Cause.NOT_SERVED,
        e.getMessage());
  }

  private void recordFailure(ListWatchException e) throws InterruptedException {
    if (e.reason() != Reason.NO_SUCH_RESOURCE) { // normal in clusters without the kind
      failures.incrementAndGet();
    }
    if (!e.getMessage().equals(lastFailure)) {
      LOG.log(
          logLevel(e),
          () ->
              "cannot list or watch %s: %s; retrying"
                  .formatted(informer.kind().plural(), e.getMessage()));
    }
    lastFailure = e.getMessage();
    pause(capped(e.retryAfter()));
  }

  // The controllers that need a refused kind report it themselves.
  private Level logLevel(ListWatchException e) {
    return e.reason() == Reason.THROTTLED || isRefused(e) && !informer.isSynced()
        ? Level.DEBUG
        : Level.WARNING;
  }

  private static Duration capped(Duration pause) {
    return pause.compareTo(BACKOFF.cap()) > 0 ? BACKOFF.cap() : pause;
  }

  private void pause(Duration atLeast) throws InterruptedException {
    failedRounds++;
    Duration pause = BACKOFF.delayAfter(failedRounds);
    time.sleep(
        BACKOFF.prolong(pause.compareTo(atLeast) < 0 ? atLeast : pause, random.getAsDouble()));
  }

  private final class EventForwarder implements ListWatch.Sink<T> {
    private final List<T> initialObjects = new ArrayList<>();
    private final boolean streamsList;
    private boolean isListing;
    private boolean hasEvents;
    private long listNumber;

    EventForwarder(boolean isListing) {
      this.streamsList = isListing;
      this.isListing = isListing;
    }

    @Override
    public void present(T object) {
      if (isListing) {
        initialObjects.add(object);
      } else {
        hasEvents = true;
        informer.applyEvent(object);
      }
    }

    @Override
    public void deleted(T last) {
      if (isListing) {
        initialObjects.removeIf(object -> object.key().equals(last.key()));
      } else {
        hasEvents = true;
        informer.applyDeletion(last);
      }
    }

    @Override
    public void bookmark(long version) {
      if (!isListing) {
        hasEvents |= version >= informer.watchedVersion();
        informer.applyBookmark(version);
      }
    }

    @Override
    public void initialEventsEnded(long version) {
      if (isListing) {
        informer.replaceAll(initialObjects, version, listNumber);
        initialObjects.clear();
        isListing = false;
        mustList = false;
        listsInPages = false;
        recordSuccess();
      }
      hasEvents = true;
    }
  }
}
