package dev.mooring.informer;

import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.model.Resource;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Keeps an informer up to date: lists, then watches, for ever, on a virtual thread of its own (I6).
 * Pauses grow from 0.2 s to 30 s with up to half of jitter, and are over as soon as a watch has
 * told anything. Only a complete list replaces what is known; an error never does (I8). What is
 * known can be compared with the server whenever that matters (I9).
 *
 * @param <T> the objects
 */
public final class Reflector<T extends Resource> {
  private static final System.Logger LOG = System.getLogger(Reflector.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration HEALTHY = Duration.ofSeconds(5);
  private static final int PAGE = 500;
  private static final int PATIENT_WITH_SILENCE = 2;

  private final Informer<T> informer;
  private final ListWatch<T> source;
  private final Time time;
  private final DoubleSupplier chance;
  private final AtomicLong failures = new AtomicLong();
  private volatile String lastFailure = "";
  private volatile boolean running;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});
  private volatile CountDownLatch proof = new CountDownLatch(0);
  private boolean mustList = true;
  private boolean pages; // a list could not be streamed
  private boolean quiet; // the last watch has told nothing
  private int silences;
  private int pauses;

  /**
   * A reflector that does not run yet.
   *
   * @param informer what to keep up to date
   * @param source where to ask
   * @param time clock and pauses
   * @param chance numbers in [0, 1) for jitter
   */
  public Reflector(Informer<T> informer, ListWatch<T> source, Time time, DoubleSupplier chance) {
    this.informer = informer;
    this.source = source;
    this.time = time;
    this.chance = chance;
  }

  /** Starts listing and watching. */
  public void start() {
    running = true;
    thread =
        VitalThreads.start("reflector-" + informer.kind().plural(), () -> !running, this::loop);
  }

  /** Ends it. */
  public void stop() throws InterruptedException {
    running = false;
    thread.interrupt();
    thread.join(Duration.ofSeconds(5));
  }

  /**
   * From now on what is known counts as of unknown age, until it has been compared with what the
   * server has now. Whoever wants to act on it waits with {@link #awaitProof}.
   */
  public void prove() {
    proof = new CountDownLatch(1);
    thread.interrupt();
  }

  /** Waits until everything is known that the server had when {@link #prove} was called last. */
  public void awaitProof() throws InterruptedException {
    proof.await();
  }

  /** How many lists and watches failed. */
  public long failures() {
    return failures.get();
  }

  /** What failed last, "" if nothing has or it has healed. */
  public String lastFailure() {
    return lastFailure;
  }

  private void loop() {
    while (running) {
      try {
        round();
      } catch (InterruptedException wanted) {
        // the end, or a proof: either is looked at next
      }
    }
  }

  /** One list or one watch, and the pause that follows if it went wrong. */
  void round() throws InterruptedException {
    CountDownLatch wanted = proof; // what is asked from here on is younger than the wish
    failures.addAndGet(informer.retryFailedHandlers());
    long began = time.nanos();
    Telling telling = new Telling(mustList && !pages && source.streamsLists());
    try {
      if (mustList) {
        list(telling);
      } else if (wanted.getCount() > 0 || quiet) {
        compare(wanted.getCount() > 0);
      }
      if (!mustList) {
        wanted.countDown();
        watch(telling, began);
      }
    } catch (ListWatchException e) {
      failed(e, telling);
    } catch (RuntimeException bug) {
      LOG.log(
          Level.ERROR,
          () -> informer.kind() + ": an answer could not be handled; listing again",
          bug);
      mustList = true;
      failures.incrementAndGet();
      lastFailure = bug.toString();
      pause(Duration.ZERO);
    }
  }

  /**
   * Asks the server how far it is. If versions have gone back, it was restored from a backup. To
   * know everything up to there, a small kind is taken as it comes; of a large one a short watch
   * tells what is missing, and if it does not say that this was all, everything is listed.
   */
  private void compare(boolean proving) throws ListWatchException, InterruptedException {
    quiet = false;
    long known = informer.watchedVersion();
    long list = informer.listBegins();
    List<T> first = new ArrayList<>();
    ListWatch.Page page = source.head(proving ? PAGE : 1, first::add);
    if (page.version() < known) {
      LOG.log(
          Level.WARNING,
          () ->
              informer.kind()
                  + ": the server's versions have gone back from "
                  + known
                  + " to "
                  + page.version()
                  + ", as after a restore from a backup; listing again");
      mustList = true;
    } else if (proving && page.whole()) {
      informer.replaced(first, page.version(), list);
    } else if (proving && page.version() > known) {
      source.catchUp(known, new Telling(false));
      mustList = informer.watchedVersion() < page.version();
    }
  }

  private void list(Telling telling) throws ListWatchException, InterruptedException {
    if (telling.gathering) {
      telling.list = informer.listBegins();
      source.watch(0, true, telling);
      pages = mustList; // it ended before it was complete
      return;
    }
    long list = informer.listBegins();
    List<T> all = new ArrayList<>();
    long version = source.list(all::add);
    informer.replaced(all, version, list);
    mustList = false;
    pages = false;
  }

  private void watch(Telling telling, long began) throws ListWatchException, InterruptedException {
    if (!telling.streamed) {
      source.watch(informer.watchedVersion(), false, telling);
    }
    silences = 0;
    quiet = !telling.toldAnything;
    if (telling.toldAnything || time.nanos() - began >= HEALTHY.toNanos()) {
      healthy();
    } else {
      pause(Duration.ZERO); // ended at once and without a word: do not hammer
    }
  }

  private void healthy() {
    pauses = 0;
    lastFailure = informer.handlerFailure();
  }

  private void failed(ListWatchException e, Telling telling) throws InterruptedException {
    if (telling.toldAnything) {
      pauses = 0;
    }
    if (telling.gathering) { // whatever it was: lists can be had in pages
      pages = true;
      LOG.log(Level.DEBUG, () -> informer.kind() + ": " + e.getMessage() + "; listing in pages");
      time.sleep(atMost(e.retryAfter()));
      return;
    }
    switch (e.why()) {
      case EXPIRED -> {
        mustList = true;
        LOG.log(Level.DEBUG, () -> informer.kind() + ": " + e.getMessage() + "; listing again");
        if (telling.toldAnything || pauses == 0) {
          pauses = Math.max(1, pauses);
          return;
        }
        pause(Duration.ZERO);
      }
      case FUTURE_VERSION -> {
        mustList = true; // what the server has is found out by a list, and by nothing else
        troubled(e);
      }
      case SILENT -> {
        mustList |= ++silences % PATIENT_WITH_SILENCE == 0; // that may be heard
        troubled(e);
      }
      case NO_STREAMING, THROTTLED, NO_SUCH_RESOURCE, UNAUTHENTICATED, FORBIDDEN, FAILED ->
          troubled(e);
    }
  }

  private void troubled(ListWatchException e) throws InterruptedException {
    failures.incrementAndGet();
    if (!e.getMessage().equals(lastFailure)) {
      LOG.log(
          e.why() == Why.THROTTLED ? Level.DEBUG : Level.WARNING,
          () ->
              "cannot list or watch "
                  + informer.kind().plural()
                  + ": "
                  + e.getMessage()
                  + "; trying again");
    }
    lastFailure = e.getMessage();
    pause(atMost(e.retryAfter()));
  }

  private static Duration atMost(Duration asked) {
    return asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
  }

  private void pause(Duration atLeast) throws InterruptedException {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(pauses, 10));
    pauses++;
    pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    pause = pause.compareTo(atLeast) < 0 ? atLeast : pause;
    time.sleep(pause.plusNanos((long) (pause.toNanos() / 2.0 * chance.getAsDouble())));
  }

  /**
   * Passes on what a watch tells; initial events are gathered and replace what was known when they
   * are complete.
   */
  private final class Telling implements ListWatch.Sink<T> {
    private final List<T> initial = new ArrayList<>();
    private final boolean streamed;
    private boolean gathering;
    private boolean toldAnything;
    private long list;

    Telling(boolean gathering) {
      this.streamed = gathering;
      this.gathering = gathering;
    }

    @Override
    public void present(T object) {
      if (gathering) {
        initial.add(object);
      } else {
        toldAnything = true;
        informer.observed(object);
      }
    }

    @Override
    public void deleted(T last) {
      if (gathering) {
        initial.removeIf(known -> known.key().equals(last.key()));
      } else {
        toldAnything = true;
        informer.observedDeletion(last);
      }
    }

    @Override
    public void progress(long version) {
      if (!gathering) {
        toldAnything |= version >= informer.watchedVersion();
        informer.observedVersion(version);
      }
    }

    @Override
    public void complete(long version) {
      if (gathering) {
        informer.replaced(initial, version, list);
        initial.clear();
        gathering = false;
        mustList = false;
        pages = false;
        healthy();
      }
      toldAnything = true;
    }
  }
}
