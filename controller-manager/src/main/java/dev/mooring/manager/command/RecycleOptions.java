package dev.mooring.manager.command;

import dev.mooring.binder.RecycleConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How volumes are scrubbed; flags and defaults as kube-controller-manager's. */
final class RecycleOptions {
  @Option(
      names = "--pv-recycler-minimum-timeout-hostpath",
      paramLabel = "SECONDS",
      description =
          "Time that a pod has at least to scrub a hostPath volume. Default: ${DEFAULT-VALUE}.")
  private long hostPathMinimum = 60;

  @Option(
      names = "--pv-recycler-timeout-increment-hostpath",
      paramLabel = "SECONDS",
      description = "Time per GiB to scrub a hostPath volume. Default: ${DEFAULT-VALUE}.")
  private long hostPathIncrement = 30;

  @Option(
      names = "--pv-recycler-pod-template-filepath-hostpath",
      paramLabel = "FILE",
      description = "A Pod (YAML or JSON) that scrubs hostPath volumes. Default: built in.")
  private @Nullable Path hostPathTemplate;

  @Option(
      names = "--pv-recycler-minimum-timeout-nfs",
      paramLabel = "SECONDS",
      description =
          "Time that a pod has at least to scrub an NFS volume. Default: ${DEFAULT-VALUE}.")
  private long nfsMinimum = 300;

  @Option(
      names = "--pv-recycler-increment-timeout-nfs",
      paramLabel = "SECONDS",
      description = "Time per GiB to scrub an NFS volume. Default: ${DEFAULT-VALUE}.")
  private long nfsIncrement = 30;

  @Option(
      names = "--pv-recycler-pod-template-filepath-nfs",
      paramLabel = "FILE",
      description = "A Pod (YAML or JSON) that scrubs NFS volumes. Default: built in.")
  private @Nullable Path nfsTemplate;

  RecycleConfig config() throws UsageException {
    return new RecycleConfig(
        new RecycleConfig.PodSettings(
            hostPathMinimum,
            hostPathIncrement,
            template("--pv-recycler-pod-template-filepath-hostpath", hostPathTemplate)),
        new RecycleConfig.PodSettings(
            nfsMinimum,
            nfsIncrement,
            template("--pv-recycler-pod-template-filepath-nfs", nfsTemplate)));
  }

  private static Map<String, Object> template(String flag, @Nullable Path file)
      throws UsageException {
    if (file == null) {
      return Map.of();
    }
    Object loaded = YamlFile.read(flag, file.toString(), YamlFile.Repeats.LAST_COUNTS);
    Map<String, Object> pod = new LinkedHashMap<>();
    if (loaded instanceof Map<?, ?> members) {
      members.forEach((name, value) -> pod.put(String.valueOf(name), value));
    }
    if (!(pod.get("spec") instanceof Map<?, ?> spec)
        || !(spec.get("volumes") instanceof List<?> volumes)
        || volumes.isEmpty()) {
      throw new WrongFlagException(
          flag
              + " "
              + file
              + " does not contain any volume(s): give the Pod one, the first is replaced");
    }
    return pod;
  }
}
