package dev.mooring.model.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Pod;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.VolumeTranslation.NotMigrated;
import dev.mooring.model.migration.VolumeTranslation.Refused;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Expects each field that csi-translation-lib in Kubernetes 1.36 sets on persistent volumes. */
class InTreeVolumesTest extends InTreeVolumesFixture {
  private static DynamicTest row(String title, Given given, String spec) {
    return DynamicTest.dynamicTest(
        title,
        () -> {
          CsiVolume volume = translated(given.translate());
          assertThat(volume.name()).isEqualTo("pv");
          assertThat(volume.spec()).hasToString(spec);
        });
  }

  private static DynamicTest refusedRow(String title, Given given, String reason) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(given.translate()).isEqualTo(new Refused(reason)));
  }

  private static String readWriteOnce(String csi) {
    return modes("[ReadWriteOnce]", csi);
  }

  private static String modes(String modes, String csi) {
    return "{accessModes=" + modes + ", csi={" + csi + "}, volumeMode=Block}";
  }

  @TestFactory
  Stream<DynamicTest> translate_awsElasticBlockStore_matchesKubernetes() {
    String csi = "driver=ebs.csi.aws.com, volumeHandle=vol-1, ";
    String wholeDisk = readWriteOnce(csi + "volumeAttributes={partition=0}");
    return Stream.of(
        row("id", Given.of("awsElasticBlockStore", "volumeID", "vol-1"), wholeDisk),
        row(
            "zone and id",
            Given.of("awsElasticBlockStore", "volumeID", "aws://us-1a/vol-1"),
            wholeDisk),
        row("no zone", Given.of("awsElasticBlockStore", "volumeID", "aws:///vol-1"), wholeDisk),
        row("slashes", Given.of("awsElasticBlockStore", "volumeID", "aws:////vol-1/"), wholeDisk),
        row(
            "query",
            Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol-1?a=b#c"),
            wholeDisk),
        row("escapes", Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol%2D1"), wholeDisk),
        row(
            "id without URL is not validated",
            Given.of("awsElasticBlockStore", "volumeID", "disk"),
            readWriteOnce(
                "driver=ebs.csi.aws.com, volumeHandle=disk, volumeAttributes={partition=0}")),
        row(
            "partition 0 is none",
            Given.of("awsElasticBlockStore", "volumeID", "vol-1", "partition", "0"),
            wholeDisk),
        row(
            "everything",
            Given.of(
                "awsElasticBlockStore",
                "volumeID",
                "vol-1",
                "partition",
                "3",
                "fsType",
                "xfs",
                "readOnly",
                "true"),
            readWriteOnce(csi + "readOnly=true, fsType=xfs, volumeAttributes={partition=3}")),
        row(
            "modes are unchanged",
            Given.of("awsElasticBlockStore", "volumeID", "vol-1")
                .withModes("ReadWriteOnce", "ReadWriteMany"),
            modes("[ReadWriteOnce, ReadWriteMany]", csi + "volumeAttributes={partition=0}")),
        refusedRow(
            "no id", Given.of("awsElasticBlockStore"), "awsElasticBlockStore has no volumeID"),
        refusedRow(
            "id in place of the host",
            Given.of("awsElasticBlockStore", "volumeID", "aws://vol-1"),
            "\"aws://vol-1\" does not identify an EBS volume"),
        refusedRow(
            "id of a snapshot",
            Given.of("awsElasticBlockStore", "volumeID", "aws://z/snap-1"),
            "\"aws://z/snap-1\" does not identify an EBS volume"),
        refusedRow(
            "id followed by a path",
            Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol-1/2"),
            "\"aws://z/vol-1/2\" does not identify an EBS volume"),
        refusedRow(
            "invalid escape",
            Given.of("awsElasticBlockStore", "volumeID", "aws://z/vol-%1"),
            "\"aws://z/vol-%1\" does not identify an EBS volume"));
  }

  private static DynamicTest gceHandle(String title, String location, String... labels) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(
                    translated(
                            Given.of("gcePersistentDisk", "pdName", "d").labels(labels).translate())
                        .handle())
                .isEqualTo("projects/UNSPECIFIED/" + location + "/disks/d"));
  }

  private static DynamicTest gceModes(String modes, String... volume) {
    return DynamicTest.dynamicTest(
        List.of(volume) + " are " + modes,
        () ->
            assertThat(
                    translated(
                            Given.of("gcePersistentDisk", "pdName", "d")
                                .withModes(volume)
                                .translate())
                        .accessModes())
                .hasToString(modes));
  }

  @TestFactory
  Stream<DynamicTest> translate_gcePersistentDisk_matchesKubernetes() {
    String zones = "the zones in the labels do not belong to one region";
    return Stream.of(
        row(
            "name",
            Given.of("gcePersistentDisk", "pdName", "d"),
            readWriteOnce(gce("zones/UNSPECIFIED") + "volumeAttributes={partition=}")),
        row(
            "partition 0 is none",
            Given.of("gcePersistentDisk", "pdName", "d", "partition", "0"),
            readWriteOnce(gce("zones/UNSPECIFIED") + "volumeAttributes={partition=}")),
        row(
            "everything",
            Given.of(
                "gcePersistentDisk",
                "pdName",
                "d",
                "partition",
                "2",
                "fsType",
                "ext4",
                "readOnly",
                "true"),
            readWriteOnce(
                gce("zones/UNSPECIFIED")
                    + "readOnly=true, fsType=ext4, volumeAttributes={partition=2}")),
        gceHandle("zone", "zones/us-east1-a", ZONE, "us-east1-a"),
        gceHandle("older zone", "zones/us-east1-a", OLD_ZONE, "us-east1-a"),
        gceHandle(
            "the older counts", "zones/us-east1-b", ZONE, "us-east1-a", OLD_ZONE, "us-east1-b"),
        gceHandle("unless it is empty", "zones/us-east1-a", ZONE, "us-east1-a", OLD_ZONE, ""),
        gceHandle("a zone of any form", "zones/here", ZONE, "here"),
        gceHandle("zones", "regions/us-east1", ZONE, "us-east1-a__us-east1-b"),
        refusedRow(
            "zones of two regions",
            Given.of("gcePersistentDisk", "pdName", "d").labels(ZONE, "us-east1-a__us-west1-b"),
            zones),
        refusedRow(
            "invalid zone names",
            Given.of("gcePersistentDisk", "pdName", "d").labels(ZONE, "east__west"),
            zones),
        refusedRow(
            "empty zone",
            Given.of("gcePersistentDisk", "pdName", "d").labels(ZONE, "us-east1-a__"),
            zones),
        refusedRow("no name", Given.of("gcePersistentDisk"), "gcePersistentDisk has no pdName"),
        gceModes("ReadWriteOnce", "ReadWriteOnce"),
        gceModes("ReadOnlyMany", "ReadOnlyMany"),
        gceModes("ReadWriteOnce", "ReadWriteMany"),
        gceModes("ReadWriteOnce", "ReadWriteOnce", "ReadOnlyMany"),
        gceModes("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"),
        gceModes("ReadWriteOnce", "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"),
        gceModes("ReadWriteOnce", "ReadWriteOncePod"),
        gceModes("ReadOnlyMany", "ReadOnlyMany", "ReadWriteOncePod"),
        gceModes("ReadWriteOnce"));
  }

  @TestFactory
  Stream<DynamicTest> translate_cinder_matchesKubernetes() {
    String csi = "driver=cinder.csi.openstack.org, volumeHandle=v";
    return Stream.of(
        row("id", Given.of("cinder", "volumeID", "v"), readWriteOnce(csi)),
        row(
            "everything",
            Given.of("cinder", "volumeID", "v", "fsType", "xfs", "readOnly", "true"),
            readWriteOnce(csi + ", readOnly=true, fsType=xfs")),
        row(
            "modes are unchanged",
            Given.of("cinder", "volumeID", "v").withModes("ReadWriteMany"),
            modes("[ReadWriteMany]", csi)),
        row(
            "empty modes are unchanged",
            Given.of("cinder", "volumeID", "v").withModes(),
            "{csi={" + csi + "}, volumeMode=Block}"),
        refusedRow("no id", Given.of("cinder"), "cinder has no volumeID"));
  }

  @TestFactory
  Stream<DynamicTest> translate_azureDisk_matchesKubernetes() {
    String csi = "driver=disk.csi.azure.com, volumeHandle=/u, ";
    String kind = "azureDisk of kind Dedicated has no CSI driver; only Managed has one";
    return Stream.of(
        row(
            "address",
            Given.of("azureDisk", "diskName", "d", "diskURI", "/u"),
            readWriteOnce(csi + "volumeAttributes={kind=Managed}")),
        row(
            "kind ignores case",
            Given.of("azureDisk", "diskURI", "/u", "kind", "managed"),
            readWriteOnce(csi + "volumeAttributes={kind=Managed}")),
        row(
            "everything",
            Given.of(
                "azureDisk",
                "diskURI",
                "/u",
                "kind",
                "Managed",
                "cachingMode",
                "None",
                "fsType",
                "xfs",
                "readOnly",
                "true"),
            readWriteOnce(
                csi
                    + "readOnly=true, fsType=xfs, volumeAttributes={cachingmode=None, fstype=xfs, kind=Managed}")),
        row(
            "zone labels are ignored",
            Given.of("azureDisk", "diskURI", "/u").labels(ZONE, "z"),
            readWriteOnce(csi + "volumeAttributes={kind=Managed}")),
        refusedRow("dedicated", Given.of("azureDisk", "diskURI", "/u", "kind", "Dedicated"), kind),
        refusedRow(
            "shared",
            Given.of("azureDisk", "diskURI", "/u", "kind", "Shared"),
            kind.replace("Dedicated", "Shared")),
        refusedRow("no URI", Given.of("azureDisk", "diskName", "d"), "azureDisk has no diskURI"));
  }

  @TestFactory
  Stream<DynamicTest> translate_azureFile_matchesKubernetes() {
    String secret = "nodeStageSecretRef=";
    return Stream.of(
        DynamicTest.dynamicTest(
            "everything",
            () -> {
              CsiVolume volume =
                  translated(
                      Given.of(
                              "azureFile",
                              "secretName",
                              "azure-storage-account-acc-secret",
                              "shareName",
                              "s",
                              "secretNamespace",
                              "sn",
                              "readOnly",
                              "true")
                          .annotations(InTreeVolumes.AZURE_FILE_GROUP, "rg")
                          .withClaimIn("cn")
                          .translate());
              assertThat(volume.source().attributes())
                  .containsOnly(
                      Map.entry("driver", "file.csi.azure.com"),
                      Map.entry("volumeHandle", "rg#acc#s#pv#sn"),
                      Map.entry("readOnly", "true"));
              assertThat(volume.attributes()).containsOnly(Map.entry("sharename", "s"));
              assertThat(volume.secrets())
                  .containsOnly(
                      Map.entry(
                          "nodeStageSecretRef",
                          new CsiVolume.Secret("azure-storage-account-acc-secret", "sn")));
              assertThat(volume.spec().toString()).contains(secret);
            }),
        DynamicTest.dynamicTest(
            "another secret, in the claim's namespace",
            () ->
                assertThat(
                        translated(
                                Given.of("azureFile", "secretName", "x", "shareName", "s")
                                    .withClaimIn("cn")
                                    .translate())
                            .handle())
                    .isEqualTo("#x#s#pv#cn")),
        refusedRow(
            "no namespace",
            Given.of("azureFile", "secretName", "x", "shareName", "s"),
            "azureFile has no secretNamespace, and the volume has no claimRef"),
        refusedRow(
            "no secret",
            Given.of("azureFile", "shareName", "s").withClaimIn("cn"),
            "azureFile has no secretName"),
        refusedRow(
            "no share",
            Given.of("azureFile", "secretName", "x").withClaimIn("cn"),
            "azureFile has no shareName"));
  }

  @TestFactory
  Stream<DynamicTest> translate_vsphereVolume_matchesKubernetes() {
    String csi = "driver=csi.vsphere.vmware.com, volumeHandle=[ds] v.vmdk";
    return Stream.of(
        row("path", Given.of("vsphereVolume", "volumePath", "[ds] v.vmdk"), readWriteOnce(csi)),
        row(
            "everything",
            Given.of(
                "vsphereVolume",
                "volumePath",
                "[ds] v.vmdk",
                "fsType",
                "xfs",
                "storagePolicyName",
                "gold"),
            readWriteOnce(csi + ", fsType=xfs, volumeAttributes={storagepolicyname=gold}")),
        refusedRow("no path", Given.of("vsphereVolume"), "vsphereVolume has no volumePath"));
  }

  @TestFactory
  Stream<DynamicTest> translate_portworxVolume_matchesKubernetes() {
    String csi = "driver=pxd.portworx.com, volumeHandle=v";
    return Stream.of(
        row("id", Given.of("portworxVolume", "volumeID", "v"), readWriteOnce(csi)),
        row(
            "readOnly is omitted",
            Given.of("portworxVolume", "volumeID", "v", "fsType", "xfs", "readOnly", "true"),
            readWriteOnce(csi + ", fsType=xfs")),
        row(
            "secret without a namespace is ignored",
            Given.of("portworxVolume", "volumeID", "v")
                .annotations(InTreeVolumes.PORTWORX_SECRET, "s"),
            readWriteOnce(csi)),
        DynamicTest.dynamicTest(
            "secret",
            () ->
                assertThat(
                        translated(
                                Given.of("portworxVolume", "volumeID", "v")
                                    .annotations(
                                        InTreeVolumes.PORTWORX_SECRET,
                                        "s",
                                        InTreeVolumes.PORTWORX_SECRET_NAMESPACE,
                                        "n")
                                    .translate())
                            .secrets())
                    .hasSize(5)
                    .containsOnlyKeys(
                        "controllerPublishSecretRef",
                        "nodeStageSecretRef",
                        "nodePublishSecretRef",
                        "controllerExpandSecretRef",
                        "nodeExpandSecretRef")
                    .containsValue(new CsiVolume.Secret("s", "n"))),
        refusedRow("no id", Given.of("portworxVolume"), "portworxVolume has no volumeID"));
  }

  @Test
  void translate_typeNotMigrated_isNotMigrated() {
    for (VolumeSource source :
        List.of(VolumeSource.csi("d", "h"), VolumeSource.hostPath("/p"), VolumeSource.NONE)) {
      assertThat(InTreeVolumes.translate(new Pod.Inline("in", source), "ns"))
          .isEqualTo(new NotMigrated());
      assertThat(Given.of(source.type()).translate()).isEqualTo(new NotMigrated());
    }
    assertThat(
            InTreeVolumes.translate(
                new Pod.Inline(
                    "in", new VolumeSource("azureDisk", map("diskURI", "/u", "kind", "Shared"))),
                "ns"))
        .isInstanceOf(Refused.class);
  }
}
