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

/** A pod each, on ten nodes, with a bound claim; the driver needs no time. */
final class Attachments implements Work {
  private static final int NODES = 10;

  private final ByHand hand = new ByHand(option());

  @Override
  public String option() {
    return "attach";
  }

  @Override
  public String title() {
    return "attachments";
  }

  @Override
  public Set<String> controllers() {
    return Set.of(AttachDetachController.NAME);
  }

  private static String node(int unit) {
    return TestCluster.PREFIX + "node-" + unit % NODES;
  }

  private String unique(int unit) {
    return "kubernetes.io/csi/" + TestCluster.DRIVER + "^" + hand.name(unit);
  }

  @Override
  public void begin(TestCluster cluster) throws InterruptedException {
    cluster.each(
        NODES,
        i ->
            cluster.create(
                Kind.NODE,
                node(i),
                Document.empty()
                    .set(
                        "true",
                        "metadata",
                        "annotations",
                        "volumes.kubernetes.io/controller-managed-attach-detach")));
  }

  @Override
  public void prepare(TestCluster cluster, int unit) throws InterruptedException {
    hand.volume(cluster, unit, ByHand.SMALL);
    hand.claim(cluster, unit, ByHand.SMALL);
    hand.bind(cluster, unit, ByHand.SMALL);
  }

  @Override
  public void ask(TestCluster cluster, int unit) throws InterruptedException {
    hand.pod(cluster, unit, node(unit));
  }

  /** The kubelet of its node is told that it may mount the volume. */
  @Override
  public boolean isDone(TestCluster cluster, int unit) {
    return cluster
        .nodes
        .get(ObjectKey.cluster(node(unit)))
        .filter(node -> node.volumesAttached().containsKey(unique(unit)))
        .isPresent();
  }

  @Override
  public void bare(TestCluster cluster, int unit) throws InterruptedException {
    cluster.create(
        Kind.ATTACHMENT,
        hand.name(unit),
        Document.empty()
            .set(TestCluster.DRIVER, "spec", "attacher")
            .set(node(unit), "spec", "nodeName")
            .set(hand.name(unit), "spec", "source", "persistentVolumeName"));
  }

  /** Each node's list at once: nobody could do with fewer writes. */
  @Override
  public void bareEnd(TestCluster cluster, List<Integer> units) throws InterruptedException {
    Map<String, List<Map<String, String>>> attached = new HashMap<>();
    for (int unit : units) {
      attached
          .computeIfAbsent(node(unit), node -> new ArrayList<>())
          .add(Map.of("name", unique(unit), "devicePath", ""));
    }
    for (Map.Entry<String, List<Map<String, String>>> node : attached.entrySet()) {
      cluster.patchStatus(
          Kind.NODE,
          node.getKey(),
          Document.empty().set(node.getValue(), "status", "volumesAttached"));
    }
  }
}
