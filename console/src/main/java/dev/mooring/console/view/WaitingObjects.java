package dev.mooring.console.view;

import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Subject;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What waits, kept up to date on a thread of its own. An object that changes is looked at at once;
 * whatever else may wait for another reason now, when everything is looked at again, which happens
 * after a change too, but takes no more than a tenth of the time; the changes themselves take no
 * more than a quarter. Thread-safe.
 */
public final class WaitingObjects {
  private static final System.Logger LOG = System.getLogger(WaitingObjects.class.getName());
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(150);
  private static final Duration UNTIL_LISTED = Duration.ofMillis(50);

  /** Leases end without anybody changing anything. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** After a look at everything, so many times as long as it took belong to others. */
  private static final int RESTS_OF_ALL = 9;

  /** After a look at what has changed: somebody may be waiting to see it. */
  private static final int RESTS_OF_SOME = 3;

  private final FollowedCluster cluster;
  private final Time time;
  private final BoundTimes bound;
  private final Rates rates;
  private final Time.Signal changes;
  private final Time.Signal looks;
  private final Set<Subject> changed = new HashSet<>(); // guards the next six too
  private Optional<Outage> outage = Optional.empty();
  private long version;
  private boolean anything;
  private @Nullable Moment last; // of the thread alone
  private long mayLook;
  private long mayLookAtAll;
  private long mustLookAtAll;
  private volatile Waiting waiting;
  private volatile boolean running;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});

  /** Over that cluster; nothing is looked at yet. */
  public WaitingObjects(FollowedCluster cluster, Time time) {
    this.cluster = cluster;
    this.time = time;
    this.bound = new BoundTimes(time);
    this.rates = new Rates(time);
    this.changes = time.signal();
    this.looks = time.signal();
    this.waiting = Waiting.begin(time.now());
    this.mustLookAtAll = time.nanos();
  }

  public void start() {
    Sight sight = cluster.sight();
    cluster.kinds().forEach(kind -> follow(sight.informer(kind)));
    sight.informer(Kind.CLAIM).onChange(bound::changed);
    sight.informer(Kind.CLAIM).onChange(rates::ofClaim);
    Informer<Volume> volumes = sight.informer(Kind.VOLUME);
    volumes.onChange(change -> rates.ofVolume(change, volumes.isSynced()));
    cluster.onOutage(this::outage);
    sight.informer(Kind.ATTACHMENT).onChange(rates::ofAttachment);
    running = true;
    thread = time.thread("console", this::run);
    thread.start();
  }

  public void stop() throws InterruptedException {
    running = false;
    changes.raise();
    looks.raise();
    thread.interrupt();
    thread.join();
  }

  private <T extends Resource> void follow(Informer<T> informer) {
    boolean hasPage = Section.of(informer.kind()).isPresent();
    informer.onChange(change -> {
      if (isRenewal(change)) {
        return;
      }
      synchronized (changed) {
        anything = true;
        if (hasPage && waiting.isComplete()) {
          changed.add(new Subject(informer.kind(), change.key()));
        }
      }
      changes.raise();
    });
  }

  /** Shown without a look at the objects: a look may ask the server, which does not answer. */
  private void outage(Optional<Outage> now) {
    synchronized (changed) {
      outage = now;
      waiting = waiting.during(now, ++version);
    }
    looks.raise();
  }

  private void show(Waiting found) {
    synchronized (changed) {
      waiting = found.during(outage, ++version);
    }
    looks.raise();
  }

  /** That a lease goes on is no news: that it has ended is noticed when everything is looked at. */
  private static boolean isRenewal(Change<?> change) {
    return change instanceof Change.Updated<?>(Lease before, Lease now)
        && before.holder().equals(now.holder());
  }

  public Waiting now() {
    return waiting;
  }

  /** How often something was finished. */
  public Rates rates() {
    return rates;
  }

  /** How long claims waited that were bound. */
  public BoundTimes bound() {
    return bound;
  }

  /**
   * Waits until anything was looked at again since that version, or the time is over.
   *
   * @return whether it was
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public boolean awaitNewer(long version, Duration atMost) throws InterruptedException {
    return looks.await(() -> !running || waiting.version() != version, atMost) && running;
  }

  public boolean isOver() {
    return !running;
  }

  private void run() {
    try {
      while (running && !cluster.isListed()) {
        changes.await(() -> !running, UNTIL_LISTED);
      }
      while (running) {
        long due = due();
        changes.await(
            () -> !running || due() < due || due <= time.nanos(),
            Duration.ofNanos(Math.max(0, due - time.nanos())));
        if (running && due() <= time.nanos()) {
          round();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** When to look again, as far as is known now. */
  private long due() {
    synchronized (changed) {
      long due = mustLookAtAll;
      due = anything ? Math.min(due, mayLookAtAll) : due;
      return changed.isEmpty() ? due : Math.min(due, mayLook);
    }
  }

  private void round() throws InterruptedException {
    long began = time.nanos();
    boolean everything;
    Set<Subject> some;
    synchronized (changed) {
      everything = began >= mustLookAtAll || anything && changed.isEmpty() && began >= mayLookAtAll;
      some = Set.copyOf(changed);
      changed.clear();
      anything = !everything; // what else has changed by it is looked at later
    }
    show(everything ? all() : those(some));
    last = everything ? null : last; // what it has gathered is not kept for nothing
    long ended = time.nanos();
    long took = ended - began;
    synchronized (changed) {
      mayLook = ended + Math.max(BETWEEN_LOOKS.toNanos(), everything ? 0 : RESTS_OF_SOME * took);
      if (everything) {
        mayLookAtAll = ended + Math.max(BETWEEN_LOOKS.toNanos(), RESTS_OF_ALL * took);
        mustLookAtAll = Math.max(ended + LONGEST.toNanos(), mayLookAtAll);
      }
    }
  }

  /** The same as for the last look, if nothing has changed since: it takes a while to be ready. */
  private Moment moment() {
    Moment known = last;
    if (known == null || !isNow(known.sight())) {
      known = cluster.moment();
      last = known;
    }
    return known;
  }

  private boolean isNow(Sight then) {
    Sight now = cluster.sight();
    return cluster.kinds().stream()
        .allMatch(kind -> then.informer(kind).snapshot() == now.informer(kind).snapshot());
  }

  private Waiting all() throws InterruptedException {
    Look look = new Look(moment(), new HashMap<>());
    for (Section section : Section.values()) {
      for (Resource object : look.moment.sight().informer(section.kind()).snapshot().all()) {
        look.at(new Subject(section.kind(), object.key()));
      }
    }
    return look.found(look.failures);
  }

  private Waiting those(Set<Subject> some) throws InterruptedException {
    Look look = new Look(moment(), new HashMap<>(waiting.objects()));
    for (Subject one : some) {
      look.objects.remove(one);
      look.at(one);
    }
    return look.found(waiting.unexplained() + look.failures);
  }

  private final class Look {
    private final Moment moment;
    private final Map<Subject, List<Explanation>> objects;
    private int failures;

    Look(Moment moment, Map<Subject, List<Explanation>> objects) {
      this.moment = moment;
      this.objects = objects;
    }

    /** One object that cannot be explained must not hide the others. */
    void at(Subject subject) throws InterruptedException {
      try {
        List<Explanation> why = moment.waiting(subject.kind(), subject.key());
        if (!why.isEmpty()) {
          objects.put(subject, why);
        }
      } catch (RuntimeException bug) {
        if (failures++ == 0) {
          LOG.log(Level.ERROR, () -> subject + " cannot be explained", bug);
        }
      }
    }

    Waiting found(int unexplained) {
      return new Waiting(
          0, time.now(), true, objects, moment.unseen(), unexplained, Optional.empty());
    }
  }
}
