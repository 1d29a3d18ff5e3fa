package dev.mooring.manager.lifecycle;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Stage;
import dev.mooring.binder.BinderController;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.csi.CsiBridge;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.EventRecorder;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.LeaderElection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.endpoint.EndpointServer;
import dev.mooring.manager.plugin.GrantedCluster;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.telemetry.Metrics;
import dev.mooring.manager.telemetry.MetricsSource;
import dev.mooring.manager.telemetry.QueueMetrics;
import dev.mooring.manager.telemetry.WatchMetrics;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.Controller;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.DoublingDelay;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A controller-manager. Starts its parts in order and stops them in reverse order, also after a
 * failed start.
 */
public final class ControllerManager {
  private static final System.Logger LOG = System.getLogger(ControllerManager.class.getName());
  private static final DoublingDelay SERVER_BACKOFF =
      new DoublingDelay(Duration.ofMillis(200), Duration.ofSeconds(10));
  private static final Duration HOLD_PERIOD = Duration.ofSeconds(2);

  @FunctionalInterface
  private interface StopAction {
    void run() throws InterruptedException;
  }

  private final ManagerConfig config;
  private final KubeConnection connection;
  private final PluginRegistry plugins;
  private final AuditOutputs audit;
  private final Injector injector;
  private final ControllerSet controllers;
  private final List<StopAction> stops = new ArrayList<>();
  private final ClusterCaches caches;
  private volatile String notReady = "not started";
  private volatile boolean isFinished = true;
  private volatile int port = -1;
  private final WriteGate writeGate = new WriteGate();
  private volatile Runnable onLeadershipLost = () -> {};
  private volatile ServerCheck onServerAnswer = showState -> {};
  private volatile StandbyWork standbyWork = StandbyWork.NONE;
  private volatile MetricsSource addedMetrics = families -> {};
  private volatile boolean isLeadershipLost;

  /**
   * Creates a stopped manager.
   *
   * @param plugins plugins; closed when the manager stops
   * @param time of the controllers; empty for the system's
   * @throws IllegalArgumentException if a CSI endpoint is invalid; the message has the remedy
   * @throws IOException if the audit log cannot be written; the message has the flag and the file
   */
  public ControllerManager(
      ManagerConfig config, KubeConnection connection, PluginRegistry plugins, Optional<Time> time)
      throws IOException {
    this(config, connection, plugins, AuditOutputs.of(config), time);
  }

  /**
   * Creates a stopped manager whose actions are not performed. It has no election and no audit log.
   */
  public ControllerManager(
      ManagerConfig config,
      KubeConnection connection,
      PluginRegistry plugins,
      ManagerActions actions) {
    this(config, connection, plugins, AuditOutputs.none(actions), Optional.empty());
    this.addedMetrics = actions.metrics();
    BooleanSupplier mayAct = actions.permit(() -> true);
    plugins.workOnlyWhile(mayAct);
    injector.getInstance(CsiBridge.class).callOnlyWhile(mayAct);
  }

  private ControllerManager(
      ManagerConfig config,
      KubeConnection connection,
      PluginRegistry plugins,
      AuditOutputs audit,
      Optional<Time> time) {
    this.config = config;
    this.connection = connection;
    this.plugins = plugins;
    this.caches = new ClusterCaches(connection, audit.actions());
    this.audit = audit;
    this.injector =
        Guice.createInjector(
            Stage.PRODUCTION,
            new ManagerModule(config, connection, plugins, writeGate, audit.actions()).with(time));
    this.controllers = ControllerSet.of(config, injector, audit.actions().sink());
    grantClusterAccess(config.plugins().podsNamespace(), injector.getInstance(ClusterPorts.class));
    config
        .election()
        .map(election -> LeaseBreakerStore.of(cluster(), election))
        .ifPresent(injector.getInstance(DeletionBreaker.class)::setStore);
  }

  private void grantClusterAccess(String podsNamespace, ClusterPorts ports) {
    if (!podsNamespace.isEmpty()) {
      plugins.setCluster(new GrantedCluster(podsNamespace, ports.reader(), ports.writer()));
    }
  }

