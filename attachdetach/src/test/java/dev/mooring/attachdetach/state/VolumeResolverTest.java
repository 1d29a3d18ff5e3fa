package dev.mooring.attachdetach.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.TestObjects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attach targets of a pod's volumes. */
class VolumeResolverTest {
  private static final String NS = AttachCluster.NS;

  private final AttachCluster cluster = new AttachCluster();
  private final VolumeResolver resolver = new VolumeResolver(cluster.caches(), LoadedPlugins.NONE);

  @Test
  void resolve_accessModes_determineExclusivity() {
    Map<String, Boolean> exclusiveByModes = new HashMap<>();
    for (List<String> modes :
        List.of(
            List.of("ReadWriteOnce"),
            List.of("ReadWriteOncePod"),
            List.of("ReadWriteOnce", "ReadOnlyMany"),
            List.of("ReadWriteMany"),
            List.<String>of())) {
      cluster.boundVolume(
          "v", VolumeSource.csi("d", "h-v"), Uid.NONE, modes.toArray(String[]::new));
      exclusiveByModes.put(
          String.join("+", modes),
          resolver.resolve(cluster.pod(NS, "p", "n1", "v")).targets().getFirst().exclusive());
    }
    assertThat(exclusiveByModes)
        .isEqualTo(
            Map.of(
                "ReadWriteOnce",
                true,
                "ReadWriteOncePod",
                true,
                "ReadWriteOnce+ReadOnlyMany",
                false,
                "ReadWriteMany",
                false,
                "",
                false));
  }

  private VolumeId findId(VolumeSource source) {
    cluster.boundVolume("v", source, Uid.NONE, "ReadWriteOnce");
    VolumeResolver.ResolvedVolumes resolved = resolver.resolve(cluster.pod(NS, "p", "n1", "v"));
    return resolved.targets().isEmpty() ? new VolumeId("none") : resolved.targets().getFirst().id();
  }

