package dev.mooring.dist;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.csi.CsiConfig;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.command.UsageException;
import dev.mooring.manager.rights.RbacRole;
import dev.mooring.manager.rights.RoleManifest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Generates the RBAC rules of the chart from the rights that the controllers declare: cluster-wide
 * rights for each mode, additional rights for each feature, and rights in single namespaces.
 */
final class ChartRights {
  // Placeholder for values that only the chart knows; no namespace or Lease has this name.
  private static final String OWN_NAMESPACE = "own-namespace";

  private static final String LEASE = "own-lease";
  private static final List<String> ELECTION =
      List.of(
          "--leader-elect-resource-namespace=" + OWN_NAMESPACE,
          "--leader-elect-resource-name=" + LEASE);
  private static final String DRIVER = "--csi-endpoint=driver=unix:///csi/csi.sock";
  private static final String CSI = "--controllers=csi-bridge";
  private static final String REPLACE = "--mode=replace";
  private static final String PODS = "pods-namespace";
  private static final String PLUGIN_PODS = "--plugin-pods-namespace=" + PODS;
  private static final String PRIMES = "populator-namespace";
  private static final String POPULATORS = "--populator-namespace=" + PRIMES;
  private static final String SNAPSHOTS = "--enable-snapshots";
  private static final String SNAPSHOT_CONTROLLER = "--controllers=snapshot-controller";
  private static final String NO_GROUPS = "--feature-gates=CSIVolumeGroupSnapshot=false";
  private static final String SELINUX = "--controllers=selinux-warning-controller";
  private static final String BESIDE = "--mode=beside";

  private ChartRights() {}

  static String template() throws UsageException {
    StringBuilder text =
        new StringBuilder(
            "{{- /* Generated from the rights that the controllers declare: do not edit. */ -}}\n");
    for (Map.Entry<String, List<RbacRule>> rights : clusterWideRights().entrySet()) {
      define(text, rights.getKey() + ".everywhere", rights.getValue());
    }
    for (Map.Entry<String, List<RbacRule>> rights : namespacedRights().entrySet()) {
      define(text, "in." + rights.getKey(), rights.getValue());
    }
    return text.toString();
  }

  private static void define(StringBuilder text, String name, List<RbacRule> rights) {
    text.append("{{- define \"mooring.rights.").append(name).append("\" }}\n");
    for (RbacRole role : RbacRole.allowing(rights, List.of())) {
      text.append(
          RoleManifest.toRulesYaml(role)
              .replaceAll("(?m)^  ", "")
              .replace(LEASE, "{{ include \"mooring.lease\" . }}"));
    }
    text.append("{{- end }}\n");
  }

  private static Map<String, List<RbacRule>> clusterWideRights() throws UsageException {
    Predicate<RbacRule> isClusterWide = right -> !right.target().isNamespaced();
    Map<String, List<RbacRule>> rightsByPart = new LinkedHashMap<>();
    List<RbacRule> csi = rights(isClusterWide, CSI, DRIVER);
    rightsByPart.put("replace", rights(isClusterWide, REPLACE));
    rightsByPart.put("beside", rights(isClusterWide, BESIDE));
    rightsByPart.put("csi", csi);
    rightsByPart.put(
        "snapshots", subtract(rights(isClusterWide, CSI, DRIVER, SNAPSHOTS, NO_GROUPS), csi));
    rightsByPart.put(
        "capacity", subtract(capacityRights().stream().filter(isClusterWide).toList(), csi));
    rightsByPart.put("snapshotController", rights(isClusterWide, SNAPSHOT_CONTROLLER, NO_GROUPS));
    putGroupSnapshots(rightsByPart, isClusterWide);
    rightsByPart.put("selinuxWarnings", rights(isClusterWide, SELINUX));
    rightsByPart.put(
        "unusedClaims",
        subtract(
            rights(
                isClusterWide,
                REPLACE,
                "--feature-gates=PersistentVolumeClaimUnusedSinceTime=true"),
            rights(isClusterWide, REPLACE)));
    rightsByPart.put(
        "metrics",
        subtract(
            rights(isClusterWide, BESIDE, "--endpoints=0.0.0.0:10277"),
            rights(isClusterWide, BESIDE)));
    rightsByPart.put(
        "rehearsal",
        subtract(rights(isClusterWide, SELINUX, "--rehearse=10m"), rights(isClusterWide, SELINUX)));
    putBesideFeatures(rightsByPart, isClusterWide);
    rightsByPart.put("console", RunFlags.rightsOfPage(List.of("--console=127.0.0.1:10288")));
    return rightsByPart;
  }

