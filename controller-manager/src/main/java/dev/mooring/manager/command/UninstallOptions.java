package dev.mooring.manager.command;

import dev.mooring.binder.BinderConfig.RecycleConfig;
import dev.mooring.manager.uninstall.UninstallConfig;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class UninstallOptions {
  @Mixin private final ElectionOptions election = new ElectionOptions();
  @Mixin private final RecycleOptions recycling = new RecycleOptions();

  @Option(
      names = "--plugin-pods-namespace",
      paramLabel = "NAMESPACE",
      description =
          "Namespace of the plugins' pods. All pods in it are deleted, regardless of their creator: specify a namespace that no other Mooring uses. Default: none.")
  private String podsNamespace = "";

  UninstallConfig config(Set<String> givenBack, boolean forget) throws UsageException {
    UninstallConfig plain =
        config(election, recycling, PluginSettings.checkedPodsNamespace(podsNamespace));
    return new UninstallConfig(
        plain.lease(), plain.recyclerNamespaces(), plain.podsNamespace(), givenBack, forget);
  }

  static UninstallConfig config(
      ElectionOptions election, RecycleOptions recycling, String podsNamespace)
      throws UsageException {
    RecycleConfig recycle = recycling.config();
    return new UninstallConfig(
        election.lease(),
        new TreeSet<>(List.of(recycle.hostPath().namespace(), recycle.nfs().namespace())),
        podsNamespace,
        Set.of(),
        false);
  }
}
