package dev.mooring.manager.command;

import dev.mooring.manager.lifecycle.ManagerConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

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
          "Kubernetes feature gates. PersistentVolumeClaimUnusedSinceTime: condition Unused of a claim shows since when no pod uses it (alpha; default: false). CrossNamespaceVolumeDataSource: claims of CSI drivers may have data sources in other namespaces, if a ReferenceGrant there allows it (alpha; default: false). CSIVolumeGroupSnapshot: the snapshot controller and --enable-snapshots support group snapshots (default: false).")
  private Map<String, String> gates = new LinkedHashMap<>();

  ManagerConfig.Features features() throws UsageException {
    for (Map.Entry<String, String> gate : gates.entrySet()) {
      if (!KNOWN.contains(gate.getKey())) {
        throw new InvalidFlagException(
            "--feature-gates: unknown gate \"%s\" (known gates: %s)"
                .formatted(gate.getKey(), String.join(", ", KNOWN)));
      }
      if (!VALUES.contains(gate.getValue())) {
        throw new InvalidFlagException(
            "--feature-gates %s must be true or false, was \"%s\""
                .formatted(gate.getKey(), gate.getValue()));
      }
    }
    return new ManagerConfig.Features(
        isOn(UNUSED_CLAIMS), isOn(ACROSS_NAMESPACES), isOn(GROUP_SNAPSHOTS));
  }

  private boolean isOn(String gate) {
    return gates.getOrDefault(gate, "false").equals("true");
  }
}