  private static void putBesideFeatures(
      Map<String, List<RbacRule>> rightsByPart, Predicate<RbacRule> isClusterWide)
      throws UsageException {
    List<RbacRule> beside = rights(isClusterWide, BESIDE);
    rightsByPart.put("pluginPods", subtract(rights(isClusterWide, BESIDE, PLUGIN_PODS), beside));
    rightsByPart.put("populators", subtract(rights(isClusterWide, BESIDE, POPULATORS), beside));
    rightsByPart.put(
        "outOfService", subtract(rights(isClusterWide, BESIDE, "--failover=evidence"), beside));
  }

  private static void putGroupSnapshots(
      Map<String, List<RbacRule>> rightsByPart, Predicate<RbacRule> isClusterWide)
      throws UsageException {
    rightsByPart.put(
        "groupSnapshots",
        subtract(
            rights(isClusterWide, CSI, DRIVER, SNAPSHOTS),
            rights(isClusterWide, CSI, DRIVER, SNAPSHOTS, NO_GROUPS)));
    rightsByPart.put(
        "groupSnapshotController",
        subtract(
            rights(isClusterWide, SNAPSHOT_CONTROLLER),
            rights(isClusterWide, SNAPSHOT_CONTROLLER, NO_GROUPS)));
  }

  private static Map<String, List<RbacRule>> namespacedRights() throws UsageException {
    Map<String, List<RbacRule>> rightsByNamespace = new LinkedHashMap<>();
    rightsByNamespace.put("own", rights(isIn(OWN_NAMESPACE), BESIDE));
    rightsByNamespace.put(
        "capacity", capacityRights().stream().filter(isIn(OWN_NAMESPACE)).toList());
    rightsByNamespace.put("recycler", rights(isIn("default"), REPLACE));
    rightsByNamespace.put("kubeControllerManager", rights(isIn("kube-system"), REPLACE));
    rightsByNamespace.put(
        "nodeLeases", rights(isIn("kube-node-lease"), REPLACE, "--failover=evidence"));
    rightsByNamespace.put("pluginPods", rights(isIn(PODS), BESIDE, PLUGIN_PODS));
    rightsByNamespace.put("populators", rights(isIn(PRIMES), BESIDE, POPULATORS));
    rightsByNamespace.put(
        "secrets",
        rights(isIn(Target.NAMESPACES_OF_CLASSES), CSI, DRIVER).stream()
            .map(r -> new RbacRule(r.verb(), r.target().inNamespace(OWN_NAMESPACE), r.purpose()))
            .toList());
    return rightsByNamespace;
  }

  private static List<RbacRule> capacityRights() {
    return CsiConfig.DEFAULTS
        .with(
            new CsiConfig.Capacity(
                OWN_NAMESPACE, Duration.ofMinutes(1), false, new CsiConfig.CapacityOwner("pod", 2)))
        .rights()
        .list();
  }

  private static Predicate<RbacRule> isIn(String namespace) {
    return right -> right.target().namespace().equals(namespace);
  }

  private static List<RbacRule> rights(Predicate<RbacRule> filter, String... flags)
      throws UsageException {
    List<String> allFlags = new ArrayList<>(ELECTION);
    allFlags.addAll(List.of(flags));
    return RunFlags.rights(allFlags).stream().filter(filter).toList();
  }

  private static List<RbacRule> subtract(List<RbacRule> rights, List<RbacRule> subtracted) {
    List<RbacRule> remaining = new ArrayList<>(rights);
    remaining.removeIf(right ->
        subtracted.stream()
            .anyMatch(o -> o.verb() == right.verb() && o.target().equals(right.target())));
    return remaining;
  }
}
