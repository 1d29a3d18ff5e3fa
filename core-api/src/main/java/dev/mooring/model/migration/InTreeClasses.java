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

  public static ClassTranslation translate(StorageClass storageClass) {
    return switch (storageClass.provisioner()) {
      case "kubernetes.io/aws-ebs" ->
          translateZones(storageClass, "topology.ebs.csi.aws.com/zone", true);
      case "kubernetes.io/gce-pd" -> translateZones(storageClass, "topology.gke.io/zone", true);
      case "kubernetes.io/azure-disk" ->
          clearNumericZones(translateZones(storageClass, AZURE_ZONE, false));
      case "kubernetes.io/azure-file" -> new Translated(storageClass);
      case "kubernetes.io/cinder" ->
          translated(
              storageClass,
              renameFsType(storageClass),
              renameZoneKeys(storageClass, "topology.cinder.csi.openstack.org/zone"));
      case "kubernetes.io/vsphere-volume" ->
          translated(
              storageClass,
              vsphereParameters(storageClass),
              renameZoneKeys(storageClass, "topology.csi.vmware.com/zone"));
      case "kubernetes.io/portworx-volume" ->
          translated(
              storageClass, portworxParameters(storageClass), storageClass.allowedTopologies());
      default -> new NotMigrated();
    };
  }

  private static final String AZURE_ZONE = "topology.disk.csi.azure.com/zone";

  private static ClassTranslation translated(
      StorageClass storageClass,
      Map<String, String> parameters,
      List<Map<String, List<String>>> allowedTopologies) {
    return new Translated(
        new StorageClass(
            storageClass.meta(),
            storageClass.provisioner(),
            Map.copyOf(parameters),
            storageClass.reclaimPolicy(),
            storageClass.mountOptions(),
            storageClass.binding(),
            storageClass.allowsExpansion(),
            allowedTopologies));
  }

  private static ClassTranslation translateZones(
      StorageClass storageClass, String key, boolean renamesFsType) {
    Map<String, String> parameters = new TreeMap<>();
    List<String> zones = List.of();
    for (Map.Entry<String, String> parameter :
        new TreeMap<>(storageClass.parameters()).entrySet()) {
      String value = parameter.getValue();
      switch (parameter.getKey().toLowerCase(Locale.ROOT)) {
        case "zone" -> zones = List.of(value);
        case "zones" -> zones = List.of(value.split(",", -1));
        case "fstype" -> parameters.put(renamesFsType ? FS_TYPE : parameter.getKey(), value);
        default -> parameters.put(parameter.getKey(), value);
      }
    }
    if (storageClass.provisioner().endsWith("/aws-ebs") && hasIopsPerGigabyte(storageClass)) {
      // the in-tree plugin raised values that were too small for the volume's size
      parameters.put("allowautoiopspergbincrease", "true");
    }
    if (zones.isEmpty()) {
      return translated(storageClass, parameters, renameZoneKeys(storageClass, key));
    }
    return storageClass.allowedTopologies().isEmpty()
        ? translated(storageClass, parameters, List.of(Map.of(key, zones)))
        : new Refused("cannot simultaneously set allowed topologies and zone/zones parameters");
  }

  private static boolean hasIopsPerGigabyte(StorageClass storageClass) {
    return storageClass.parameters().keySet().stream().anyMatch("iopspergb"::equalsIgnoreCase);
  }

  private static List<Map<String, List<String>>> renameZoneKeys(
      StorageClass storageClass, String key) {
    List<Map<String, List<String>>> terms = new ArrayList<>();
    for (Map<String, List<String>> term : storageClass.allowedTopologies()) {
      Map<String, List<String>> renamedTerm = new LinkedHashMap<>();
      term.forEach((label, values) -> {
        boolean isZone = label.equals(Topology.ZONE) || label.equals(Topology.OLD_ZONE);
        renamedTerm.put(isZone ? key : label, values);
      });
      terms.add(Map.copyOf(renamedTerm));
    }
    return List.copyOf(terms);
  }

  /**
   * Clears numeric zones: in Azure regions without zones, the in-tree plugin used fault domain
   * numbers.
   */
  private static ClassTranslation clearNumericZones(ClassTranslation translation) {
    if (!(translation instanceof Translated(StorageClass storageClass))) {
      return translation;
    }
    List<Map<String, List<String>>> terms = new ArrayList<>();
    for (Map<String, List<String>> term : storageClass.allowedTopologies()) {
      Map<String, List<String>> clearedTerm = new LinkedHashMap<>(term);
      clearedTerm.computeIfPresent(
          AZURE_ZONE,
          (key, values) -> values.stream().map(v -> v.matches("[0-9]+") ? "" : v).toList());
      terms.add(Map.copyOf(clearedTerm));
    }
    return translated(storageClass, storageClass.parameters(), List.copyOf(terms));
  }

  private static Map<String, String> renameFsType(StorageClass storageClass) {
    Map<String, String> parameters = new TreeMap<>();
    storageClass
        .parameters()
        .forEach(
            (key, value) -> parameters.put(key.equalsIgnoreCase("fstype") ? FS_TYPE : key, value));
    return parameters;
  }

  // The parameter csimigration makes the driver return the volume's path.
  private static Map<String, String> vsphereParameters(StorageClass storageClass) {
    Map<String, String> parameters = new TreeMap<>();
    storageClass
        .parameters()
        .forEach((originalKey, value) -> {
          String key = originalKey.toLowerCase(Locale.ROOT);
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

  private static Map<String, String> portworxParameters(StorageClass storageClass) {
    Map<String, String> parameters = new TreeMap<>();
    storageClass
        .parameters()
        .forEach((key, value) -> {
          switch (key.toLowerCase(Locale.ROOT)) {
            case InTreeVolumes.PORTWORX_SECRET ->
                PORTWORX_SECRETS.forEach(secret -> parameters.put(CSI + secret + "-name", value));
            case InTreeVolumes.PORTWORX_SECRET_NAMESPACE ->
                PORTWORX_SECRETS.forEach(
                    secret -> parameters.put(CSI + secret + "-namespace", value));
            default -> parameters.put(key, value);
          }
        });
    return parameters;
  }
}
