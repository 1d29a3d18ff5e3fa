package dev.mooring.csi.execute;

import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One driver: asked whether it is ready, once a second until it is, then who it is and what it can
 * do. Whenever its connection was lost it is asked anew, and it is never used with what an earlier
 * life of it could do; whoever waits is woken then, and only then. One that answers {@code
 * UNAVAILABLE} is there, and each of its callers has its own back-off; as a proxy may have changed
 * what stands behind it, it is asked who it is, once a second at most. Thread-safe.
 */
public final class DriverSession {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(1);

  /** So long the thread that asks is waited for when it was told to end. */
  private static final Duration ENDING = Duration.ofSeconds(5);

  private final String driver;
  private final SessionReporter reporter;
  private final CsiConnection connection;
  private final Time time;
  private final OperationStats stats;
  private final Time.Signal signal;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable Identity identity;
  private volatile String problem = "it was not asked yet";
  private volatile boolean stopped;
  private final ReentrantLock doubting = new ReentrantLock();
  private final Object life = new Object(); // guards losses, said and nodeUnknown
  private int losses;
  private volatile @Nullable Identity said; // without what its node side can do
  private volatile boolean nodeUnknown; // its node side did not say what it can do
  private volatile boolean certain; // it answered within the last pause
  private volatile BooleanSupplier mayCall = () -> true;
  private @Nullable Thread asking;

  /**
   * A session that asks nothing yet.
   *
   * @param driver the name that the driver has to say
   * @param stats how long its calls took: an operation is a method and its code, {@code
   *     CreateVolume OK}
   */
  public DriverSession(String driver, CsiConnection connection, Time time, OperationStats stats) {
    this.driver = driver;
    this.reporter = new SessionReporter(driver);
    this.connection = connection;
    this.time = time;
    this.stats = stats;
    this.signal = time.signal();
  }

  /** The driver's name. */
  public String driver() {
    return driver;
  }

  /** What the driver can do; empty while it is not ready. */
  public Optional<Identity> identity() {
    return Optional.ofNullable(identity);
  }

  /** Why the driver is not ready, "" if it is. */
  public String problem() {
    return problem;
  }

  /** Calls that whenever the driver has become ready; it must be quick. */
  public void onReady(Runnable listener) {
    listeners.add(listener);
  }

  /** Begins to ask. */
  public synchronized void start() {
    connection.onLoss(() -> lost("the connection to it was lost"));
    asking = VitalThreads.start(time, "csi " + driver, () -> stopped, this::ask);
  }

  /** Ends; calls under way are cut off. */
  public synchronized void stop() throws InterruptedException {
    stopped = true;
    signal.raise();
    connection.close();
    if (asking != null) {
      asking.interrupt();
      time.join(asking, ENDING);
    }
  }

  /** From now on the driver is called only while that is so. */
  public void callOnlyWhile(BooleanSupplier allowed) {
    mayCall = allowed;
  }

  /** Calls the driver. */
  public <T> Reply<T> call(String method, Function<CsiConnection, Reply<T>> call) {
    if (!mayCall.getAsBoolean()) {
      return new Reply.Refused<>(
          StatusCode.UNAVAILABLE,
          "this replica does not lead (any more): the driver was not asked");
    }
    long begun = time.nanos();
    Reply<T> reply = call.apply(connection);
    StatusCode code = reply instanceof Reply.Refused<T> refused ? refused.code() : StatusCode.OK;
    stats.took(driver, method + " " + code.spelling(), code == StatusCode.OK, time.nanos() - begun);
    if (reply instanceof Reply.Refused<T> refused && refused.code() == StatusCode.UNAVAILABLE) {
      doubted();
    }
    return reply;
  }

