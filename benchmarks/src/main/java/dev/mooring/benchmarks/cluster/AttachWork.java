package dev.mooring.benchmarks.cluster;

import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Attaches the volume of a pod per unit, on ten nodes; the driver answers at once. */
final class AttachWork extends ClusterWork {
  private static final int NODES = 10;

  private final UnitRequests requests = new UnitRequests(option());

  AttachWork() {
    super("attach", "attachments", Set.of(AttachDetachController.NAME));
  }

  private static String node(int unit) {
    return TestCluster.PREFIX + "node-" + unit % NODES;
  }

  private String uniqueName(int unit) {
    return "kubernetes.io/csi/" + TestCluster.DRIVER + "^" + requests.name(unit);
  }

  @Override
  void createShared(TestCluster cluster) throws InterruptedException {
    cluster.forEach(
        NODES,
        i ->
            cluster.create(
                Kind.NODE,
                node(i),
                Document.empty()
                    .set(
                        "true", "metadata",
                        "annotations", "volumes.kubernetes.io/controller-managed-attach-detach")));
  }

  @Override
  void prepare(TestCluster cluster, int unit) throws InterruptedException {
    requests.createVolume(cluster, unit, UnitRequests.SMALL);
    requests.createClaim(cluster, unit, UnitRequests.SMALL);
    requests.bind(cluster, unit, UnitRequests.SMALL);
  }

  @Override
  void request(TestCluster cluster, int unit) throws InterruptedException {
    requests.createPod(cluster, unit, node(unit));
  }

  /**
   * Returns whether the node status lists the volume as attached, so that the kubelet may mount it.
   */
  @Override
  boolean isDone(TestCluster cluster, int unit) {
    return cluster
        .nodes
        .get(ObjectKey.cluster(node(unit)))
        .filter(node -> node.volumesAttached().containsKey(uniqueName(unit)))
        .isPresent();
  }

  @Override
  void writeDirectly(TestCluster cluster, int unit) throws InterruptedException {
    cluster.create(
        Kind.ATTACHMENT,
        requests.name(unit),
        Document.empty()
            .set(TestCluster.DRIVER, "spec", "attacher")
            .set(node(unit), "spec", "nodeName")
            .set(requests.name(unit), "spec", "source", "persistentVolumeName"));
  }

  /** Writes the status of each node once: the minimum number of writes. */
  @Override
  void writeCombined(TestCluster cluster, List<Integer> units) throws InterruptedException {
    Map<String, List<Map<String, String>>> attached = new HashMap<>();
    for (int unit : units) {
      attached
          .computeIfAbsent(node(unit), node -> new ArrayList<>())
          .add(Map.of("name", uniqueName(unit), "devicePath", ""));
    }
    for (Map.Entry<String, List<Map<String, String>>> node : attached.entrySet()) {
      cluster.patchStatus(
          Kind.NODE,
          node.getKey(),
          Document.empty().set(node.getValue(), "status", "volumesAttached"));
    }
  }
}
