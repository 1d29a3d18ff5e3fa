package dev.mooring.csi.execute;

import dev.mooring.csi.state.DriverPace;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
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
 * Connection state of one driver. Probes once a second until the driver is ready, then reads its
 * identity and capabilities.
 *
 * <p>A lost connection resets the session: capabilities of an earlier driver process are never
 * used. Only a new session notifies listeners, which requeue waiting objects. {@code UNAVAILABLE}
 * does not reset it, because each caller has its own back-off. As a proxy may have replaced the
 * driver, the session then checks the identity, at most once a second. Thread-safe.
 */
public final class DriverSession implements ControllerSpec.SlowWork {
  private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);
  private static final Duration NODE_QUERY_INTERVAL = Duration.ofMinutes(1);

  // Maximum wait for the probing thread at shutdown.
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final String driver;
  private final SessionReporter reporter;
  private final CsiConnection connection;
  private final Time time;
  private final OperationStats stats;
  private final DriverPace pace;
  private final Time.Signal signal;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable DriverIdentity identity;
  private volatile String problem = "it has not been probed yet";
  private volatile boolean isStopped;
  private final ReentrantLock verifyLock = new ReentrantLock();
  private final Object stateLock =
      new Object(); // guards lossCount, controllerIdentity and isNodeSideUnknown
  private int lossCount;
  private volatile @Nullable DriverIdentity
      controllerIdentity; // without the capabilities of its node side
  private volatile boolean isNodeSideUnknown; // the node side did not report its capabilities
  private volatile boolean isVerified; // the driver answered within the last pause
  private volatile BooleanSupplier mayCall = () -> true;
  private @Nullable Thread prober;

  public DriverSession(String driver, CsiConnection connection, Time time, OperationStats stats) {
    this.driver = driver;
    this.reporter = new SessionReporter(driver);
    this.connection = connection;
    this.time = time;
    this.stats = stats;
    this.pace = new DriverPace(time);
    this.signal = time.newSignal();
  }

  public String driver() {
    return driver;
  }

  public Optional<DriverIdentity> identity() {
    return Optional.ofNullable(identity);
  }

  public String problem() {
    return problem;
  }

  public DriverPace pace() {
    return pace;
  }

  // Adds a listener for each time the driver becomes ready. It must not block.
  public void onReady(Runnable listener) {
    listeners.add(listener);
  }

  public synchronized void start() {
    connection.onConnectionLost(() -> reset("the connection was lost"));
    prober = VitalThreads.start(time, "csi " + driver, () -> isStopped, this::probeLoop);
  }

  public synchronized void stop() throws InterruptedException {
    isStopped = true;
    signal.raise();
    connection.close();
    if (prober != null) {
      prober.interrupt();
      time.join(prober, STOP_TIMEOUT);
    }
  }

  @Override
  public boolean isQuiet() {
    return true; // callers wait for the session themselves
  }

  @Override
  public boolean close(Duration grace) throws InterruptedException {
    stop();
    return true;
  }

  // Sets the condition, for example leadership, under which the driver may be called.
  public void callOnlyWhile(BooleanSupplier allowed) {
    mayCall = allowed;
  }

  public <T> DriverReply<T> call(String method, Function<CsiConnection, DriverReply<T>> call) {
    if (!mayCall.getAsBoolean()) {
      return new DriverReply.Refused<>(
          StatusCode.UNAVAILABLE, "this replica does not lead: the driver was not called");
    }
    Optional<DriverPace.Lane> lane = DriverPace.Lane.of(method);
    lane.ifPresent(pace::startCall);
    long startNanos = time.nanos();
    StatusCode code = StatusCode.UNKNOWN;
    DriverReply<T> reply;
    try {
      reply = call.apply(connection);
      code = reply instanceof DriverReply.Refused<T> refusal ? refusal.code() : StatusCode.OK;
    } finally {
      StatusCode result = code;
      lane.flatMap(started -> pace.endCall(started, result)).ifPresent(reporter::logLimit);
    }
    stats.recordDuration(
        driver, method + " " + code.spelling(), code == StatusCode.OK, time.nanos() - startNanos);
    if (reply instanceof DriverReply.Refused<T> refusal
        && refusal.code() == StatusCode.UNAVAILABLE) {
      verifyIdentity();
    }
    return reply;
  }

  // A proxy, not the driver itself, may have answered UNAVAILABLE.
  private void verifyIdentity() {
    if (isVerified || !verifyLock.tryLock()) {
      return;
    }
    try {
      DriverIdentity lastIdentity = controllerIdentity;
      if (lastIdentity == null || isStopped) {
        return;
      }
      if (connection.identify()
              instanceof DriverReply.Ok<DriverIdentity>(DriverIdentity currentIdentity)
          && !currentIdentity.equals(lastIdentity)) {
        reset("another driver answers at its endpoint");
        return;
      }
      isVerified = true;
      time.schedule(PROBE_INTERVAL, () -> isVerified = false);
    } finally {
      verifyLock.unlock();
    }
  }

  private void reset(String reason) {
    synchronized (stateLock) {
      lossCount++;
      if (identity == null || isStopped) {
        return;
      }
      identity = null;
      controllerIdentity = null;
      isNodeSideUnknown = false;
    }
    setProblem(reason);
    signal.raise();
  }

  private void probeLoop() {
    while (!isStopped) {
      try {
        if (identity == null) {
          if (!tryProbe()) {
            time.sleep(PROBE_INTERVAL);
          }
        } else if (!signal.await(() -> isStopped || identity == null, NODE_QUERY_INTERVAL)
            && isNodeSideUnknown) {
          queryNodeAgain();
        }
      } catch (InterruptedException interrupted) {
        // shutdown, or an interrupt that a call left behind: the loop condition decides
      }
    }
  }

  private boolean tryProbe() {
    try {
      return probeAndIdentify();
    } catch (RuntimeException e) {
      setProblem("its answer could not be processed: " + e);
      return false;
    }
  }

  private boolean probeAndIdentify() {
    int lossesBefore = readLossCount();
    switch (connection.probe()) {
      case DriverReply.Ok<Boolean>(Boolean isReady) -> {
        if (!isReady) {
          setProblem("it reports that it is not ready yet");
          return false;
        }
      }
      case DriverReply.Refused<Boolean> refusal -> {
        setProblem(refusal.text());
        return false;
      }
    }
    return switch (connection.identify()) {
      case DriverReply.Ok<DriverIdentity>(DriverIdentity answer) -> accept(answer, lossesBefore);
      case DriverReply.Refused<DriverIdentity> refusal -> {
        setProblem(refusal.text());
        yield false;
      }
    };
  }

  private int readLossCount() {
    synchronized (stateLock) {
      return lossCount;
    }
  }

  private boolean accept(DriverIdentity answer, int lossesBefore) {
    if (!answer.name().equals(driver)) {
      setProblem(
          "the driver at the endpoint has the name \""
              + answer.name()
              + "\": use that name in --csi-endpoint");
      return false;
    }
    return useIdentity(answer, lossesBefore);
  }

  private void queryNodeAgain() {
    int lossesBefore = readLossCount();
    DriverIdentity answer = controllerIdentity;
    if (answer != null) {
      useIdentity(answer, lossesBefore);
    }
  }

  // False if the connection was lost since the answer.
  private boolean useIdentity(DriverIdentity answer, int lossesBefore) {
    Optional<Set<DriverCapability>> nodeCapabilities = readNodeCapabilities(answer);
    Set<DriverCapability> capabilities = new TreeSet<>(answer.abilities());
    nodeCapabilities.ifPresent(capabilities::addAll);
    DriverIdentity completeIdentity =
        new DriverIdentity(answer.name(), answer.version(), Set.copyOf(capabilities));
    synchronized (stateLock) {
      if (lossCount != lossesBefore || isStopped) {
        return false; // the connection was lost meanwhile
      }
      isNodeSideUnknown = nodeCapabilities.isEmpty();
      if (completeIdentity.equals(identity)) {
        return true; // only the node side was queried again, without a change
      }
      controllerIdentity = answer;
      identity = completeIdentity;
      problem = "";
    }
    pace.reset();
    reporter.logReady(answer.version(), capabilities);
    listeners.forEach(Runnable::run);
    return true;
  }

  /**
   * Queries the node side only if the controller side cannot expand volumes, as the sidecars do. A
   * failure leaves all other capabilities usable.
   *
   * @return empty if unknown
   */
  private Optional<Set<DriverCapability>> readNodeCapabilities(DriverIdentity answer) {
    if (!answer.can(DriverCapability.CONTROLLER_SERVICE)
        || answer.can(DriverCapability.EXPAND_VOLUME)) {
      return Optional.of(Set.of());
    }
    return switch (connection.getNodeCapabilities()) {
      case DriverReply.Ok<Set<DriverCapability>>(Set<DriverCapability> capabilities) ->
          Optional.of(capabilities);
      case DriverReply.Refused<Set<DriverCapability>> refusal -> {
        if (!isNodeSideUnknown) {
          reporter.logUnknownNodeSide(refusal.text());
        }
        yield Optional.empty();
      }
    };
  }

  private void setProblem(String newProblem) {
    if (!newProblem.equals(problem)) {
      problem = newProblem;
      reporter.logUnusable(newProblem);
    }
  }
}
