package dev.mooring.manager.command;

import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.reconcile.Compat;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a cluster is looked at by a process that runs no controllers. */
final class LookOptions {
  @Option(
      names = "--compat",
      description =
          "Whose decisions the cluster's controllers take: none: Mooring's own; kcm: exactly kube-controller-manager's. Default: ${DEFAULT-VALUE}.")
  private RunOptions.CompatFlag compat = RunOptions.CompatFlag.none;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final PluginOptions plugins = new PluginOptions();
  @Mixin private final PluginSettings settings = new PluginSettings();

  /** As whose its controllers are taken to decide. */
  Compat compat() {
    return compat.chosen;
  }

  /** A connection to it; nothing is sent yet. */
  KubeConnection connect() throws UsageException {
    return cluster.connect();
  }

  /** The plugins that its controllers are taken to have, loaded when they are asked for. */
  LazyPlugins plugins() throws UsageException {
    return new LazyPlugins(plugins.config(settings.byName(), settings.timeout(), false));
  }
}
