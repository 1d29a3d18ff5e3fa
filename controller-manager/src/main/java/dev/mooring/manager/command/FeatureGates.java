package dev.mooring.manager.command;

import dev.mooring.manager.lifecycle.ManagerConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Kubernetes' feature gates: of those that kube-controller-manager has, the ones that are ours. */
final class FeatureGates {
  private static final String UNUSED_CLAIMS = "PersistentVolumeClaimUnusedSinceTime";

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=true|false",
      split = ",",
      description =
          "What Kubernetes has behind a gate. PersistentVolumeClaimUnusedSinceTime: claims say in the condition Unused since when no pod uses them (alpha; default: false).")
  private Map<String, String> gates = new LinkedHashMap<>();

  FeatureGates() {}

  /** The features that are on. */
  ManagerConfig.Features features() throws UsageException {
    boolean unusedClaims = ManagerConfig.Features.OFF.unusedClaims();
    for (Map.Entry<String, String> gate : gates.entrySet()) {
      if (!gate.getKey().equals(UNUSED_CLAIMS)) {
        throw new UsageException(
            "--feature-gates: there is no gate \""
                + gate.getKey()
                + "\" here (there is "
                + UNUSED_CLAIMS
                + ")");
      }
      unusedClaims =
          switch (gate.getValue()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new UsageException(
                    "--feature-gates "
                        + gate.getKey()
                        + " is true or false, was \""
                        + gate.getValue()
                        + "\"");
          };
    }
    return new ManagerConfig.Features(unusedClaims);
  }
}
