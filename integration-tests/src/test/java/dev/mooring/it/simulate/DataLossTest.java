package dev.mooring.it.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.it.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests the whole report of {@code mooring simulate} for changes that destroy data. */
@Isolated("replaces the standard streams")
class DataLossTest {
  private static final int DATA_LOSS = 4;

  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-1, uid: n1, annotations: {volumes.kubernetes.io/controller-managed-attach-detach: "true"}}
      status: {conditions: [{type: Ready, status: "True"}]}
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: shop, uid: s1}
      spec: {finalizers: [kubernetes]}
      status: {phase: Active}
      ---
      apiVersion: storage.k8s.io/v1
      kind: CSIDriver
      metadata: {name: csi.example.com, uid: d1}
      spec: {attachRequired: false}
      ---
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: fast, uid: sc1}
      provisioner: csi.example.com
      reclaimPolicy: Delete
      volumeBindingMode: Immediate
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: {name: pvc-91, uid: v1, finalizers: [kubernetes.io/pv-protection, external-provisioner.volume.kubernetes.io/finalizer], annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}}
      spec:
        capacity: {storage: 1Gi}
        accessModes: [ReadWriteOnce]
        storageClassName: fast
        persistentVolumeReclaimPolicy: Delete
        volumeMode: Filesystem
        csi: {driver: csi.example.com, volumeHandle: h-91}
        claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: shop, name: data, uid: c1}
      status: {phase: Bound}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: data, namespace: shop, uid: c1, finalizers: [kubernetes.io/pvc-protection], annotations: {pv.kubernetes.io/bind-completed: "yes", pv.kubernetes.io/bound-by-controller: "yes"}}
      spec: {accessModes: [ReadWriteOnce], storageClassName: fast, volumeMode: Filesystem, volumeName: pvc-91, resources: {requests: {storage: 1Gi}}}
      status: {phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}}
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: {name: daily, uid: vsc1, annotations: {mooring.dev/deletion-delay: 72h}}
      driver: csi.example.com
      deletionPolicy: Delete
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotContent
      metadata: {name: snapcontent-7, uid: sco7, finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]}
      spec:
        deletionPolicy: Delete
        driver: csi.example.com
        source: {volumeHandle: h-91}
        volumeSnapshotClassName: daily
        volumeSnapshotRef: {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, namespace: shop, name: monday, uid: s7}
      status: {snapshotHandle: snap-7, readyToUse: true, creationTime: 1790000000000000000, restoreSize: 1073741824}
      ---
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: {name: monday, namespace: shop, uid: s7, finalizers: [snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection, snapshot.storage.kubernetes.io/volumesnapshot-bound-protection]}
      spec: {volumeSnapshotClassName: daily, source: {persistentVolumeClaimName: data}}
      status: {boundVolumeSnapshotContentName: snapcontent-7, readyToUse: true, creationTime: "2026-09-21T08:00:00Z", restoreSize: 1Gi}
      """;

  private static final String BACKUP =
      """
      apiVersion: v1
      kind: PersistentVolume
      metadata: {name: NAME, annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}}
      spec:
        capacity: {storage: 1Gi}
        accessModes: [ReadWriteOnce]
        storageClassName: fast
        persistentVolumeReclaimPolicy: Delete
        csi: {driver: csi.example.com, volumeHandle: h-91}
        claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: shop, name: data, uid: before-the-restore}
      """;

  @TempDir private Path folder;

  private void assertReport(int code, String report, String... change) throws Exception {
    Path cluster = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
    List<String> args =
        new ArrayList<>(List.of("simulate", "--from=" + cluster, "-n", "shop", "--for=0s"));
    args.addAll(List.of(change));
    CommandResult result = CommandResult.ofCommand(args.toArray(String[]::new));
    assertThat(result.out()).startsWith(report);
    assertThat(result.out().substring(report.length()))
        .as("the rest is the number of writes and the assumptions")
        .matches("(?s)\\n\\d+ API writes?, the last after 0s of simulated time. Assumptions:\n.*");
    assertThat(result.code()).as(result.output()).isEqualTo(code);
  }

  private String writeBackup(String name) throws Exception {
    return Files.writeString(folder.resolve("backup.yaml"), BACKUP.replace("NAME", name))
        .toString();
  }

  @Test
  void deletedNamespace_volumeAndSnapshotWithDelete_areLost() throws Exception {
    assertReport(
        DATA_LOSS,
        """
        DATA DESTROYED: 1 volume, 1 snapshot
          persistentvolume pvc-91 (1Gi, class fast, claim shop/data): csi.example.com deletes it, because its claim is gone and its reclaim policy is Delete
          volumesnapshotcontent snapcontent-7 (class daily, snapshot shop/monday): csi.example.com deletes it, because its VolumeSnapshot is gone and its deletion policy is Delete

        Changes: 4 objects
          persistentvolumeclaim shop/data: gone
          persistentvolume pvc-91: gone
          volumesnapshotcontent snapcontent-7: gone
          volumesnapshot shop/monday: gone
        """,
        "--delete=namespace/shop");
  }

  @Test
  void deletedClaim_classWithDelete_losesVolume() throws Exception {
    assertReport(
        DATA_LOSS,
        """
        DATA DESTROYED: 1 volume
          persistentvolume pvc-91 (1Gi, class fast, claim shop/data): csi.example.com deletes it, because its claim is gone and its reclaim policy is Delete

        Changes: 2 objects
          persistentvolumeclaim shop/data: gone
          persistentvolume pvc-91: gone
        """,
        "--delete=pvc/data");
  }

  @Test
  void deletedSnapshot_contentWithDelete_losesSnapshot() throws Exception {
    assertReport(
        DATA_LOSS,
        """
        DATA DESTROYED: 1 snapshot
          volumesnapshotcontent snapcontent-7 (class daily, snapshot shop/monday): csi.example.com deletes it, because its VolumeSnapshot is gone and its deletion policy is Delete

        Changes: 2 objects
          volumesnapshotcontent snapcontent-7: gone
          volumesnapshot shop/monday: gone
        """,
        "--delete=volumesnapshot/monday");
  }

  @Test
  void restoredVolume_overLivingVolume_losesItsData() throws Exception {
    assertReport(
        DATA_LOSS,
        """
        DATA DESTROYED: 1 volume
          persistentvolume pvc-91 (1Gi, class fast, claim shop/data): csi.example.com deletes it, because its claimRef has the uid of an earlier claim and its reclaim policy is Delete

        Changes: 2 objects
          persistentvolumeclaim shop/data: Bound to pvc-91 1Gi -> Lost to pvc-91
          persistentvolume pvc-91: gone

        Waits because of the change:
        1 of 6 objects are waiting, for 1 cause:

        pvc/data in namespace shop: Lost: VolumeLost
          Cause   Bound claim has lost its PersistentVolume. Data on the volume is lost!
          To do   restore the PersistentVolume object, or create the claim again
        """,
        "-f",
        writeBackup("pvc-91"));
  }

  @Test
  void restoredVolume_besideLivingVolume_isKept() throws Exception {
    assertReport(
        0,
        """
        No data is destroyed.

        Changes: 1 object
          persistentvolume restored-91: new: Pending to shop/data 1Gi

        Waits because of the change:
        1 of 8 objects are waiting, for 1 cause:

        pv/restored-91: Pending: NeverBound
          Cause   the claim of the volume does not exist or has another volume, and the
                  volume is not Bound: it may contain data of an earlier use, so nothing
                  is destroyed (no claim shop/data with the uid in the claimRef exists,
                  and the volume is not Bound)
          To do   remove the uid from its claimRef to bind it to a claim of that name,
                  or the claimRef to make it available; set annotation
                  mooring.dev/never-bound=destroy to destroy its storage
        """,
        "-f",
        writeBackup("restored-91"));
  }

  /** kube-controller-manager, unlike Mooring, destroys the data of both volumes. */
  @Test
  void restoredVolume_besideLivingVolumeAndModeBeside_losesDataOfBoth() throws Exception {
    assertReport(
        DATA_LOSS,
        """
        DATA DESTROYED: 1 volume
          persistentvolume restored-91 (1Gi, class fast, claim shop/data): csi.example.com deletes it, because its claimRef has the uid of an earlier claim and its reclaim policy is Delete; it is also the data of persistentvolume pvc-91, claim shop/data

        Changes: 0 objects
        """,
        "--mode=beside",
        "-f",
        writeBackup("restored-91"));
  }
}
