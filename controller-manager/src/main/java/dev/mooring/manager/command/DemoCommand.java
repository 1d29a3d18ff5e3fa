package dev.mooring.manager.command;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.binder.BinderConfig;
import dev.mooring.binder.BinderConfig.DeletionLimit;
import dev.mooring.binder.BinderController;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.plugin.PluginProblem;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.protection.ClaimProtection;
import dev.mooring.protection.VolumeProtection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description =
        "Shows the controllers at work, against an embedded API server with simulated nodes.",
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofSeconds(2);

  @Option(
      names = "--keep",
      description = "Keep running after the demo, for inspection with kubectl.")
  private boolean isKept;

  @Option(names = "--logs", description = "Show the controllers' log.")
  private boolean logs;

  @Option(names = "--slow", description = "Pause for two seconds after each line.")
  private boolean slow;

  @Mixin private final PluginOptions plugins = new PluginOptions();

  public DemoCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, !logs);
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      Path kubeconfig = ApiServerCommand.writeKubeconfig(server, null);
      PluginRegistry registry = plugins.registry(Map.of("enable-hostpath-provisioner", "true"));
      for (PluginProblem problem : registry.problems()) {
        System.err.println("mooring: " + problem);
      }
      ControllerManager manager =
          new ControllerManager(
              config(), ClusterOptions.connectTo(kubeconfig), registry, Optional.empty());
      try (NodeSimulator nodes = NodeSimulator.start(server.handlers(), 2)) {
        manager.start();
        DemoScreen screen = DemoScreen.ofProcess(slow ? PAUSE : Duration.ZERO);
        boolean succeeded = nodes != null && new DemoStory(server, screen).run();
        if (AotTraining.isOn()) {
          // later starts use TLS and HTTP/2
          TlsWarmUp.run();
          AotTraining.load("okhttp3/internal/http2/Http2Connection.class");
          explain(kubeconfig, "pvc/huge");
          explain(kubeconfig, "-A");
          simulate(kubeconfig);
        }
        if (isKept) {
          keepRunning(screen, kubeconfig);
        } else {
          listNextSteps(screen);
        }
        return succeeded ? 0 : 1;
      } finally {
        manager.stop();
        if (!isKept) {
          Files.deleteIfExists(kubeconfig);
        }
      }
    }
  }

  private static ManagerConfig config() {
    Set<String> controllers =
        Set.of(
            BinderController.NAME,
            AttachDetachController.NAME,
            ClaimProtection.NAME,
            VolumeProtection.NAME);
    BinderConfig defaults = BinderConfig.DEFAULTS;
    BinderConfig binder =
        new BinderConfig(
            defaults.resync(),
            defaults.workers(),
            defaults.policy(),
            defaults.recycle(),
            DeletionLimit.NONE);
    return new ManagerConfig(
        binder,
        AttachDetachConfig.DEFAULTS,
        ManagerConfig.Csi.NONE,
        ManagerConfig.PluginsConfig.FIXED,
        false,
        controllers,
        ManagerConfig.Features.OFF,
        5,
        Optional.empty(),
        Duration.ZERO,
        0,
        1,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(5));
  }

  private static void explain(Path kubeconfig, String description) {
    FlagTypes.commandLine(new ExplainCommand()).execute("--kubeconfig=" + kubeconfig, description);
  }

  private static void simulate(Path kubeconfig) throws IOException {
    Path copy = kubeconfig.resolveSibling(kubeconfig.getFileName() + ".json");
    FlagTypes.commandLine(new SnapshotCommand())
        .execute("--kubeconfig=" + kubeconfig, copy.toString());
    FlagTypes.commandLine(new SimulateCommand())
        .execute("--from=" + copy, "--delete=namespace/default", "-o", "json");
    Files.deleteIfExists(copy);
  }

  private static void listNextSteps(DemoScreen screen) {
    screen.commands(
        "What next",
        "mooring demo --keep",
        "the same, and the server stays for kubectl",
        "mooring explain -A",
        "why claims and pods of your cluster wait; only reads",
        "mooring doctor",
        "what could block volumes in your cluster; only reads",
        "mooring dev --plugins DIR",
        "your own storage plugin (docs/plugin-author-guide.md)",
        "mooring run",
        "the controllers in your cluster (docs/install.md)");
  }

  private static void keepRunning(DemoScreen screen, Path kubeconfig) throws InterruptedException {
    screen.commands(
        "The server keeps running until Ctrl-C. In another terminal",
        "export KUBECONFIG=" + kubeconfig,
        "this server",
        "kubectl get pv,pvc,pods",
        "its objects",
        "mooring explain pvc/huge",
        "why claim huge waits");
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(stopped::countDown));
    stopped.await();
  }
}
