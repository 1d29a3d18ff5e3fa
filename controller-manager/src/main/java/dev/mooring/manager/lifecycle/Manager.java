package dev.mooring.manager.lifecycle;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Stage;
import dev.mooring.binder.BinderController;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.kube.EventRecorder;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.telemetry.Endpoints;
import dev.mooring.manager.telemetry.Metrics;
import dev.mooring.model.Resource;
import dev.mooring.protection.ProtectionController;
import dev.mooring.time.SystemTime;
import dev.mooring.workqueue.QueueStats;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A running controller-manager: parts started in order, stopped in reverse, also after half a
 * start.
 */
public final class Manager {
  private static final System.Logger LOG = System.getLogger(Manager.class.getName());
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** Ends one part. */
  @FunctionalInterface
  private interface Stop {
    void run() throws InterruptedException;
  }

  private final ManagerConfig config;
  private final KubeConnection connection;
  private final Injector injector;
  private final List<Stop> stops = new ArrayList<>();
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private volatile String notReady = "not started";
  private volatile boolean clean = true;
  private volatile int port = -1;

  /** A manager that does nothing yet. */
  public Manager(ManagerConfig config, KubeConnection connection, PluginRegistry plugins) {
    this.config = config;
    this.connection = connection;
    this.injector =
        Guice.createInjector(Stage.PRODUCTION, new ManagerModule(config, connection, plugins));
  }

  /**
   * Starts everything and returns when the first reconcile may begin. A server that does not answer
   * yet is waited for.
   *
   * @throws IOException if the endpoints' address is taken; everything that was started is stopped
   *     again
   */
  public void start() throws IOException, InterruptedException {
    boolean started = false;
    try {
      startParts();
      started = true;
    } finally {
      if (!started) {
        stop();
      }
    }
  }

  private void startParts() throws IOException, InterruptedException {
    BinderController.Informers informers = injector.getInstance(BinderController.Informers.class);
    SystemTime time = injector.getInstance(SystemTime.class);
    EventRecorder events = injector.getInstance(EventRecorder.class);
    stops.add(time::close);
    stops.add(connection::close);
    stops.add(events::stop);
    Metrics metrics =
        new Metrics(
            this::queueStats,
            informers.volumes(),
            informers.claims(),
            injector.getInstance(KubeCluster.class));
    if (config.endpoints().isPresent()) {
      Endpoints endpoints = listen(config.endpoints().get(), metrics);
      port = endpoints.port();
      stops.add(endpoints::stop);
    }
    notReady = "waiting for the API server at " + connection.address();
    awaitServer(time);
    notReady = "waiting for the first lists";
    for (Informer<?> informer :
        List.of(informers.volumes(), informers.claims(), informers.classes(), informers.pods())) {
      reflect(informer, time);
    }
    controllers();
    notReady = "";
  }

  private void controllers() throws InterruptedException {
    if (config.controllers().contains(BinderController.NAME)) {
      BinderController binder = injector.getInstance(BinderController.class);
      stops.add(() -> clean &= binder.stop(config.grace()));
      binder.start();
    }
    if (config.controllers().contains(ProtectionController.CLAIM_NAME)) {
      ProtectionController protection = injector.getInstance(ProtectionController.class);
      stops.add(() -> clean &= protection.stop(config.grace()));
      protection.start();
    }
  }

  private Endpoints listen(InetSocketAddress address, Metrics metrics) throws IOException {
    try {
      return Endpoints.start(address, () -> notReady, metrics);
    } catch (IOException taken) {
      if (!config.fallBackToAnyPort()) {
        throw new IOException(
            "address "
                + address.getHostString()
                + ":"
                + address.getPort()
                + " for health and metrics cannot be used ("
                + taken.getMessage()
                + "): choose another with --endpoints, or switch them off with --endpoints=off",
            taken);
      }
      Endpoints endpoints =
          Endpoints.start(new InetSocketAddress(address.getAddress(), 0), () -> notReady, metrics);
      LOG.log(
          Level.WARNING,
          () ->
              "port "
                  + address.getPort()
                  + " is taken; health and metrics are at port "
                  + endpoints.port());
      return endpoints;
    }
  }

  /** Says once what is wrong with the connection, and goes on when it is mended. */
  private void awaitServer(SystemTime time) throws InterruptedException {
    Duration pause = Duration.ofMillis(200);
    String said = "";
    for (String problem = connection.probe(); !problem.isEmpty(); problem = connection.probe()) {
      if (!problem.equals(said)) {
        String line = problem;
        LOG.log(Level.ERROR, () -> line + "; trying again until it is mended");
        said = problem;
      }
      time.sleep(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
              ? LONGEST_PAUSE
              : pause.multipliedBy(2);
    }
  }

  private <T extends Resource> void reflect(Informer<T> informer, SystemTime time) {
    Reflector<T> reflector =
        new Reflector<>(
            informer,
            new KubeListWatch<>(connection, informer.kind()),
            time,
            () -> ThreadLocalRandom.current().nextDouble());
    reflectors.add(reflector);
    stops.add(reflector::stop);
    reflector.start();
  }

  private List<QueueStats> queueStats() {
    List<QueueStats> all =
        new ArrayList<>(injector.getInstance(BinderController.class).queueStats());
    all.addAll(injector.getInstance(ProtectionController.class).queueStats());
    return all;
  }

  /** Whether no controller has anything to do at this moment. */
  public boolean isIdle() {
    return injector.getInstance(BinderController.class).isIdle()
        && injector.getInstance(ProtectionController.class).isIdle();
  }

  /** The port of health and metrics, -1 for none. */
  public int port() {
    return port;
  }

  /** What talks to the cluster. */
  public KubeCluster cluster() {
    return injector.getInstance(KubeCluster.class);
  }

  /**
   * Stops what was started, in reverse; what is queued and what runs is finished within the grace.
   *
   * @return whether everything was finished
   */
  public boolean stop() throws InterruptedException {
    notReady = "stopping";
    for (int i = stops.size() - 1; i >= 0; i--) {
      stops.get(i).run();
    }
    stops.clear();
    return clean;
  }
}
