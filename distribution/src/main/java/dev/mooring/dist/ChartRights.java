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
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Generates the RBAC rules of the chart from the rights that the controllers declare: cluster-wide
 * rights for each mode, additional rights for each feature, and rights in single namespaces.
 */
final class ChartRights {
  // Placeholder for values that only the chart knows; no namespace or Lease has this name.
  private static final String OWN = "own-namespace";

  private static final String LEASE = "own-lease";
  private static final List<String> ELECTION =
      List.of("--leader-elect-resource-namespace=" + OWN, "--leader-elect-resource-name=" + LEASE);
  private static final String DRIVER = "--csi-endpoint=driver=unix:///csi/csi.sock";
  private static final String CSI = "--controllers=csi-bridge";
  private static final String REPLACE = "--mode=replace";
  private static final String PODS = "pods-namespace";
  private static final String PLUGIN_PODS = "--plugin-pods-namespace=" + PODS;
  private static final String GROUPS = "--feature-gates=CSIVolumeGroupSnapshot=true";
  private static final String BESIDE = "--mode=beside";

  private ChartRights() {}

  static String template() throws UsageException {
    StringBuilder text =
        new StringBuilder(
            "{{- /* Generated from the rights that the controllers declare: do not edit. */ -}}\n");
    for (Map.Entry<String, List<RbacRule>> part : everywhere().entrySet()) {
      define(text, part.getKey() + ".everywhere", part.getValue());
    }
    for (Map.Entry<String, List<RbacRule>> place : places().entrySet()) {
      define(text, "in." + place.getKey(), place.getValue());
    }
    return text.toString();
  }

  private static void define(StringBuilder text, String name, List<RbacRule> rights) {
    text.append("{{- define \"mooring.rights.").append(name).append("\" }}\n");
    for (RbacRole role : RbacRole.allowing(rights, List.of())) {
      text.append(
          RoleManifest.rules(role)
              .replaceAll("(?m)^  ", "")
              .replace(LEASE, "{{ include \"mooring.lease\" . }}"));
    }
    text.append("{{- end }}\n");
  }

  private static Map<String, List<RbacRule>> everywhere() throws UsageException {
    Predicate<RbacRule> all = right -> !right.target().isNamespaced();
    Map<String, List<RbacRule>> parts = new LinkedHashMap<>();
    List<RbacRule> csi = rights(all, CSI, DRIVER);
    parts.put("replace", rights(all, REPLACE));
    parts.put("beside", rights(all, BESIDE));
    parts.put("csi", csi);
    parts.put("snapshots", without(rights(all, CSI, DRIVER, "--enable-snapshots"), csi));
    parts.put("capacity", without(capacity().stream().filter(all).toList(), csi));
    parts.put("snapshotController", rights(all, "--controllers=snapshot-controller"));
    parts.put(
        "groupSnapshots",
        without(
            rights(all, CSI, DRIVER, "--enable-snapshots", GROUPS),
            rights(all, CSI, DRIVER, "--enable-snapshots")));
    parts.put(
        "groupSnapshotController",
        without(
            rights(all, "--controllers=snapshot-controller", GROUPS),
            rights(all, "--controllers=snapshot-controller")));
    parts.put("selinuxWarnings", rights(all, "--controllers=selinux-warning-controller"));
    parts.put(
        "unusedClaims",
        without(
            rights(all, REPLACE, "--feature-gates=PersistentVolumeClaimUnusedSinceTime=true"),
            rights(all, REPLACE)));
    parts.put(
        "metrics", without(rights(all, BESIDE, "--endpoints=0.0.0.0:10277"), rights(all, BESIDE)));
    parts.put("pluginPods", without(rights(all, BESIDE, PLUGIN_PODS), rights(all, BESIDE)));
    parts.put("console", RunFlags.rightsOfPage(List.of("--console=127.0.0.1:10288")));
    return parts;
  }

  private static Map<String, List<RbacRule>> places() throws UsageException {
    Map<String, List<RbacRule>> places = new LinkedHashMap<>();
    places.put("own", rights(in(OWN), BESIDE));
    places.put("capacity", capacity().stream().filter(in(OWN)).toList());
    places.put("recycler", rights(in("default"), REPLACE));
    places.put("kubeControllerManager", rights(in("kube-system"), REPLACE));
    places.put("nodeLeases", rights(in("kube-node-lease"), REPLACE, "--failover=evidence"));
    places.put("pluginPods", rights(in(PODS), BESIDE, PLUGIN_PODS));
    places.put(
        "secrets",
        rights(in(Target.WHERE_CLASSES_SAY), CSI, DRIVER).stream()
            .map(r -> new RbacRule(r.verb(), r.target().in(OWN), r.purpose()))
            .toList());
    return places;
  }

  private static List<RbacRule> capacity() {
    CsiConfig plain = CsiConfig.DEFAULTS;
    return new CsiConfig(
            plain.timeout(),
            plain.workers(),
            plain.firstRetry(),
            plain.lastRetry(),
            plain.listing(),
            plain.options(),
            Optional.of(
                new CsiConfig.Capacity(
                    OWN, Duration.ofMinutes(1), false, new CsiConfig.CapacityOwner("pod", 2))),
            plain.sources(),
            plain.node(),
            plain.snapshots())
        .rights()
        .list();
  }

  private static Predicate<RbacRule> in(String namespace) {
    return right -> right.target().namespace().equals(namespace);
  }

  private static List<RbacRule> rights(Predicate<RbacRule> which, String... flags)
      throws UsageException {
    List<String> all = new ArrayList<>(ELECTION);
    all.addAll(List.of(flags));
    return RunFlags.rights(all).stream().filter(which).toList();
  }

  private static List<RbacRule> without(List<RbacRule> rights, List<RbacRule> others) {
    List<RbacRule> left = new ArrayList<>(rights);
    left.removeIf(right ->
        others.stream()
            .anyMatch(o -> o.verb() == right.verb() && o.target().equals(right.target())));
    return left;
  }
}