  @Test
  void resolve_volumeSources_haveUniqueNames() {
    assertThat(
            findId(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "aws://us/vol-1"))))
        .hasToString("kubernetes.io/csi/ebs.csi.aws.com^vol-1");
    assertThat(findId(new VolumeSource("gcePersistentDisk", Map.of("pdName", "pd"))))
        .hasToString(
            "kubernetes.io/csi/pd.csi.storage.gke.io^projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd");
    assertThat(findId(new VolumeSource("cinder", Map.of("volumeID", "c"))))
        .hasToString("kubernetes.io/csi/cinder.csi.openstack.org^c");
    assertThat(findId(new VolumeSource("portworxVolume", Map.of("volumeID", "p"))))
        .hasToString("kubernetes.io/csi/pxd.portworx.com^p");
    assertThat(findId(new VolumeSource("azureDisk", Map.of("diskName", "d", "diskURI", "/d"))))
        .hasToString("kubernetes.io/csi/disk.csi.azure.com^/d");
    assertThat(findId(new VolumeSource("vsphereVolume", Map.of("volumePath", "[ds] v.vmdk"))))
        .hasToString("kubernetes.io/csi/csi.vsphere.vmware.com^[ds] v.vmdk");
    assertThat(findId(new VolumeSource("cinder", Map.of()))).hasToString("none");
    assertThat(
            findId(
                new VolumeSource(
                    "iscsi", Map.of("targetPortal", "10.0.0.1:3260", "iqn", "iqn.x", "lun", "2"))))
        .hasToString("kubernetes.io/iscsi/10.0.0.1:3260:iqn.x:2");
    assertThat(findId(new VolumeSource("fc", Map.of("targetWWNs", "w1 w2"))))
        .hasToString("kubernetes.io/fc/[w1 w2]:0");
    assertThat(findId(new VolumeSource("fc", Map.of("wwids", "x1 x2"))))
        .hasToString("kubernetes.io/fc/[x1 x2]");
    assertThat(findId(VolumeSource.nfs("s", "/p"))).hasToString("none");
    assertThat(findId(VolumeSource.hostPath("/p"))).hasToString("none");
  }

  @Test
  void resolve_inlineInTreeVolume_usesCsiDriver() {
    Pod plain = cluster.pod(NS, "q", "uid-q", "n1", Pod.Phase.RUNNING);
    Pod pod =
        TestObjects.pod(plain.meta())
            .nodeName("n1")
            .inline(
                List.of(
                    new Pod.Inline(
                        "in",
                        new VolumeSource(
                            "awsElasticBlockStore", Map.of("volumeID", "vol-b", "fsType", "xfs")))))
            .phase(Pod.Phase.RUNNING)
            .build();
    var target = resolver.resolve(pod).targets().getFirst();
    assertThat(target.title()).isEqualTo("ebs.csi.aws.com-vol-b");
    assertThat(target.exclusive()).isTrue();
    assertThat(target.inlineSpec())
        .containsEntry("volumeMode", "Filesystem")
        .extractingByKey("csi")
        .isEqualTo(
            Map.of(
                "driver",
                "ebs.csi.aws.com",
                "volumeHandle",
                "vol-b",
                "fsType",
                "xfs",
                "volumeAttributes",
                Map.of("partition", "0")));
  }

  private boolean isExclusive(VolumeSource source, String... modes) {
    cluster.boundVolume("v", source, Uid.NONE, modes);
    return resolver.resolve(cluster.pod(NS, "p", "n1", "v")).targets().getFirst().exclusive();
  }

  /**
   * The in-tree plugin attached such disks for one writer, whatever their access modes; so does
   * CSI.
   */
  @Test
  void resolve_inTreeDiskWithSharedModes_isExclusive() {
    VolumeSource disk = new VolumeSource("gcePersistentDisk", Map.of("pdName", "pd"));
    assertThat(isExclusive(disk, "ReadWriteOnce", "ReadOnlyMany")).isTrue();
    assertThat(isExclusive(disk, "ReadWriteMany")).isTrue();
    assertThat(isExclusive(disk)).isTrue();
    assertThat(isExclusive(disk, "ReadOnlyMany")).isFalse();
    VolumeSource other = new VolumeSource("cinder", Map.of("volumeID", "c"));
    assertThat(isExclusive(other, "ReadWriteMany")).as("only the GCE disk").isFalse();
  }

  @Test
  void resolve_untranslatableVolume_returnsNoTarget() {
    assertThat(
            findId(
                new VolumeSource(
                    "azureDisk", Map.of("diskName", "d", "diskURI", "/d", "kind", "Dedicated"))))
        .hasToString("none");
    assertThat(
            findId(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "aws://us/disk"))))
        .hasToString("none");
  }

  private AttachTarget resolveInline(String type, Map<String, String> attributes) {
    Pod plain = cluster.pod(NS, "q", "uid-q", "n1", Pod.Phase.RUNNING);
    Pod pod =
        TestObjects.pod(plain.meta())
            .nodeName("n1")
            .inline(List.of(new Pod.Inline("in", new VolumeSource(type, attributes))))
            .phase(Pod.Phase.RUNNING)
            .build();
    return resolver.resolve(pod).targets().getFirst();
  }

  @Test
  void resolve_inlineInTreeVolumes_useCsiSpec() {
    AttachTarget disk =
        resolveInline(
            "gcePersistentDisk", Map.of("pdName", "pd", "partition", "0", "readOnly", "true"));
    assertThat(disk.exclusive()).isFalse();
    assertThat(disk.inlineSpec())
        .extractingByKey("csi")
        .hasToString(
            "{driver=pd.csi.storage.gke.io, volumeHandle=projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd,"
                + " readOnly=true, volumeAttributes={partition=}}");
    AttachTarget portworx =
        resolveInline("portworxVolume", Map.of("volumeID", "p", "readOnly", "true"));
    assertThat(portworx.exclusive()).isFalse();
    assertThat(portworx.inlineSpec())
        .extractingByKey("csi")
        .hasToString("{driver=pxd.portworx.com, volumeHandle=p}");
    assertThat(resolveInline("azureDisk", Map.of("diskName", "d", "diskURI", "/u")).title())
        .isEqualTo("/u");
    assertThat(resolveInline("vsphereVolume", Map.of("volumePath", "v")).inlineSpec())
        .extractingByKey("csi")
        .hasToString("{driver=csi.vsphere.vmware.com, volumeHandle=v}");
    AttachTarget share =
        resolveInline(
            "azureFile",
            Map.of("secretName", "azure-storage-account-acc-secret", "shareName", "s"));
    assertThat(share.title()).isEqualTo("#acc#s#in#ns");
    assertThat(share.exclusive()).isFalse();
  }
}
