package dev.mooring.csi.driver;

import dev.mooring.operation.OperationStats;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One driver: asked whether it is ready, once a second until it is, then who it is and what it can
 * do. A driver that goes away is asked again, and is never used with what an earlier life of it
 * could do. One that says {@code UNAVAILABLE} may have gone, or just have too much to do: it is
 * asked whether it is ready, and only if it is not, or is another than before, whoever waits is
 * woken when it is. Thread-safe.
 */
public final class DriverSession {
  private static final System.Logger LOG = System.getLogger(DriverSession.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(1);

  private final String driver;
  private final CsiConnection connection;
  private final Time time;
  private final OperationStats stats;
  private final Time.Signal signal;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable Identity identity;
  private volatile String problem = "it was not asked yet";
  private volatile boolean stopped;
  private final ReentrantLock doubting = new ReentrantLock();
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
    asking = VitalThreads.start("csi " + driver, () -> stopped, this::ask);
  }

  /** Ends; calls under way are cut off. */
  public synchronized void stop() throws InterruptedException {
    stopped = true;
    signal.raise();
    connection.close();
    if (asking != null) {
      asking.interrupt();
      asking.join();
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
      doubted(refused.text());
    }
    return reply;
  }

  /** It says that it is unavailable: its answer, or that of a connection to nobody. */
  private void doubted(String why) {
    if (certain || !doubting.tryLock()) {
      return; // an answer, as far as anybody knows
    }
    try {
      Identity before = identity;
      if (before == null || stopped) {
        return;
      }
      boolean there = connection.probe() instanceof Reply.Ok<Boolean>(Boolean ready) && ready;
      if (!there
          || !(connection.identify() instanceof Reply.Ok<Identity>(Identity said))
          || !said.equals(before)) {
        lost(why);
        return;
      }
      certain = true;
      time.schedule(PAUSE, () -> certain = false);
    } finally {
      doubting.unlock();
    }
  }

  private void lost(String why) {
    if (identity != null) {
      identity = null;
      note("it went away: " + why);
      signal.raise();
    }
  }

  private void ask() {
    while (!stopped) {
      try {
        if (identity == null && !introduced()) {
          time.sleep(PAUSE);
        } else {
          signal.await(() -> stopped || identity == null, LONG);
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
      case Reply.Ok<Identity>(Identity said) -> accept(said);
      case Reply.Refused<Identity> refused -> {
        note(refused.text());
        yield false;
      }
    };
  }

  private boolean accept(Identity said) {
    if (!said.name().equals(driver)) {
      note(
          "the driver at its endpoint calls itself \""
              + said.name()
              + "\": name that one in --csi-endpoint");
      return false;
    }
    identity = said;
    problem = "";
    LOG.log(
        Level.INFO,
        () -> "CSI driver " + driver + " " + said.version() + " is ready: " + said.abilities());
    listeners.forEach(Runnable::run);
    return true;
  }

  private void note(String news) {
    if (!news.equals(problem)) {
      problem = news;
      LOG.log(Level.WARNING, () -> "CSI driver " + driver + " cannot be used: " + news);
    }
  }
}
