package dev.mooring.manager.command;

import dev.mooring.informer.ListWatchException;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.console.ConsoleServer;
import dev.mooring.manager.endpoint.HttpLimits;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.lifecycle.StopRequest;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.shadow.ScenarioFiles;
import dev.mooring.manager.shadow.ShadowJUnit;
import dev.mooring.manager.shadow.ShadowJson;
import dev.mooring.manager.shadow.ShadowReport;
import dev.mooring.manager.shadow.ShadowSession;
import dev.mooring.manager.shadow.ShadowText;
import dev.mooring.manager.shadow.UnexplainedDifference;
import dev.mooring.manager.shadow.pairing.PairingLedger;
import dev.mooring.manager.telemetry.LogSetup;
import dev.mooring.model.Kind;
import dev.mooring.thread.FatalErrors;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "shadow",
    description =
        "Compares the decisions of Mooring's volume controllers with those of kube-controller-manager in a live cluster, and writes nothing.",
    footer = {
      "",
      "Exit code 0: no unexplained difference; 3: unexplained differences.",
      "",
      "Examples:",
      "  mooring shadow --for=1h --compat=kcm",
      "  mooring shadow --for=1h -o json"
    },
    mixinStandardHelpOptions = true)
public final class ShadowCommand implements Callable<Integer> {
  private static final int FOUND = 3;
  private static final Duration PROGRESS_PERIOD = Duration.ofMinutes(1);
  private static final List<Kind<?>> REQUIRED_KINDS =
      List.of(Kind.VOLUME, Kind.CLAIM, Kind.STORAGE_CLASS, Kind.ATTACHMENT, Kind.NODE, Kind.POD);

  enum Output {
    text,
    json,
    junit
  }

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description =
          "Duration of the comparison. 0 compares until the process is stopped. Default: ${DEFAULT-VALUE}.")
  private Duration duration = Duration.ZERO;

  @Option(
      names = {"-o", "--output"},
      description = "Output format: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  @Option(
      names = "--scenarios-dir",
      paramLabel = "DIR",
      description =
          "Directory for one scenario file per unexplained difference; created if it is absent. Default: none.")
  private @Nullable Path scenarios;

  @Mixin final ConfigOptions config = new ConfigOptions();
  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final PluginOptions plugins = new PluginOptions();
  @Mixin private final RunOptions options = new RunOptions();
  private final SystemTime time = new SystemTime();

  public ShadowCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, true);
    LogSetup.show(ConsoleServer.class); // its address
    FatalErrors.install();
    HttpLimits.set();
    if (duration.isNegative()) {
      throw new InvalidFlagException("--for " + duration + " is negative: specify 0 for no end");
    }
    if (scenarios != null) {
      RehearsalOptions.create("--scenarios-dir", scenarios);
    }
    ManagerConfig managerConfig = options.shadowConfig();
    KubeConnection connection = cluster.connect();
    connection.forbidWrites();
    checkAccess(connection);
    ShadowSession shadow =
        new ShadowSession(
            managerConfig.binder().policy().compat(), PairingLedger.Periods.DEFAULT, time);
    PluginRegistry registry =
        PluginRegistry.read(plugins.config(options.settings(), options.pluginTimeout(), false));
    ControllerManager manager = new ControllerManager(managerConfig, connection, registry, shadow);
    ShadowReport report = compare(manager, shadow);
    return report.unexplainedCount() > 0 ? FOUND : 0;
  }

  private static void checkAccess(KubeConnection connection)
      throws UsageException, InterruptedException {
    for (Kind<?> kind : REQUIRED_KINDS) {
      try {
        new KubeListWatch<>(connection, kind).listFirstPage(1, object -> {});
      } catch (ListWatchException e) {
        throw new UsageException(
            "cannot list %s: %s%s"
                .formatted(
                    kind.plural(),
                    e.getMessage(),
                    e.reason() == ListWatchException.Reason.FORBIDDEN
                        ? "; 'mooring rights --shadow-only' prints a role that may"
                        : ""));
      }
    }
  }

  private ShadowReport compare(ControllerManager manager, ShadowSession shadow)
      throws IOException, InterruptedException {
    StopRequest request = new StopRequest();
    Thread hook = Thread.ofPlatform().unstarted(() -> stopWithResult(request, shadow));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      manager.start();
      shadow.begin(manager::queueStats);
      request.started();
      awaitEnd(request, shadow);
      ShadowReport report = shadow.finish();
      print(report);
      writeScenarios(report);
      return report;
    } finally {
      request.started();
      try {
        manager.stop();
      } finally {
        keepExitCode(hook);
        request.fulfilled();
      }
    }
  }

  private static void keepExitCode(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // the hook ends the process
    }
  }

  // A signal would otherwise determine the exit code.
  private static void stopWithResult(StopRequest request, ShadowSession shadow) {
    request.requestAndWait();
    Runtime.getRuntime().halt(shadow.report().unexplainedCount() > 0 ? FOUND : 0);
  }

  private void awaitEnd(StopRequest request, ShadowSession shadow) throws InterruptedException {
    long start = time.nanos();
    System.err.println("mooring: comparing decisions; Ctrl-C ends the comparison with the report");
    while (duration.isZero() || time.nanos() - start < duration.toNanos()) {
      Duration remaining =
          duration.isZero() ? PROGRESS_PERIOD : duration.minusNanos(time.nanos() - start);
      if (request.await(remaining.compareTo(PROGRESS_PERIOD) < 0 ? remaining : PROGRESS_PERIOD)) {
        return;
      }
      System.err.println("mooring: so far " + ShadowText.summary(shadow.report()));
    }
  }

  private void print(ShadowReport report) {
    System.out.print(
        switch (output) {
          case text -> ShadowText.format(report, TerminalWidth.ofOutput());
          case json -> ShadowJson.format(report) + System.lineSeparator();
          case junit -> ShadowJUnit.format(report) + System.lineSeparator();
        });
    System.out.flush();
  }

  private void writeScenarios(ShadowReport report) throws IOException {
    if (scenarios != null) {
      ScenarioFiles files = new ScenarioFiles(scenarios);
      for (UnexplainedDifference difference : report.unexplained()) {
        files.write(difference);
      }
    }
  }
}
