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

/** spec/attachdetach.md 3: attach targets of a pod's volumes. */
class VolumeResolverTest {
  private static final String NS = AttachCluster.NS;

  private final AttachCluster cluster = new AttachCluster();
  private final VolumeResolver resolver = new VolumeResolver(cluster.caches(), LoadedPlugins.NONE);

  @Test
  void target_exclusivityFollowsAccessModes() {
    Map<String, Boolean> exclusive = new HashMap<>();
    for (List<String> modes :
        List.of(
            List.of("ReadWriteOnce"),
            List.of("ReadWriteOncePod"),
            List.of("ReadWriteOnce", "ReadOnlyMany"),
            List.of("ReadWriteMany"),
            List.<String>of())) {
      cluster.boundVolume(
          "v", VolumeSource.csi("d", "h-v"), Uid.NONE, modes.toArray(String[]::new));
      exclusive.put(
          String.join("+", modes),
          resolver.resolve(cluster.pod(NS, "p", "n1", "v")).targets().getFirst().exclusive());
    }
    assertThat(exclusive)
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

  private VolumeId idOf(VolumeSource source) {
    cluster.boundVolume("v", source, Uid.NONE, "ReadWriteOnce");
    VolumeResolver.ResolvedVolumes resolved = resolver.resolve(cluster.pod(NS, "p", "n1", "v"));
    return resolved.targets().isEmpty() ? new VolumeId("none") : resolved.targets().getFirst().id();
  }

  @Test
  void target_uniqueNames() {
    assertThat(idOf(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "aws://us/vol-1"))))
        .hasToString("kubernetes.io/csi/ebs.csi.aws.com^vol-1");
    assertThat(idOf(new VolumeSource("gcePersistentDisk", Map.of("pdName", "pd"))))
        .hasToString(
            "kubernetes.io/csi/pd.csi.storage.gke.io^projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd");
    assertThat(idOf(new VolumeSource("cinder", Map.of("volumeID", "c"))))
        .hasToString("kubernetes.io/csi/cinder.csi.openstack.org^c");
    assertThat(idOf(new VolumeSource("portworxVolume", Map.of("volumeID", "p"))))
        .hasToString("kubernetes.io/csi/pxd.portworx.com^p");
    assertThat(idOf(new VolumeSource("azureDisk", Map.of("diskName", "d", "diskURI", "/d"))))
        .hasToString("kubernetes.io/csi/disk.csi.azure.com^/d");
    assertThat(idOf(new VolumeSource("vsphereVolume", Map.of("volumePath", "[ds] v.vmdk"))))
        .hasToString("kubernetes.io/csi/csi.vsphere.vmware.com^[ds] v.vmdk");
    assertThat(idOf(new VolumeSource("cinder", Map.of()))).hasToString("none");
    assertThat(
            idOf(
                new VolumeSource(
                    "iscsi", Map.of("targetPortal", "10.0.0.1:3260", "iqn", "iqn.x", "lun", "2"))))
        .hasToString("kubernetes.io/iscsi/10.0.0.1:3260:iqn.x:2");
    assertThat(idOf(new VolumeSource("fc", Map.of("targetWWNs", "w1 w2"))))
        .hasToString("kubernetes.io/fc/[w1 w2]:0");
    assertThat(idOf(new VolumeSource("fc", Map.of("wwids", "x1 x2"))))
        .hasToString("kubernetes.io/fc/[x1 x2]");
    assertThat(idOf(VolumeSource.nfs("s", "/p"))).hasToString("none");
    assertThat(idOf(VolumeSource.hostPath("/p"))).hasToString("none");
  }

  @Test
  void resolve_inlineInTreeVolume_usesItsDriver() {
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
  void target_inTreeDiskWithSharedModes_staysExclusive() {
    VolumeSource disk = new VolumeSource("gcePersistentDisk", Map.of("pdName", "pd"));
    assertThat(isExclusive(disk, "ReadWriteOnce", "ReadOnlyMany")).isTrue();
    assertThat(isExclusive(disk, "ReadWriteMany")).isTrue();
    assertThat(isExclusive(disk)).isTrue();
    assertThat(isExclusive(disk, "ReadOnlyMany")).isFalse();
    VolumeSource other = new VolumeSource("cinder", Map.of("volumeID", "c"));
    assertThat(isExclusive(other, "ReadWriteMany")).as("only the GCE disk").isFalse();
  }

  @Test
  void target_untranslatableVolume_isNull() {
    assertThat(
            idOf(
                new VolumeSource(
                    "azureDisk", Map.of("diskName", "d", "diskURI", "/d", "kind", "Dedicated"))))
        .hasToString("none");
    assertThat(idOf(new VolumeSource("awsElasticBlockStore", Map.of("volumeID", "aws://us/disk"))))
        .hasToString("none");
  }

  private AttachTarget inline(String type, Map<String, String> attributes) {
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
  void resolve_inlineInTreeVolumes() {
    AttachTarget disk =
        inline("gcePersistentDisk", Map.of("pdName", "pd", "partition", "0", "readOnly", "true"));
    assertThat(disk.exclusive()).isFalse();
    assertThat(disk.inlineSpec())
        .extractingByKey("csi")
        .hasToString(
            "{driver=pd.csi.storage.gke.io, volumeHandle=projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd,"
                + " readOnly=true, volumeAttributes={partition=}}");
    AttachTarget portworx = inline("portworxVolume", Map.of("volumeID", "p", "readOnly", "true"));
    assertThat(portworx.exclusive()).isFalse();
    assertThat(portworx.inlineSpec())
        .extractingByKey("csi")
        .hasToString("{driver=pxd.portworx.com, volumeHandle=p}");
    assertThat(inline("azureDisk", Map.of("diskName", "d", "diskURI", "/u")).title())
        .isEqualTo("/u");
    assertThat(inline("vsphereVolume", Map.of("volumePath", "v")).inlineSpec())
        .extractingByKey("csi")
        .hasToString("{driver=csi.vsphere.vmware.com, volumeHandle=v}");
    AttachTarget share =
        inline(
            "azureFile",
            Map.of("secretName", "azure-storage-account-acc-secret", "shareName", "s"));
    assertThat(share.title()).isEqualTo("#acc#s#in#ns");
    assertThat(share.exclusive()).isFalse();
  }
}
