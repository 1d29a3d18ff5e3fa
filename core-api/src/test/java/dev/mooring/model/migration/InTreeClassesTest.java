package dev.mooring.model.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.migration.ClassTranslation.NotMigrated;
import dev.mooring.model.migration.ClassTranslation.Refused;
import dev.mooring.model.migration.ClassTranslation.Translated;
import dev.mooring.testkit.TestObjects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Expects the parameters and topologies of csi-translation-lib in Kubernetes 1.36. */
class InTreeClassesTest {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String EBS_ZONE = "topology.ebs.csi.aws.com/zone";
  private static final String GCE_ZONE = "topology.gke.io/zone";
  private static final String AZURE_ZONE = "topology.disk.csi.azure.com/zone";
  private static final String CINDER_ZONE = "topology.cinder.csi.openstack.org/zone";
  private static final String VSPHERE_ZONE = "topology.csi.vmware.com/zone";
  private static final String FS_TYPE = "csi.storage.k8s.io/fstype";

  private record Row(
      String plugin,
      Map<String, String> parameters,
      List<Map<String, List<String>>> allowed,
      Map<String, String> driverParameters,
      List<Map<String, List<String>>> topologies) {}

  private static Map<String, String> map(String... pairs) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  private static List<Map<String, List<String>>> in(String key, String... values) {
    return List.of(Map.of(key, List.of(values)));
  }

  private static Row row(
      String plugin, Map<String, String> parameters, Map<String, String> driverParameters) {
    return new Row(plugin, parameters, List.of(), driverParameters, List.of());
  }

  private static Stream<Row> rows() {
    return Stream.of(
        row("aws-ebs", map(), map()),
        row("aws-ebs", map("type", "gp3", "fsType", "xfs"), map("type", "gp3", FS_TYPE, "xfs")),
        row(
            "aws-ebs",
            map("iopsPerGB", "50"),
            map("iopsPerGB", "50", "allowautoiopspergbincrease", "true")),
        new Row("aws-ebs", map("zone", "a"), List.of(), map(), in(EBS_ZONE, "a")),
        new Row("aws-ebs", map("zones", "a,b"), List.of(), map(), in(EBS_ZONE, "a", "b")),
        new Row("aws-ebs", map(), in(ZONE, "a"), map(), in(EBS_ZONE, "a")),
        new Row("aws-ebs", map(), in(OLD_ZONE, "a"), map(), in(EBS_ZONE, "a")),
        new Row("aws-ebs", map(), in("rack", "r"), map(), in("rack", "r")),
        row(
            "gce-pd",
            map("type", "pd-ssd", "FSTYPE", "ext4"),
            map("type", "pd-ssd", FS_TYPE, "ext4")),
        new Row("gce-pd", map("zones", "a,b"), List.of(), map(), in(GCE_ZONE, "a", "b")),
        new Row("gce-pd", map(), in(ZONE, "a", "b"), map(), in(GCE_ZONE, "a", "b")),
        row(
            "azure-disk",
            map("fsType", "ext4", "kind", "Managed", "cachingMode", "None"),
            map("fsType", "ext4", "kind", "Managed", "cachingMode", "None")),
        new Row(
            "azure-disk", map("zone", "westus-1"), List.of(), map(), in(AZURE_ZONE, "westus-1")),
        new Row("azure-disk", map("zones", "1,x"), List.of(), map(), in(AZURE_ZONE, "", "x")),
        new Row("azure-disk", map(), in(ZONE, "0"), map(), in(AZURE_ZONE, "")),
        new Row("azure-disk", map(), in("rack", "1"), map(), in("rack", "1")),
        new Row(
            "azure-file",
            map("skuName", "Standard_LRS", "fsType", "x"),
            in(ZONE, "a"),
            map("skuName", "Standard_LRS", "fsType", "x"),
            in(ZONE, "a")),
        row(
            "cinder",
            map("fstype", "xfs", "availability", "nova", "zone", "z"),
            map(FS_TYPE, "xfs", "availability", "nova", "zone", "z")),
        new Row("cinder", map(), in(ZONE, "nova"), map(), in(CINDER_ZONE, "nova")),
        row(
            "vsphere-volume",
            map(
                "fstype",
                "ext4",
                "StoragePolicyName",
                "gold",
                "datastore",
                "ds",
                "diskformat",
                "thin",
                "hostFailuresToTolerate",
                "1",
                "forceProvisioning",
                "1",
                "cacheReservation",
                "2",
                "diskStripes",
                "3",
                "objectSpaceReservation",
                "4",
                "iopsLimit",
                "5",
                "other",
                "x"),
            map(
                FS_TYPE,
                "ext4",
                "storagepolicyname",
                "gold",
                "datastore-migrationparam",
                "ds",
                "diskformat-migrationparam",
                "thin",
                "hostfailurestotolerate-migrationparam",
                "1",
                "forceprovisioning-migrationparam",
                "1",
                "cachereservation-migrationparam",
                "2",
                "diskstripes-migrationparam",
                "3",
                "objectspacereservation-migrationparam",
                "4",
                "iopslimit-migrationparam",
                "5",
                "csimigration",
                "true")),
        new Row(
            "vsphere-volume",
            map(),
            in(ZONE, "a"),
            map("csimigration", "true"),
            in(VSPHERE_ZONE, "a")),
        row(
            "portworx-volume",
            map(
                "repl",
                "2",
                "openstorage.io/auth-secret-name",
                "s",
                "openstorage.io/auth-secret-namespace",
                "n"),
            map(
                "repl",
                "2",
                "csi.storage.k8s.io/provisioner-secret-name",
                "s",
                "csi.storage.k8s.io/provisioner-secret-namespace",
                "n",
                "csi.storage.k8s.io/controller-publish-secret-name",
                "s",
                "csi.storage.k8s.io/controller-publish-secret-namespace",
                "n",
                "csi.storage.k8s.io/node-publish-secret-name",
                "s",
                "csi.storage.k8s.io/node-publish-secret-namespace",
                "n",
                "csi.storage.k8s.io/node-stage-secret-name",
                "s",
                "csi.storage.k8s.io/node-stage-secret-namespace",
                "n",
                "csi.storage.k8s.io/controller-expand-secret-name",
                "s",
                "csi.storage.k8s.io/controller-expand-secret-namespace",
                "n",
                "csi.storage.k8s.io/node-expand-secret-name",
                "s",
                "csi.storage.k8s.io/node-expand-secret-namespace",
                "n")));
  }

