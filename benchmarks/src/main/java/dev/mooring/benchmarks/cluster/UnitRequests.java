package dev.mooring.benchmarks.cluster;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;

/**
 * Requests of users, administrators and controllers for the claims and volumes of one work. The
 * claim and the volume of a unit have the same name.
 */
final class UnitRequests {
  static final String SMALL = "1Gi";
  static final String LARGE = "2Gi";

  private static final List<String> PROVISIONED_FINALIZERS =
      List.of("kubernetes.io/pv-protection", "kubernetes.io/pv-controller");

  private static final String HOST_PATH = "kubernetes.io/host-path";

  private static final String DIRECTORIES = "/tmp/hostpath_pv/";

  private final String work;

  UnitRequests(String work) {
    this.work = work;
  }

  String name(int unit) {
    return TestCluster.PREFIX + work + "-" + unit;
  }

  private String className() {
    return TestCluster.PREFIX + work;
  }

  void createClass(TestCluster cluster) throws InterruptedException {
    cluster.create(
        Kind.STORAGE_CLASS,
        className(),
        Document.empty()
            .set(HOST_PATH, "provisioner")
            .set(true, "allowVolumeExpansion")
            .set("Delete", "reclaimPolicy"));
  }

  void createVolume(TestCluster cluster, int unit, String size) throws InterruptedException {
    cluster.create(
        Kind.VOLUME,
        name(unit),
        spec(size)
            .set("Retain", "spec", "persistentVolumeReclaimPolicy")
            .set(TestCluster.DRIVER, "spec", "csi", "driver")
            .set(name(unit), "spec", "csi", "volumeHandle"));
  }

  void createHostPathVolume(TestCluster cluster, int unit) throws InterruptedException {
    cluster.create(
        Kind.VOLUME,
        name(unit),
        spec(SMALL)
            .set(PROVISIONED_FINALIZERS, "metadata", "finalizers")
            .set(HOST_PATH, "metadata", "annotations", "pv.kubernetes.io/provisioned-by")
            .set("Delete", "spec", "persistentVolumeReclaimPolicy")
            .set(DIRECTORIES + name(unit), "spec", "hostPath", "path"));
  }

  private Document spec(String size) {
    return Document.empty()
        .set(size, "spec", "capacity", "storage")
        .set(List.of("ReadWriteOnce"), "spec", "accessModes")
        .set(className(), "spec", "storageClassName");
  }

  void createClaim(TestCluster cluster, int unit, String size) throws InterruptedException {
    cluster.create(
        Kind.CLAIM,
        name(unit),
        Document.empty()
            .set(List.of("ReadWriteOnce"), "spec", "accessModes")
            .set(className(), "spec", "storageClassName")
            .set(size, "spec", "resources", "requests", "storage"));
  }

  void bind(TestCluster cluster, int unit, String size) throws InterruptedException {
    String name = name(unit);
    Claim claim =
        cluster.patch(
            Kind.CLAIM,
            name,
            Document.empty()
                .set(name, "spec", "volumeName")
                .set("yes", "metadata", "annotations", "pv.kubernetes.io/bind-completed")
                .set("yes", "metadata", "annotations", "pv.kubernetes.io/bound-by-controller"));
    Uid uid = claim.meta().uid();
    cluster.patch(
        Kind.VOLUME,
        name,
        Document.empty()
            .set("yes", "metadata", "annotations", "pv.kubernetes.io/bound-by-controller")
            .set("v1", "spec", "claimRef", "apiVersion")
            .set("PersistentVolumeClaim", "spec", "claimRef", "kind")
            .set(TestCluster.NAMESPACE, "spec", "claimRef", "namespace")
            .set(name, "spec", "claimRef", "name")
            .set(uid.toString(), "spec", "claimRef", "uid"));
    cluster.patchStatus(Kind.VOLUME, name, Document.empty().set("Bound", "status", "phase"));
    cluster.patchStatus(
        Kind.CLAIM,
        name,
        Document.empty()
            .set("Bound", "status", "phase")
            .set(List.of("ReadWriteOnce"), "status", "accessModes")
            .set(size, "status", "capacity", "storage"));
  }

  boolean isBound(TestCluster cluster, int unit) {
    return cluster
        .claims
        .get(ObjectKey.of(TestCluster.NAMESPACE, name(unit)))
        .filter(claim -> claim.phase() == ClaimPhase.BOUND)
        .isPresent();
  }

  void createPod(TestCluster cluster, int unit, String node) throws InterruptedException {
    cluster.create(
        Kind.POD,
        name(unit),
        Document.empty()
            .set(node, "spec", "nodeName")
            .set(0, "spec", "terminationGracePeriodSeconds")
            .set(false, "spec", "automountServiceAccountToken")
            .set(List.of(Map.of("name", "c", "image", "none")), "spec", "containers")
            .set(
                List.of(
                    Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", name(unit)))),
                "spec",
                "volumes"));
  }
}
