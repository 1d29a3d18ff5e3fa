package dev.mooring.manager.lifecycle;

import com.google.inject.Injector;
import com.google.inject.Key;
import dev.mooring.binder.BinderController;
import dev.mooring.console.view.DecisionComparison;
import dev.mooring.console.view.StorageExtension;
import dev.mooring.csi.CsiBridge;
import dev.mooring.csi.CsiBridge.DriverStatus;
import dev.mooring.explain.NamedFact;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.kube.LeaderElection;
import dev.mooring.manager.audit.AuditTail;
import dev.mooring.manager.console.ConsoleServer;
import dev.mooring.manager.console.WatchedCluster;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.plugin.PluginProblem;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.provisioner.DeletionVerifier;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

record ManagerConsole(
    ManagerConfig config, KubeConnection connection, Injector injector, PluginRegistry plugins) {
  private static final System.Logger LOG = System.getLogger(ConsoleServer.class.getName());
  private static final String PROCESS = "process";

  record RunningParts(
      List<WatchedCluster.WatchedKind<?>> caches,
      Optional<AuditTail> tail,
      ControllerSet controllers,
      Supplier<Optional<DecisionComparison>> comparison) {}

  ConsoleServer start(EndpointConfig endpoint, RunningParts running, Supplier<String> notReady)
      throws IOException {
    SystemTime time = injector.getInstance(SystemTime.class);
    // a separate client, because console reads must not use up the controllers' write budget
    KubeCluster reader = KubeCluster.alone(connection, time);
    WatchedCluster cluster =
        new WatchedCluster(
            new WatchedCluster.Source(connection, reader, new KubeEvents(reader), plugins, time),
            new WatchedCluster.Process(
                config.binder().policy().compat(),
                () -> processFacts(running.controllers().describeStoppedParts()),
                this::extensions,
                this::alarmText,
                (kind, key) -> running.tail().map(tail -> tail.lines(kind, key)).orElse(List.of()),
                config.binder().delay().delay(),
                running.comparison()),
            running.caches());
    try {
      ConsoleServer server = ConsoleServer.start(endpoint, cluster, connection, notReady, time);
      LOG.log(Level.INFO, () -> "console at " + server.url());
      return server;
    } catch (BindException e) {
      throw new IOException(
          "address %s:%s for the console cannot be bound (%s): specify another with --console"
              .formatted(
                  endpoint.address().getHostString(), endpoint.address().getPort(), e.getMessage()),
          e);
    }
  }

  private String alarmText() {
    BinderController binder = injector.getInstance(BinderController.class);
    return binder.areDeletionsHeld()
        ? "Deletions are held back: " + binder.breaker().describeHold()
        : "";
  }

  private List<NamedFact> processFacts(List<String> stoppedParts) {
    List<NamedFact> facts = new ArrayList<>();
    facts.add(new NamedFact(PROCESS, "Leader", leadership()));
    facts.add(
        new NamedFact(
            PROCESS,
            "Rules",
            config.binder().policy().compat().isKubernetes()
                ? "those of kube-controller-manager (--compat=kcm)"
                : "Mooring's own"));
    facts.add(
        new NamedFact(
            PROCESS,
            "Controllers",
            config.controllers().stream()
                .filter(config::isActive)
                .sorted()
                .collect(Collectors.joining(", "))));
    facts.add(
        new NamedFact(
            PROCESS,
            "Deletions",
            injector.getInstance(BinderController.class).areDeletionsHeld()
                ? "held back until an administrator resumes them"
                : "enabled"));
    String orphans = describeOrphans();
    if (!orphans.isEmpty()) {
      facts.add(new NamedFact(PROCESS, "Orphaned volumes", orphans));
    }
    if (!stoppedParts.isEmpty()) {
      facts.add(new NamedFact(PROCESS, "Stopped parts", String.join("; ", stoppedParts)));
    }
    return facts;
  }

  private String describeOrphans() {
    Stream<String> ofDrivers =
        injector.getInstance(CsiBridge.class).orphans().stream()
            .map(count ->
                describeOrphans(
                    count.volumes(),
                    "CSI driver " + count.driver(),
                    count.storageClass(),
                    count.bytes()));
    Stream<String> ofPlugins =
        injector.getInstance(DeletionVerifier.class).orphans().stream()
            .map(count ->
                describeOrphans(
                    count.volumes(),
                    "plugin " + count.plugin(),
                    count.storageClass(),
                    count.bytes()));
    return Stream.concat(ofDrivers, ofPlugins).collect(Collectors.joining("; "));
  }

  private static String describeOrphans(
      long volumes, String owner, String storageClass, long bytes) {
    return "%s of %s, class %s, with %s bytes"
        .formatted(volumes, owner, storageClass.isEmpty() ? "unknown" : storageClass, bytes);
  }

  private List<StorageExtension> extensions() {
    List<StorageExtension> extensions = new ArrayList<>();
    for (PluginRegistry.LoadedPlugin plugin : plugins.loaded()) {
      extensions.add(
          new StorageExtension(
              StorageExtension.ExtensionType.PLUGIN,
              plugin.name(),
              plugin.version(),
              plugin.jar(),
              plugin.capabilities(),
              health(plugin)));
    }
    for (PluginProblem problem : plugins.problems()) {
      extensions.add(
          new StorageExtension(
              StorageExtension.ExtensionType.PLUGIN,
              problem.jar(),
              "",
              problem.jar(),
              List.of(),
              new StorageExtension.Health(
                  StorageExtension.Condition.FAILING, "not loaded", problem.message(), 0, 0)));
    }
    injector.getInstance(CsiBridge.class).drivers().stream()
        .map(this::describeDriver)
        .forEach(extensions::add);
    return extensions;
  }

  private static StorageExtension.Health health(PluginRegistry.LoadedPlugin plugin) {
    PluginRegistry.Health health = plugin.health();
    if (health.isUp() && plugin.capabilities().isEmpty()) {
      return new StorageExtension.Health(
          StorageExtension.Condition.UNCONFIGURED,
          "not configured",
          plugin.missingSetting().isEmpty()
              ? "needs a setting; see the plugin's documentation"
              : "needs --plugin-setting=" + plugin.missingSetting() + "=VALUE",
          health.faults(),
          health.hanging());
    }
    String problem =
        health.circuitOpen()
            ? "all its calls fail"
            : health.isUp() ? "" : "too many of its calls hang";
    return new StorageExtension.Health(
        problem.isEmpty() ? StorageExtension.Condition.WORKING : StorageExtension.Condition.FAILING,
        problem.isEmpty() ? "works" : "not called for now",
        problem,
        health.faults(),
        health.hanging());
  }

  private StorageExtension describeDriver(DriverStatus driver) {
    ManagerConfig.Driver driverConfig = config.csi().drivers().get(driver.name());
    return new StorageExtension(
        StorageExtension.ExtensionType.DRIVER,
        driver.name(),
        driver.version(),
        driverConfig == null ? "" : driverConfig.endpoint(),
        driver.abilities(),
        new StorageExtension.Health(
            driver.isReady()
                ? StorageExtension.Condition.WORKING
                : StorageExtension.Condition.FAILING,
            driver.isReady() ? describeLimits(driver) : "unavailable",
            driver.problem(),
            driver.failedCalls(),
            0));
  }

  private static String describeLimits(DriverStatus driver) {
    return driver.limits().isEmpty()
        ? "works"
        : driver.limits().stream()
            .map(limit -> limit.method() + " " + limit.description())
            .collect(Collectors.joining("; ", "works, with limits: ", ""));
  }

  private String leadership() {
    Optional<LeaderElection> election =
        injector.getInstance(new Key<Optional<LeaderElection>>() {});
    return election
        .map(e ->
            e.canWrite()
                ? "this process, with Lease " + e.lease()
                : "another process, with Lease " + e.lease() + "; this one is on standby")
        .orElse("this process, without an election");
  }
}