  private static StorageClass storageClass(
      String provisioner, Map<String, String> parameters, List<Map<String, List<String>>> allowed) {
    return TestObjects.storageClass(ObjectKey.cluster("fast"))
        .uid("s")
        .created(1)
        .provisioner(provisioner)
        .parameters(parameters)
        .mountOptions(List.of("noatime"))
        .allowsExpansion(true)
        .allowedTopologies(allowed)
        .build();
  }

  @TestFactory
  Stream<DynamicTest> translate_eachRow_returnsDriverParametersAndTopologies() {
    return rows()
        .map(row ->
            DynamicTest.dynamicTest(
                row.plugin() + " " + row.parameters() + row.allowed(),
                () -> {
                  String provisioner = "kubernetes.io/" + row.plugin();
                  assertThat(
                          InTreeClasses.translate(
                              storageClass(provisioner, row.parameters(), row.allowed())))
                      .isEqualTo(
                          new Translated(
                              storageClass(provisioner, row.driverParameters(), row.topologies())));
                }));
  }

  @Test
  void translate_zoneParameterAndTopologies_isRefused() {
    for (String plugin : List.of("aws-ebs", "gce-pd", "azure-disk")) {
      assertThat(
              InTreeClasses.translate(
                  storageClass("kubernetes.io/" + plugin, map("zone", "a"), in(ZONE, "b"))))
          .isEqualTo(
              new Refused(
                  "cannot simultaneously set allowed topologies and zone/zones parameters"));
    }
  }

  @Test
  void translate_csiProvisioner_isNotMigrated() {
    assertThat(
            InTreeClasses.translate(storageClass("ebs.csi.aws.com", map("zone", "a"), List.of())))
        .isEqualTo(new NotMigrated());
  }
}
