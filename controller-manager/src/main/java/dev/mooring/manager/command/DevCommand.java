package dev.mooring.manager.command;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.simulate.NodeSimulator;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.plugin.PluginProblem;
import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.manager.telemetry.LogSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "dev",
    description =
        "Tries the plugins of a directory on an embedded API server: creates a class and a claim for each, waits until the claim is Bound, and deletes it. Exit code 0: every claim was bound and its volume deleted; 1: otherwise.",
    footer = {
      "",
      "Examples:",
      "  mooring dev --plugins plugins",
      "  mooring dev --plugins plugins --plugin-setting disks-folder=/srv/disks --watch"
    },
    mixinStandardHelpOptions = true)
public final class DevCommand implements Callable<Integer> {
  private static final List<String> FLAGS =
      List.of(
          "--mode=replace",
          "--endpoints=off",
          "--leader-elect=false",
          "--plugin-scan-period=500ms",
          "--deletion-brake-limit=0",
          "--provisioner-retry-interval-max=2s");

  @Option(
      names = "--watch",
      description = "Keep the claims, load new and changed jars, and try them again, until Ctrl-C.")
  private boolean watch;

  @Option(names = "--logs", description = "Show the controllers' log.")
  private boolean logs;

  @Mixin private final PluginOptions plugins = new PluginOptions();
  @Mixin private final PluginSettings settings = new PluginSettings();

  public DevCommand() {}

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    LogSetup.configure(false, false, !logs);
    PluginRegistry registry =
        PluginRegistry.read(plugins.config(settings.byName(), settings.timeout(), true));
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        NodeSimulator _ = NodeSimulator.start(server.handlers(), 1)) {
      settings.check(registry);
      Path kubeconfig = ApiServerCommand.writeKubeconfig(server, null);
      ControllerManager manager =
          new ControllerManager(
              RunFlags.config(FLAGS),
              ClusterOptions.connectTo(kubeconfig),
              registry,
              Optional.empty());
      try {
        manager.start();
        System.out.println("embedded API server, kubeconfig " + kubeconfig);
        return trial(server, kubeconfig, registry);
      } finally {
        manager.stop();
        Files.deleteIfExists(kubeconfig);
      }
    } finally {
      registry.close();
    }
  }

  private int trial(ApiServer server, Path kubeconfig, PluginRegistry registry)
      throws InterruptedException {
    PluginTrial trial = new PluginTrial(server.handlers(), System.out);
    BlockingQueue<Set<String>> changes = new LinkedBlockingQueue<>();
    registry.onChange(changes::add);
    boolean succeeded = tryAll(trial, kubeconfig, registry, provisioners(registry));
    while (watch && !CommandOutput.isClosed()) {
      System.out.println("watching " + plugins.directory() + " (Ctrl-C to stop)");
      Set<String> changed = new TreeSet<>(changes.take());
      System.out.println("changed: " + String.join(", ", changed));
      changed.retainAll(provisioners(registry));
      succeeded = tryAll(trial, kubeconfig, registry, changed);
    }
    return succeeded ? 0 : 1;
  }

  private void explain(Path kubeconfig, String claim) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--kubeconfig=" + kubeconfig);
    arguments.add("--plugins=" + plugins.directory());
    settings
        .byName()
        .forEach((name, value) -> arguments.add("--plugin-setting=" + name + "=" + value));
    arguments.add("pvc/" + claim);
    FlagTypes.commandLine(new ExplainCommand()).execute(arguments.toArray(String[]::new));
  }

  private static Set<String> provisioners(PluginRegistry registry) {
    Set<String> names = new TreeSet<>();
    for (PluginRegistry.LoadedPlugin plugin : registry.loaded()) {
      if (plugin.capabilities().contains("provision")) {
        names.add(plugin.name());
      }
    }
    return names;
  }

  private boolean tryAll(
      PluginTrial trial, Path kubeconfig, PluginRegistry registry, Set<String> names)
      throws InterruptedException {
    for (PluginProblem problem : registry.problems()) {
      System.err.println("mooring: " + problem);
    }
    boolean succeeded = registry.problems().isEmpty();
    if (names.isEmpty() && succeeded) {
      System.err.println(
          "mooring: no plugin in " + plugins.directory() + " provisions volumes: add its jar");
      succeeded = false;
    }
    for (String name : names) {
      boolean isBound = trial.bind(name);
      if (!isBound) {
        explain(kubeconfig, trial.claim());
      } else if (!watch) {
        isBound = trial.delete();
      }
      succeeded &= isBound;
    }
    return succeeded;
  }
}
