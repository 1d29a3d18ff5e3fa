package dev.mooring.informer;

import dev.mooring.informer.ListWatchException.Why;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Keeps an informer up to date: lists, then watches, for ever, on a virtual thread of its own (I6).
 * Pauses grow from 0.2 s to 30 s with up to half of jitter, and are over as soon as a watch has
 * told anything.
 *
 * @param <T> the objects
 */
public final class Reflector<T extends Resource> {
  private static final System.Logger LOG = System.getLogger(Reflector.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration HEALTHY = Duration.ofSeconds(5);

  private final Informer<T> informer;
  private final ListWatch<T> source;
  private final Time time;
  private final DoubleSupplier chance;
  private final AtomicLong lists = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile String lastFailure = "";
  private volatile boolean running;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});
  private boolean mustList = true;
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
    thread = Thread.ofVirtual().name("reflector-" + informer.kind().plural()).start(this::loop);
  }

  /** Ends it. */
  public void stop() throws InterruptedException {
    running = false;
    thread.interrupt();
    thread.join(Duration.ofSeconds(5));
  }

  /** How many full lists were made. */
  public long lists() {
    return lists.get();
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
    try {
      while (running) {
        round();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** One list if it is needed, one watch, and the pause that follows if either went wrong. */
  void round() throws InterruptedException {
    long began = time.nanos();
    Telling telling = new Telling(mustList && source.streamsLists());
    try {
      if (mustList && !source.streamsLists()) {
        List<T> all = new ArrayList<>();
        lists.incrementAndGet();
        long version = source.list(all::add);
        informer.replaced(all, version);
        mustList = false;
      }
      if (mustList) {
        lists.incrementAndGet();
        source.watch(0, true, telling);
      } else {
        source.watch(informer.watchedVersion(), false, telling);
      }
      if (telling.toldAnything || time.nanos() - began >= HEALTHY.toNanos()) {
        healthy();
      } else {
        pause(Duration.ZERO); // ended at once and without a word: do not hammer
      }
    } catch (ListWatchException e) {
      failed(e, telling.toldAnything);
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

  private void healthy() {
    pauses = 0;
    lastFailure = "";
  }

  private void failed(ListWatchException e, boolean toldAnything) throws InterruptedException {
    if (toldAnything) {
      pauses = 0;
    }
    switch (e.why()) {
      case EXPIRED -> {
        mustList = true;
        LOG.log(Level.DEBUG, () -> informer.kind() + ": " + e.getMessage() + "; listing again");
        if (toldAnything || pauses == 0) {
          pauses = Math.max(1, pauses);
          return;
        }
        pause(Duration.ZERO);
      }
      case FUTURE_VERSION -> {
        mustList = true;
        informer.versionsRestarted();
        troubled(e);
      }
      case NO_STREAMING ->
          LOG.log(
              Level.DEBUG,
              () -> informer.kind() + ": the server does not stream lists; using pages");
      case THROTTLED, NO_SUCH_RESOURCE, REFUSED, FAILED -> troubled(e);
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
    pause(e.retryAfter());
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
    private boolean gathering;
    private boolean toldAnything;

    Telling(boolean gathering) {
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
        toldAnything = true;
        informer.observedVersion(version);
      }
    }

    @Override
    public void complete(long version) {
      if (gathering) {
        informer.replaced(initial, version);
        initial.clear();
        gathering = false;
        mustList = false;
        healthy();
      }
      toldAnything = true;
    }
  }
}
