package dev.mooring.manager.command;

import dev.mooring.manager.lifecycle.ManagerConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/**
 * Kubernetes' feature gates: of those that kube-controller-manager and the CSI sidecars have, the
 * ones that are ours.
 */
final class FeatureGates {
  private static final String UNUSED_CLAIMS = "PersistentVolumeClaimUnusedSinceTime";
  private static final String ACROSS_NAMESPACES = "CrossNamespaceVolumeDataSource";
  private static final String GROUP_SNAPSHOTS = "CSIVolumeGroupSnapshot";
  private static final List<String> KNOWN =
      List.of(GROUP_SNAPSHOTS, ACROSS_NAMESPACES, UNUSED_CLAIMS);
  private static final Set<String> VALUES = Set.of("true", "false");

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=true|false",
      split = ",",
      description =
          "What Kubernetes has behind a gate. PersistentVolumeClaimUnusedSinceTime: claims say in the condition Unused since when no pod uses them (alpha; default: false). CrossNamespaceVolumeDataSource: claims of CSI drivers are filled from what is in another namespace, where a ReferenceGrant there allows it (alpha; default: false). CSIVolumeGroupSnapshot: the snapshot controller and --enable-snapshots make groups of snapshots too (default: false).")
  private Map<String, String> gates = new LinkedHashMap<>();

  /** The features that are on. */
  ManagerConfig.Features features() throws UsageException {
    for (Map.Entry<String, String> gate : gates.entrySet()) {
      if (!KNOWN.contains(gate.getKey())) {
        throw new WrongFlagException(
            "--feature-gates: there is no gate \""
                + gate.getKey()
                + "\" here (there are "
                + String.join(", ", KNOWN)
                + ")");
      }
      if (!VALUES.contains(gate.getValue())) {
        throw new WrongFlagException(
            "--feature-gates "
                + gate.getKey()
                + " is true or false, was \""
                + gate.getValue()
                + "\"");
      }
    }
    return new ManagerConfig.Features(
        isOn(UNUSED_CLAIMS), isOn(ACROSS_NAMESPACES), isOn(GROUP_SNAPSHOTS));
  }

  private boolean isOn(String gate) {
    return gates.getOrDefault(gate, "false").equals("true");
  }
}
