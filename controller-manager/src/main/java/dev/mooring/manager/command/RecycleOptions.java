package dev.mooring.manager.command;

import dev.mooring.binder.BinderConfig.RecycleConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class RecycleOptions {
  @Option(
      names = "--pv-recycler-minimum-timeout-hostpath",
      paramLabel = "SECONDS",
      description =
          "Minimum timeout of a pod that recycles a hostPath volume. Default: ${DEFAULT-VALUE}.")
  private long hostPathMinimum = 60;

  @Option(
      names = "--pv-recycler-timeout-increment-hostpath",
      paramLabel = "SECONDS",
      description =
          "Additional timeout per GiB to recycle a hostPath volume. Default: ${DEFAULT-VALUE}.")
  private long hostPathIncrement = 30;

  @Option(
      names = "--pv-recycler-pod-template-filepath-hostpath",
      paramLabel = "FILE",
      description = "Pod template (YAML or JSON) to recycle hostPath volumes. Default: built in.")
  private @Nullable Path hostPathTemplate;

  @Option(
      names = "--pv-recycler-minimum-timeout-nfs",
      paramLabel = "SECONDS",
      description =
          "Minimum timeout of a pod that recycles an NFS volume. Default: ${DEFAULT-VALUE}.")
  private long nfsMinimum = 300;

  @Option(
      names = "--pv-recycler-increment-timeout-nfs",
      paramLabel = "SECONDS",
      description =
          "Additional timeout per GiB to recycle an NFS volume. Default: ${DEFAULT-VALUE}.")
  private long nfsIncrement = 30;

  @Option(
      names = "--pv-recycler-pod-template-filepath-nfs",
      paramLabel = "FILE",
      description = "Pod template (YAML or JSON) to recycle NFS volumes. Default: built in.")
  private @Nullable Path nfsTemplate;

  RecycleConfig config() throws UsageException {
    return new RecycleConfig(
        new RecycleConfig.PodSettings(
            checked("--pv-recycler-minimum-timeout-hostpath", hostPathMinimum, 1),
            checked("--pv-recycler-timeout-increment-hostpath", hostPathIncrement, 0),
            template("--pv-recycler-pod-template-filepath-hostpath", hostPathTemplate)),
        new RecycleConfig.PodSettings(
            checked("--pv-recycler-minimum-timeout-nfs", nfsMinimum, 1),
            checked("--pv-recycler-increment-timeout-nfs", nfsIncrement, 0),
            template("--pv-recycler-pod-template-filepath-nfs", nfsTemplate)));
  }

  // the API server rejects a pod with another deadline
  private static long checked(String flag, long seconds, int least) throws InvalidFlagException {
    if (seconds < least || seconds > Integer.MAX_VALUE) {
      throw new InvalidFlagException(
          "%s %s: specify %s to %s seconds".formatted(flag, seconds, least, Integer.MAX_VALUE));
    }
    return seconds;
  }

  private static Map<String, Object> template(String flag, @Nullable Path file)
      throws UsageException {
    if (file == null) {
      return Map.of();
    }
    Object loaded = YamlFile.readObject(flag, file.toString());
    Map<String, Object> pod = new LinkedHashMap<>();
    if (loaded instanceof Map<?, ?> members) {
      members.forEach((name, value) -> pod.put(String.valueOf(name), value));
    }
    if (!(pod.get("spec") instanceof Map<?, ?> spec)
        || !(spec.get("volumes") instanceof List<?> volumes)
        || volumes.isEmpty()) {
      throw new InvalidFlagException(
          "%s %s does not contain any volume(s): add a volume to the Pod; the recycler replaces the first one"
              .formatted(flag, file));
    }
    return pod;
  }
}
