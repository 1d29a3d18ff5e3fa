package dev.mooring.manager.command;

import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.explain.LazyPlugins;
import dev.mooring.reconcile.Compat;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class ReadOnlyOptions {
  @Option(
      names = "--compat",
      paramLabel = "none|kcm|kcm-VERSION",
      completionCandidates = CompatFlag.Values.class,
      description =
          "Decision rules of the cluster's controllers: none for Mooring's, kcm for kube-controller-manager's. Default: ${DEFAULT-VALUE}.")
  private CompatFlag compat = CompatFlag.NONE;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final PluginOptions plugins = new PluginOptions();
  @Mixin private final PluginSettings settings = new PluginSettings();

  Compat compat() {
    return compat.compat();
  }

  KubeConnection connect() throws UsageException {
    return cluster.connect();
  }

  LazyPlugins plugins() throws UsageException {
    return new LazyPlugins(plugins.config(settings.byName(), settings.timeout(), false));
  }
}