  /** Registers a callback for the loss of leadership. It runs once, on another thread. */
  public void onLeadershipLost(Runnable callback) {
    onLeadershipLost = callback;
  }

  /**
   * Registers a check for the first answer of the API server. It runs once, on the starting thread,
   * and the start waits for it.
   */
  public void onServer(ServerCheck callback) {
    onServerAnswer = callback;
  }

  /** Registers work for the time until this process leads. */
  public void onStandby(StandbyWork work) {
    standbyWork = work;
  }

  /** Serves these metrics too. */
  public void addMetrics(MetricsSource source) {
    addedMetrics = source;
  }

  /**
   * Starts all parts and returns when the first reconcile may run. Waits for an unreachable API
   * server.
   *
   * @throws IOException if the endpoints' address is in use or the check of {@link #onServer}
   *     fails; the started parts are stopped again
   */
  public void start() throws IOException, InterruptedException {
    boolean isStarted = false;
    try {
      startParts();
      isStarted = true;
    } finally {
      if (!isStarted) {
        stop();
      }
    }
  }

  private Metrics metrics() {
    List<MetricsSource> sources =
        new ArrayList<>(injector.getInstance(new Key<Set<MetricsSource>>() {}));
    sources.add(families -> new QueueMetrics(controllers.queueStats()).addTo(families));
    sources.add(families -> new WatchMetrics(caches.failures()).addTo(families));
    audit.log().ifPresent(sources::add);
    sources.add(families -> addedMetrics.addTo(families));
    return new Metrics(sources);
  }

  private void startParts() throws IOException, InterruptedException {
    SharedInformers informers = injector.getInstance(SharedInformers.class);
    SystemTime time = injector.getInstance(SystemTime.class);
    EventRecorder events = injector.getInstance(EventRecorder.class);
    audit.log().ifPresent(log -> stops.add(log::close));
    stops.add(plugins::close);
    stops.add(time::close);
    stops.add(connection::close);
    stops.add(events::stop);
    if (config.endpoints().isPresent()) {
      EndpointServer endpoints = startEndpoints(config.endpoints().get(), metrics(), time);
      port = endpoints.address().getPort();
      stops.add(endpoints::stop);
    }
    notReady = "waiting for the API server at " + connection.address();
    awaitServer(time);
    onServerAnswer.run(state -> notReady = state);
    notReady = "waiting for the first lists";
    fillCaches(informers, time);
    if (config.console().isPresent()) {
      stops.add(
          new ManagerConsole(config, connection, injector, plugins)
                  .start(
                      config.console().get(),
                      new ManagerConsole.RunningParts(
                          caches.caches(), audit.tail(), controllers, audit.actions()::comparison),
                      () -> notReady)
              ::stop);
    }
    awaitLeadership();
    for (Controller controller : controllers.list()) {
      startController(controller);
    }
    if (config.plugins().scan().isPositive()) {
      // network file systems and mounted volumes do not notify of changes
      stops.add(PeriodicWork.start("plugin scan", config.plugins().scan(), plugins::scan)::stop);
    }
    notReady = "";
  }

  private void fillCaches(SharedInformers informers, SystemTime time) {
    stops.add(caches::stop);
    Stream.concat(
            Stream.of(
                informers.of(Kind.VOLUME),
                informers.of(Kind.CLAIM),
                informers.of(Kind.STORAGE_CLASS)), // read by metrics
            controllers.list().stream().flatMap(controller -> controller.reads().stream()))
        .distinct()
        .forEach(informer -> caches.fill(informer, time));
  }

  // Waits for leadership while the caches fill, so that a new leader starts immediately.
  private void awaitLeadership() throws InterruptedException {
    Optional<LeaderElection> election =
        injector.getInstance(new Key<Optional<LeaderElection>>() {});
    if (election.isEmpty()) {
      return;
    }
    writeGate.setSource(election.get()::remainingTerm);
    plugins.workOnlyWhile(writeGate::isOpen);
    injector.getInstance(CsiBridge.class).callOnlyWhile(writeGate::isOpen);
    notReady = ""; // a standby replica is ready, unless it can never lead
    election.get().onStandbyProblem(problem -> notReady = problem);
    stops.add(election.get()::release);
    lead(election.get());
    DeletionBreaker breaker = injector.getInstance(DeletionBreaker.class);
    breaker.syncHold();
    stops.add(PeriodicWork.start("deletion hold", HOLD_PERIOD, breaker::syncHold)::stop);
    // The caches may lack writes of the former leader: a watch that hangs silently looks like an
    // idle one.
    caches.awaitCurrent();
  }

