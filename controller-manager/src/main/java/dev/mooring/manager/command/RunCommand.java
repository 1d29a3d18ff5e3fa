package dev.mooring.manager.command;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.attachdetach.OutOfServiceController;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.endpoint.HttpLimits;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.lifecycle.ManagerRights;
import dev.mooring.manager.lifecycle.RightsCheck;
import dev.mooring.manager.lifecycle.StopRequest;
import dev.mooring.manager.plugin.PluginProblem;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.shadow.ElectionRehearsal;
import dev.mooring.manager.warmup.StandbyWarmUp;
import dev.mooring.thread.FatalErrors;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "run",
    description = "Runs the volume controllers for a cluster.",
    footer = {
      "",
      "Examples:",
      "  mooring run                                # plugins and CSI drivers, beside",
      "                                             # kube-controller-manager",
      "  mooring run --csi-endpoint=hostpath.csi.k8s.io=unix:///csi/csi.sock",
      "  mooring run --mode=replace                 # instead of its volume controllers",
      "  mooring run --config=flags.yaml --console=127.0.0.1:10288",
      "  mooring run --embedded                     # without a cluster"
    },
    mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
  private static final System.Logger LOG = System.getLogger(RunCommand.class.getName());

  @Option(
      names = "--embedded",
      description = "Run an embedded API server in this process and control that.")
  private boolean embedded;

  @Mixin final ConfigOptions config = new ConfigOptions();

  @Mixin private final LogOptions logs = new LogOptions();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final PluginOptions plugins = new PluginOptions();
  @Mixin private final RunOptions options = new RunOptions();

  public RunCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    logs.configure();
    FatalErrors.install();
    if (embedded) {
      options.alone();
    }
    if (!embedded) {
      HttpLimits.set(); // an embedded server has many more clients
    }
    ManagerConfig config = options.config();
    if (embedded && cluster.kubeconfig() != null) {
      throw new InvalidFlagException(
          "--embedded and --kubeconfig "
              + cluster.kubeconfig()
              + " exclude each other: specify one of them");
    }
    LOG.log(Level.INFO, VersionCommand.logLine()); // after the flags, which may be invalid
    options.logIneffectiveFlags(LOG);
    if (!embedded) {
      return run(config, cluster.connect());
    }
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path file = ApiServerCommand.writeKubeconfig(server, null);
      LOG.log(Level.INFO, () -> "embedded API server at " + server.url() + ", kubeconfig " + file);
      return run(config, cluster.connect(file));
    }
  }

  private static ControllerManager manager(
      ManagerConfig config, KubeConnection connection, PluginRegistry registry)
      throws UsageException {
    try {
      return new ControllerManager(config, connection, registry, Optional.empty());
    } catch (IllegalArgumentException e) {
      throw new InvalidFlagException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static void logPlugins(PluginRegistry registry) {
    for (PluginProblem problem : registry.problems()) {
      LOG.log(Level.ERROR, problem::toString);
    }
    registry
        .loaded()
        .forEach(p ->
            LOG.log(
                Level.INFO,
                () ->
                    "plugin "
                        + p.name()
                        + " from "
                        + p.jar()
                        + (p.capabilities().isEmpty()
                            ? " is inactive: its settings name no storage"
                            : " can " + String.join(", ", p.capabilities()))));
  }

  private static void logMissingProofs(ManagerConfig config, PluginRegistry registry) {
    if (config.isActive(OutOfServiceController.NAME)
        && !OutOfServiceController.canProveDeath(registry)) {
      LOG.log(
          Level.WARNING,
          "--failover=evidence with --mode=beside has no effect yet: no loaded plugin proves that machines are off (NodeFencing with scope MACHINE); add the jar of one to the plugin directory");
    }
  }

  private int run(ManagerConfig config, KubeConnection connection)
      throws UsageException, IOException, InterruptedException {
    connection.probeAhead();
    PluginRegistry registry =
        PluginRegistry.read(
            plugins.config(
                options.settings(), options.pluginTimeout(), options.pluginScan().isPositive()));
    ControllerManager manager = checked(config, connection, registry);
    if (!embedded) { // an embedded server authorizes everything
      addChecks(manager, config, connection);
    }
    options.warmUpDelay().ifPresent(delay -> manager.onStandby(new StandbyWarmUp(config, delay)));
    StopRequest request = new StopRequest();
    // As in kube-controller-manager: operations in progress must end before another replica may
    // start.
    manager.onLeadershipLost(() -> Runtime.getRuntime().halt(1));
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(request::requestAndWait));
    try {
      manager.start();
      logRunning(manager, connection);
      request.started();
      if (AotTraining.isOn()) {
        request.request();
      }
      request.await();
      return 0;
    } catch (InterruptedException stopped) {
      return 0;
    } finally {
      request.started();
      try {
        stop(manager);
      } finally {
        request.fulfilled();
      }
    }
  }

  private void addChecks(ControllerManager manager, ManagerConfig config, KubeConnection connection)
      throws UsageException {
    RightsCheck rights = new RightsCheck(ManagerRights.of(config), connection, new SystemTime());
    SecondManagerCheck second = options.secondManagerCheck(connection);
    Optional<ElectionRehearsal> rehearsal = rehearsal(config);
    rehearsal.ifPresent(manager::addMetrics);
    manager.onServer(showState -> {
      rights.start();
      second.run();
      if (rehearsal.isPresent()) {
        rehearsal.get().run(showState);
      }
    });
  }

  private Optional<ElectionRehearsal> rehearsal(ManagerConfig config) throws UsageException {
    return config.rehearsal().isPositive()
        ? Optional.of(
            options
                .rehearsal()
                .newRehearsal(
                    config,
                    cluster.connect(),
                    plugins.config(options.settings(), options.pluginTimeout(), false),
                    new SystemTime()))
        : Optional.empty();
  }

  private ControllerManager checked(
      ManagerConfig config, KubeConnection connection, PluginRegistry registry)
      throws UsageException, IOException {
    try {
      logPlugins(registry);
      logMissingProofs(config, registry);
      options.checkSettings(registry);
      return manager(config, connection, registry);
    } catch (UsageException e) {
      registry.close(); // otherwise the manager closes it
      throw e;
    }
  }

  private static void logRunning(ControllerManager manager, KubeConnection connection) {
    long uptimeMillis = ManagementFactory.getRuntimeMXBean().getUptime();
    LOG.log(
        Level.INFO,
        () ->
            "running "
                + String.join(", ", manager.controllers().runningNames())
                + " against "
                + connection.address()
                + " ("
                + uptimeMillis
                + " ms after the process started)");
  }

  private static void stop(ControllerManager manager) throws InterruptedException {
    boolean clean = manager.stop();
    LOG.log(
        Level.INFO,
        () ->
            clean
                ? "stopped; all operations finished"
                : "stopped; some operations are unfinished, the next start continues them");
  }
}
