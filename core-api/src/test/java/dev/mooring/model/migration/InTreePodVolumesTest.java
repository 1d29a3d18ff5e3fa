package dev.mooring.model.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Pod;
import dev.mooring.model.VolumeSource;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Expects the translation of inline volumes by csi-translation-lib in Kubernetes 1.36. */
class InTreePodVolumesTest extends InTreeVolumesFixture {
  private static DynamicTest inline(
      String type, Map<String, String> attributes, String name, String spec) {
    return DynamicTest.dynamicTest(
        type + " " + attributes,
        () -> {
          CsiVolume volume =
              translated(
                  InTreeVolumes.translate(
                      new Pod.Inline("in", new VolumeSource(type, attributes)), "ns"));
          assertThat(volume.name()).isEqualTo(name);
          assertThat(volume.spec()).hasToString(spec);
        });
  }

  private static String filesystem(String modes, String csi) {
    return "{accessModes=[" + modes + "], csi={" + csi + "}, volumeMode=Filesystem}";
  }

  @TestFactory
  Stream<DynamicTest> translate_inlineVolume_returnsCsiVolume() {
    String gce = gce("zones/UNSPECIFIED");
    return Stream.of(
        inline(
            "awsElasticBlockStore",
            map("volumeID", "aws://z/vol-1", "fsType", "xfs", "readOnly", "true"),
            "ebs.csi.aws.com-vol-1",
            filesystem(
                "ReadWriteOnce",
                "driver=ebs.csi.aws.com, volumeHandle=vol-1, readOnly=true, fsType=xfs, volumeAttributes={partition=0}")),
        inline(
            "gcePersistentDisk",
            map("pdName", "d"),
            "pd.csi.storage.gke.io-d",
            filesystem("ReadWriteOnce", gce + "volumeAttributes={partition=}")),
        inline(
            "gcePersistentDisk",
            map("pdName", "d", "readOnly", "true", "partition", "1"),
            "pd.csi.storage.gke.io-d",
            filesystem("ReadOnlyMany", gce + "readOnly=true, volumeAttributes={partition=1}")),
        inline(
            "cinder",
            map("volumeID", "v", "readOnly", "true"),
            "cinder.csi.openstack.org-v",
            filesystem(
                "ReadWriteOnce", "driver=cinder.csi.openstack.org, volumeHandle=v, readOnly=true")),
        inline(
            "azureDisk",
            map("diskName", "d", "diskURI", "/u", "cachingMode", "None", "fsType", "xfs"),
            "/u",
            filesystem(
                "ReadWriteOnce",
                "driver=disk.csi.azure.com, volumeHandle=/u, fsType=xfs, volumeAttributes={cachingmode=None, fstype=xfs, kind=Managed}")),
        inline(
            "vsphereVolume",
            map("volumePath", "v", "storagePolicyName", "gold"),
            "csi.vsphere.vmware.com-v",
            filesystem(
                "ReadWriteOnce",
                "driver=csi.vsphere.vmware.com, volumeHandle=v, volumeAttributes={storagepolicyname=gold}")),
        inline(
            "portworxVolume",
            map("volumeID", "v"),
            "pxd.portworx.com-v",
            filesystem("ReadWriteOnce", "driver=pxd.portworx.com, volumeHandle=v")),
        inline(
            "portworxVolume",
            map("volumeID", "v", "fsType", "xfs", "readOnly", "true"),
            "pxd.portworx.com-v",
            filesystem("ReadOnlyMany", "driver=pxd.portworx.com, volumeHandle=v, fsType=xfs")),
        DynamicTest.dynamicTest(
            "azureFile",
            () -> {
              CsiVolume volume =
                  translated(
                      InTreeVolumes.translate(
                          new Pod.Inline(
                              "in",
                              new VolumeSource(
                                  "azureFile", map("secretName", "x", "shareName", "s"))),
                          "ns"));
              assertThat(volume.name()).isEqualTo("#x#s#in#ns").isEqualTo(volume.handle());
              assertThat(volume.accessModes()).hasToString("ReadWriteMany");
              assertThat(volume.secrets())
                  .containsOnly(Map.entry("nodeStageSecretRef", new CsiVolume.Secret("x", "ns")));
              assertThat(volume.attributes()).containsOnly(Map.entry("sharename", "s"));
            }));
  }
}
