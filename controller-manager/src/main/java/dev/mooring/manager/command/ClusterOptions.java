package dev.mooring.manager.command;

import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.auth.KubeConfigException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class ClusterOptions {
  private static final String USER_AGENT = "mooring";

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig of the cluster. Default: $KUBECONFIG, then the pod's service account, then ~/.kube/config.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      description = "Context in the kubeconfig. Default: the current context.")
  private String context = "";

  @Nullable Path kubeconfig() {
    return kubeconfig;
  }

  KubeConnection connect() throws UsageException {
    return connect(kubeconfig, context);
  }

  KubeConnection connect(Path file) throws UsageException {
    return connect(file, context);
  }

  static KubeConnection connectTo(Path file) throws UsageException {
    return connect(file, "");
  }

  private static KubeConnection connect(@Nullable Path file, String context) throws UsageException {
    try {
      return file == null
          ? KubeConnection.byDefault(context, USER_AGENT)
          : KubeConnection.ofFiles(List.of(file), context, USER_AGENT);
    } catch (KubeConfigException e) {
      throw new UsageException(e.getMessage());
    }
  }
}
