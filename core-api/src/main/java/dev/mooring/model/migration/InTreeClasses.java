package dev.mooring.model.migration;

import dev.mooring.model.StorageClass;
import dev.mooring.model.migration.ClassTranslation.NotMigrated;
import dev.mooring.model.migration.ClassTranslation.Refused;
import dev.mooring.model.migration.ClassTranslation.Translated;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Translates parameters and topologies of in-tree StorageClasses for their CSI drivers.
 *
 * <p>Pure and thread-safe. Never throws for any content of its arguments.
 */
public final class InTreeClasses {
  private static final String CSI = "csi.storage.k8s.io/";
  private static final String FS_TYPE = CSI + "fstype";
  private static final List<String> PORTWORX_SECRETS =
      List.of(
          "provisioner-secret",
          "controller-publish-secret",
          "node-publish-secret",
          "node-stage-secret",
          "controller-expand-secret",
          "node-expand-secret");
  private static final Set<String> VSPHERE_RENAMED =
      Set.of(
          "datastore",
          "diskformat",
          "hostfailurestotolerate",
          "forceprovisioning",
          "cachereservation",
          "diskstripes",
          "objectspacereservation",
          "iopslimit");

  private InTreeClasses() {}

  public static ClassTranslation translate(StorageClass it) {
    return switch (it.provisioner()) {
      case "kubernetes.io/aws-ebs" -> zonal(it, "topology.ebs.csi.aws.com/zone", true);
      case "kubernetes.io/gce-pd" -> zonal(it, "topology.gke.io/zone", true);
      case "kubernetes.io/azure-disk" -> unzoned(zonal(it, AZURE_ZONE, false));
      case "kubernetes.io/azure-file" -> new Translated(it);
      case "kubernetes.io/cinder" ->
          with(it, named(it), renamed(it, "topology.cinder.csi.openstack.org/zone"));
      case "kubernetes.io/vsphere-volume" ->
          with(it, vsphere(it), renamed(it, "topology.csi.vmware.com/zone"));
      case "kubernetes.io/portworx-volume" -> with(it, portworx(it), it.allowedTopologies());
      default -> new NotMigrated();
    };
  }

  private static final String AZURE_ZONE = "topology.disk.csi.azure.com/zone";

  private static ClassTranslation with(
      StorageClass it,
      Map<String, String> parameters,
      List<Map<String, List<String>>> allowedTopologies) {
    return new Translated(
        new StorageClass(
            it.meta(),
            it.provisioner(),
            Map.copyOf(parameters),
            it.reclaimPolicy(),
            it.mountOptions(),
            it.binding(),
            it.allowsExpansion(),
            allowedTopologies));
  }

  private static ClassTranslation zonal(StorageClass it, String key, boolean fsTypeIsOurs) {
    Map<String, String> parameters = new TreeMap<>();
    List<String> zones = List.of();
    for (Map.Entry<String, String> one : new TreeMap<>(it.parameters()).entrySet()) {
      String value = one.getValue();
      switch (one.getKey().toLowerCase(Locale.ROOT)) {
        case "zone" -> zones = List.of(value);
        case "zones" -> zones = List.of(value.split(",", -1));
        case "fstype" -> parameters.put(fsTypeIsOurs ? FS_TYPE : one.getKey(), value);
        default -> parameters.put(one.getKey(), value);
      }
    }
    if (it.provisioner().endsWith("/aws-ebs") && hasIopsPerGigabyte(it)) {
      // the in-tree plugin raised values that were too small for the volume's size
      parameters.put("allowautoiopspergbincrease", "true");
    }
    if (zones.isEmpty()) {
      return with(it, parameters, renamed(it, key));
    }
    return it.allowedTopologies().isEmpty()
        ? with(it, parameters, List.of(Map.of(key, zones)))
        : new Refused("cannot simultaneously set allowed topologies and zone/zones parameters");
  }

  private static boolean hasIopsPerGigabyte(StorageClass it) {
    return it.parameters().keySet().stream().anyMatch("iopspergb"::equalsIgnoreCase);
  }

  private static List<Map<String, List<String>>> renamed(StorageClass it, String key) {
    List<Map<String, List<String>>> terms = new ArrayList<>();
    for (Map<String, List<String>> term : it.allowedTopologies()) {
      Map<String, List<String>> moved = new LinkedHashMap<>();
      term.forEach((label, values) -> {
        boolean isZone = label.equals(Topology.ZONE) || label.equals(Topology.OLD_ZONE);
        moved.put(isZone ? key : label, values);
      });
      terms.add(Map.copyOf(moved));
    }
    return List.copyOf(terms);
  }

  /**
   * Clears numeric zones: in Azure regions without zones, the in-tree plugin used fault domain
   * numbers.
   */
  private static ClassTranslation unzoned(ClassTranslation zoned) {
    if (!(zoned instanceof Translated(StorageClass it))) {
      return zoned;
    }
    List<Map<String, List<String>>> terms = new ArrayList<>();
    for (Map<String, List<String>> term : it.allowedTopologies()) {
      Map<String, List<String>> cleared = new LinkedHashMap<>(term);
      cleared.computeIfPresent(
          AZURE_ZONE,
          (key, values) -> values.stream().map(v -> v.matches("[0-9]+") ? "" : v).toList());
      terms.add(Map.copyOf(cleared));
    }
    return with(it, it.parameters(), List.copyOf(terms));
  }

  private static Map<String, String> named(StorageClass it) {
    Map<String, String> parameters = new TreeMap<>();
    it.parameters()
        .forEach(
            (key, value) -> parameters.put(key.equalsIgnoreCase("fstype") ? FS_TYPE : key, value));
    return parameters;
  }

  // The parameter csimigration makes the driver return the volume's path.
  private static Map<String, String> vsphere(StorageClass it) {
    Map<String, String> parameters = new TreeMap<>();
    it.parameters()
        .forEach((written, value) -> {
          String key = written.toLowerCase(Locale.ROOT);
          if (key.equals("fstype")) {
            parameters.put(FS_TYPE, value);
          } else if (key.equals("storagepolicyname")) {
            parameters.put(key, value);
          } else if (VSPHERE_RENAMED.contains(key)) {
            parameters.put(key + "-migrationparam", value);
          }
        });
    parameters.put("csimigration", "true");
    return parameters;
  }

  private static Map<String, String> portworx(StorageClass it) {
    Map<String, String> parameters = new TreeMap<>();
    it.parameters()
        .forEach((key, value) -> {
          switch (key.toLowerCase(Locale.ROOT)) {
            case InTreeVolumes.PORTWORX_SECRET ->
                PORTWORX_SECRETS.forEach(use -> parameters.put(CSI + use + "-name", value));
            case InTreeVolumes.PORTWORX_SECRET_NAMESPACE ->
                PORTWORX_SECRETS.forEach(use -> parameters.put(CSI + use + "-namespace", value));
            default -> parameters.put(key, value);
          }
        });
    return parameters;
  }
}
