package dev.mooring.manager.command;

import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.lifecycle.ManagerConfig.GroupSupport;
import dev.mooring.protection.UnusedCondition;
import dev.mooring.text.NameSuggestion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * The flag {@code --feature-gates}. Accepts every gate of Kubernetes and of the CSI sidecars, so
 * that a list of another component's manifest works unchanged. Only {@link #SUPPORTED} have an
 * effect.
 */
final class FeatureGates {
  private static final String UNUSED_CLAIMS = "PersistentVolumeClaimUnusedSinceTime";
  private static final String ACROSS_NAMESPACES = "CrossNamespaceVolumeDataSource";
  private static final String GROUP_SNAPSHOTS = "CSIVolumeGroupSnapshot";
  private static final String SNAPSHOT_TOPOLOGY = "VolumeSnapshotTopology";
  private static final List<String> SUPPORTED =
      List.of(GROUP_SNAPSHOTS, ACROSS_NAMESPACES, UNUSED_CLAIMS, SNAPSHOT_TOPOLOGY);

  /** Sets the default of all alpha gates, as in Kubernetes. */
  private static final String ALL_ALPHA = "AllAlpha";

  // as Go's strconv.ParseBool, which parses the flag of Kubernetes' components
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");

  private static final String LIST = "kubernetes-feature-gates.txt";

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=true|false",
      split = ",",
      description =
          "Kubernetes feature gates. PersistentVolumeClaimUnusedSinceTime: condition Unused of a claim shows since when no pod uses it (default: false; with --compat=kcm-1.37: true). CrossNamespaceVolumeDataSource: claims of CSI drivers may have data sources in other namespaces, if a ReferenceGrant there allows it (alpha; default: false). CSIVolumeGroupSnapshot: the snapshot controller and --enable-snapshots support group snapshots (default: true; false with node-deployment). VolumeSnapshotTopology: classes restrict where snapshots of CSI drivers are usable, and volumes are restored there (alpha; default: false). Other gates of Kubernetes and of the CSI sidecars have no effect.")
  private Map<String, String> gates = new LinkedHashMap<>();

  /**
   * Returns the features that the gates enable.
   *
   * @param compat determines the defaults
   */
  ManagerConfig.Features features(CompatFlag compat) throws UsageException {
    for (Map.Entry<String, String> gate : gates.entrySet()) {
      check(gate.getKey().strip(), gate.getValue().strip());
    }
    boolean alpha = isOn(ALL_ALPHA, false);
    return new ManagerConfig.Features(
        isOn(UNUSED_CLAIMS, alpha || compat.unusedClaims())
            ? compat.unusedCondition()
            : UnusedCondition.OFF,
        isOn(ACROSS_NAMESPACES, alpha),
        groupSupport(),
        isOn(SNAPSHOT_TOPOLOGY, alpha));
  }

  private GroupSupport groupSupport() {
    if (!isOn(GROUP_SNAPSHOTS, true)) {
      return GroupSupport.OFF;
    }
    return isOn(GROUP_SNAPSHOTS, false) ? GroupSupport.REQUESTED : GroupSupport.BY_DEFAULT;
  }

  /** Logs the gates that have no effect. Call it after {@link #features}. */
  void logUnsupported(System.Logger log) {
    Set<String> unsupported =
        gates.keySet().stream()
            .map(String::strip)
            .filter(gate -> !SUPPORTED.contains(gate) && !gate.equals(ALL_ALPHA))
            .collect(Collectors.toCollection(TreeSet::new));
    if (unsupported.isEmpty()) {
      return;
    }
    Set<String> unknown = new TreeSet<>(unsupported);
    unknown.removeAll(gatesOfKubernetes());
    unsupported.removeAll(unknown);
    if (!unsupported.isEmpty()) {
      log.log(
          Level.INFO,
          () -> "--feature-gates: no effect in Mooring: " + String.join(", ", unsupported));
    }
    if (!unknown.isEmpty()) {
      log.log(
          Level.WARNING,
          () ->
              "--feature-gates: ignoring gates that Kubernetes 1.31 to 1.37 does not have: "
                  + String.join(", ", unknown));
    }
  }

  private static void check(String gate, String value) throws InvalidFlagException {
    if (!SUPPORTED.contains(gate)) {
      checkSpelling(gate);
    }
    if (!TRUE.contains(value) && !FALSE.contains(value)) {
      throw new InvalidFlagException(
          "--feature-gates %s must be true or false, was \"%s\"".formatted(gate, value));
    }
  }

  /** Rejects names similar to a known gate. Other unknown gates may belong to a later release. */
  private static void checkSpelling(String gate) throws InvalidFlagException {
    Set<String> knownGates = gatesOfKubernetes();
    if (knownGates.contains(gate) || gate.equals(ALL_ALPHA)) {
      return;
    }
    knownGates.addAll(SUPPORTED);
    Optional<String> suggestion = NameSuggestion.to(gate, knownGates);
    if (suggestion.isPresent()) {
      throw new InvalidFlagException(
          "--feature-gates: unknown gate \"%s\": did you mean \"%s\"?"
              .formatted(gate, suggestion.get()));
    }
  }

  private boolean isOn(String gate, boolean byDefault) {
    return gates.entrySet().stream()
        .filter(entry -> entry.getKey().strip().equals(gate))
        .map(entry -> TRUE.contains(entry.getValue().strip()))
        .findFirst()
        .orElse(byDefault);
  }

  /** Reads the list only if a gate needs it: most starts set none. */
  private static Set<String> gatesOfKubernetes() {
    InputStream list = Objects.requireNonNull(FeatureGates.class.getResourceAsStream(LIST), LIST);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