  /** It says that it is unavailable: it, or what stands between. */
  private void doubted() {
    if (certain || !doubting.tryLock()) {
      return;
    }
    try {
      Identity before = said;
      if (before == null || stopped) {
        return;
      }
      if (connection.identify() instanceof Reply.Ok<Identity>(Identity now)
          && !now.equals(before)) {
        lost("another one answers in its place");
        return;
      }
      certain = true;
      time.schedule(PAUSE, () -> certain = false);
    } finally {
      doubting.unlock();
    }
  }

  private void lost(String why) {
    synchronized (life) {
      losses++;
      if (identity == null || stopped) {
        return;
      }
      identity = null;
      said = null;
      nodeUnknown = false;
    }
    note("it went away: " + why);
    signal.raise();
  }

  private void ask() {
    while (!stopped) {
      try {
        if (identity == null) {
          if (!introduced()) {
            time.sleep(PAUSE);
          }
        } else if (!signal.await(() -> stopped || identity == null, LONG) && nodeUnknown) {
          askNodeAgain();
        }
      } catch (InterruptedException interrupted) {
        // the end, or left behind by what was called: the loop looks
      }
    }
  }

  private boolean introduced() {
    try {
      return introduce();
    } catch (RuntimeException bug) {
      note("its answer could not be handled: " + bug);
      return false;
    }
  }

  /** Whether the driver is ready. */
  private boolean introduce() {
    int before = losses();
    switch (connection.probe()) {
      case Reply.Ok<Boolean>(Boolean ready) -> {
        if (!ready) {
          note("it says that it is not ready yet");
          return false;
        }
      }
      case Reply.Refused<Boolean> refused -> {
        note(refused.text());
        return false;
      }
    }
    return switch (connection.identify()) {
      case Reply.Ok<Identity>(Identity answer) -> accept(answer, before);
      case Reply.Refused<Identity> refused -> {
        note(refused.text());
        yield false;
      }
    };
  }

  private int losses() {
    synchronized (life) {
      return losses;
    }
  }

  private boolean accept(Identity answer, int before) {
    if (!answer.name().equals(driver)) {
      note(
          "the driver at its endpoint calls itself \""
              + answer.name()
              + "\": name that one in --csi-endpoint");
      return false;
    }
    return use(answer, before);
  }

  private void askNodeAgain() {
    int before = losses();
    Identity answer = said;
    if (answer != null) {
      use(answer, before);
    }
  }

  /** Whether that is still the driver that is there. */
  private boolean use(Identity answer, int before) {
    Optional<Set<Ability>> node = nodeAbilities(answer);
    Set<Ability> all = new TreeSet<>(answer.abilities());
    node.ifPresent(all::addAll);
    Identity whole = new Identity(answer.name(), answer.version(), Set.copyOf(all));
    synchronized (life) {
      if (losses != before || stopped) {
        return false; // that was an earlier life
      }
      nodeUnknown = node.isEmpty();
      if (whole.equals(identity)) {
        return true; // its node service had been asked again, and said nothing new
      }
      said = answer;
      identity = whole;
      problem = "";
    }
    reporter.isReady(answer.version(), all);
    listeners.forEach(Runnable::run);
    return true;
  }

  /**
   * Asked, as the sidecars do, only where it matters: whether nodes grow volumes that the
   * controller service does not grow. A driver that cannot answer that can do all else.
   *
   * @return empty if it is not known
   */
  private Optional<Set<Ability>> nodeAbilities(Identity answer) {
    if (!answer.can(Ability.CONTROLLER_SERVICE) || answer.can(Ability.EXPAND_VOLUME)) {
      return Optional.of(Set.of());
    }
    return switch (connection.nodeAbilities()) {
      case Reply.Ok<Set<Ability>>(Set<Ability> abilities) -> Optional.of(abilities);
      case Reply.Refused<Set<Ability>> refused -> {
        if (!nodeUnknown) {
          reporter.saysNothingOfItsNodes(refused.text());
        }
        yield Optional.empty();
      }
    };
  }

  private void note(String news) {
    if (!news.equals(problem)) {
      problem = news;
      reporter.cannotBeUsed(news);
    }
  }
}