  private void lead(LeaderElection election) throws InterruptedException {
    standbyWork.start();
    try {
      election.lead(() -> {
        isLeadershipLost = true;
        onLeadershipLost.run();
        connection.cancelCalls();
      });
    } finally {
      standbyWork.stop();
    }
  }

  private void startController(Controller controller) throws InterruptedException {
    // without leadership nothing can be finished
    stops.add(
        () -> isFinished &= controller.stop(isLeadershipLost ? Duration.ZERO : config.grace()));
    if (!KnownController.find(controller.name())
        .filter(KnownController::mayNotBeServed)
        .isPresent()) {
      controller.start();
      return;
    }
    Thread thread =
        VitalThreads.startOnce(
            "start " + controller.name(),
            () -> {
              try {
                controller.start();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    stops.add(() -> {
      thread.interrupt();
      thread.join();
    });
  }

  public String resumeDeletions() {
    try {
      String problem = injector.getInstance(BinderController.class).resumeDeletions();
      LOG.log(
          Level.WARNING,
          () ->
              problem.isEmpty()
                  ? "deletions resumed at an administrator's request"
                  : "deletions stay held although an administrator requested to resume them: "
                      + problem);
      return problem;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "this process is stopping";
    }
  }

  private EndpointServer startEndpoints(EndpointConfig endpoint, Metrics metrics, SystemTime time)
      throws IOException {
    InetSocketAddress address = endpoint.address();
    EndpointServer.Answers answers =
        new EndpointServer.Answers(
            () -> notReady,
            controllers::describeStoppedParts,
            metrics::write,
            this::resumeDeletions,
            new HeldDeletions(
                    connection,
                    config,
                    writeGate,
                    injector.getInstance(DeletionBreaker.class),
                    injector.getInstance(SharedInformers.class))
                ::describe);
    SubjectReviews reviews = new SubjectReviews(connection);
    try {
      return EndpointServer.start(endpoint, answers, reviews, time);
    } catch (BindException e) {
      if (!config.fallBackToAnyPort()) {
        throw new IOException(
            "address %s:%s for health and metrics cannot be bound (%s): specify another with --endpoints, or disable them with --endpoints=off"
                .formatted(address.getHostString(), address.getPort(), e.getMessage()),
            e);
      }
      EndpointServer endpoints = EndpointServer.start(endpoint.atAnyPort(), answers, reviews, time);
      LOG.log(
          Level.WARNING,
          () ->
              "port %s is in use; health and metrics use port %s"
                  .formatted(address.getPort(), endpoints.address().getPort()));
      return endpoints;
    }
  }

  private void awaitServer(SystemTime time) throws InterruptedException {
    int failures = 0;
    String lastProblem = "";
    for (String problem = connection.probe(); !problem.isEmpty(); problem = connection.probe()) {
      if (!problem.equals(lastProblem)) {
        String message = problem;
        LOG.log(Level.ERROR, () -> message + "; retrying until the API server is reachable");
        lastProblem = problem;
      }
      time.sleep(SERVER_BACKOFF.delayAfter(++failures));
    }
  }

  public ControllerSet controllers() {
    return controllers;
  }

  public List<QueueStats> queueStats() {
    return controllers.queueStats();
  }

  public boolean isIdle() {
    return controllers.areIdle();
  }

  /** Returns the port of health and metrics; -1 if they are off. */
  public int port() {
    return port;
  }

  public KubeCluster cluster() {
    return injector.getInstance(KubeCluster.class);
  }

  /**
   * Stops all parts in reverse order. Queued and running work may finish within the grace period.
   *
   * @return whether all work finished
   */
  public boolean stop() throws InterruptedException {
    notReady = "stopping";
    for (int i = stops.size() - 1; i >= 0; i--) {
      stops.get(i).run();
    }
    stops.clear();
    return isFinished;
  }
}
