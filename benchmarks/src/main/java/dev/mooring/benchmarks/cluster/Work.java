package dev.mooring.benchmarks.cluster;

import static dev.mooring.benchmarks.cluster.TestCluster.PREFIX;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What controllers have to do, how it is set up and seen, and how a bare client would do it. */
enum Work {
  /** Claims and volumes of one size. */
  BIND("static binds, equal sizes", "persistentvolume-binder") {
    @Override
    void prepare(TestCluster cluster, int count) throws InterruptedException {
      cluster.each(count, i -> volume(cluster, i, "1Gi"));
      cluster.each(count, i -> claim(cluster, i, "1Gi"));
    }

    @Override
    Set<String> done(TestCluster cluster) {
      return bound(cluster);
    }

    @Override
    void bare(TestCluster cluster, int count) throws InterruptedException {
      cluster.each(count, i -> bindByHand(cluster, i, "1Gi"));
    }
  },

  /** Each claim fits one volume best. */
  BIND_DISTINCT("static binds, distinct sizes", "persistentvolume-binder") {
    @Override
    void prepare(TestCluster cluster, int count) throws InterruptedException {
      cluster.each(count, i -> volume(cluster, i, size(i)));
      cluster.each(count, i -> claim(cluster, i, size(i)));
    }

    @Override
    Set<String> done(TestCluster cluster) {
      return bound(cluster);
    }

    @Override
    void bare(TestCluster cluster, int count) throws InterruptedException {
      cluster.each(count, i -> bindByHand(cluster, i, size(i)));
    }

    private String size(int number) {
      return 2 * number + 1 + "Mi"; // odd: the written form is the canonical one
    }
  },

  /** By the in-tree provisioner of directories. */
  PROVISION("hostPath provisions", "persistentvolume-binder") {
    @Override
    void prepare(TestCluster cluster, int count) throws InterruptedException {
      cluster.create(
          Kind.STORAGE_CLASS,
          CLASS,
          Document.empty()
              .set("kubernetes.io/host-path", "provisioner")
              .set("Delete", "reclaimPolicy"));
      cluster.each(count, i -> claim(cluster, i, "1Gi"));
    }

    @Override
    Set<String> done(TestCluster cluster) {
      return bound(cluster);
    }

    @Override
    void bare(TestCluster cluster, int count) throws InterruptedException {
      cluster.each(
          count,
          i -> {
            volume(cluster, i, "1Gi");
            bindByHand(cluster, i, "1Gi");
          });
    }
  },

  /** A pod each, on ten nodes. */
  ATTACH("attachments", "attachdetach") {
    @Override
    void prepare(TestCluster cluster, int count) throws InterruptedException {
      cluster.each(NODES, i -> node(cluster, i));
      cluster.each(
          count,
          i -> {
            volume(cluster, i, "1Gi");
            claim(cluster, i, "1Gi");
            bindByHand(cluster, i, "1Gi");
          });
      cluster.each(count, i -> pod(cluster, i));
    }

    @Override
    Set<String> done(TestCluster cluster) {
      Set<String> done = new HashSet<>();
      for (Node node : cluster.nodes.snapshot().all()) {
        node.volumesAttached().keySet().forEach(name -> done.add(after(name, '^')));
      }
      return done;
    }

    @Override
    void bare(TestCluster cluster, int count) throws InterruptedException {
      cluster.each(
          count,
          i ->
              cluster.create(
                  Kind.ATTACHMENT,
                  called(i),
                  Document.empty()
                      .set(TestCluster.DRIVER, "spec", "attacher")
                      .set(PREFIX + "node-" + i % NODES, "spec", "nodeName")
                      .set(called(i), "spec", "source", "persistentVolumeName")));
      // each node's list at once: nobody could do with fewer writes
      cluster.each(
          NODES,
          node -> {
            List<Map<String, String>> attached = new ArrayList<>();
            for (int i = node; i < count; i += NODES) {
              attached.add(Map.of("name", unique(called(i)), "devicePath", ""));
            }
            cluster.patchStatus(
                Kind.NODE,
                PREFIX + "node-" + node,
                Document.empty().set(attached, "status", "volumesAttached"));
          });
    }
  };

  private static final String CLASS = PREFIX + "class";
  private static final int NODES = 10;

  private final String title;
  private final String controller;

  Work(String title, String controller) {
    this.title = title;
    this.controller = controller;
  }

  /** What it is, for people. */
  String title() {
    return title;
  }

  /** The short name of the controller that does it. */
  String controller() {
    return controller;
  }

  /** The one of that name. */
  static Work named(String name) {
    for (Work work : values()) {
      if (work.option().equals(name)) {
        return work;
      }
    }
    throw new IllegalArgumentException(
        "--works knows no '"
            + name
            + "': there are "
            + String.join(", ", List.of(values()).stream().map(Work::option).toList()));
  }

  private String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Makes everything that has to be there before a controller begins. */
  abstract void prepare(TestCluster cluster, int count) throws InterruptedException;

  /** Which have come to their goal. */
  abstract Set<String> done(TestCluster cluster);

  /** Makes the same writes without deciding anything. */
  abstract void bare(TestCluster cluster, int count) throws InterruptedException;

  private static String called(int number) {
    return PREFIX + number;
  }

  private static String unique(String handle) {
    return "kubernetes.io/csi/" + TestCluster.DRIVER + "^" + handle;
  }

  private static String after(String text, char mark) {
    return text.substring(text.indexOf(mark) + 1);
  }

  private static void volume(TestCluster cluster, int number, String size)
      throws InterruptedException {
    cluster.create(
        Kind.VOLUME,
        called(number),
        Document.empty()
            .set(size, "spec", "capacity", "storage")
            .set(List.of("ReadWriteOnce"), "spec", "accessModes")
            .set("Retain", "spec", "persistentVolumeReclaimPolicy")
            .set(CLASS, "spec", "storageClassName")
            .set(TestCluster.DRIVER, "spec", "csi", "driver")
            .set(called(number), "spec", "csi", "volumeHandle"));
  }

  private static void claim(TestCluster cluster, int number, String size)
      throws InterruptedException {
    cluster.create(
        Kind.CLAIM,
        called(number),
        Document.empty()
            .set(List.of("ReadWriteOnce"), "spec", "accessModes")
            .set(CLASS, "spec", "storageClassName")
            .set(size, "spec", "resources", "requests", "storage"));
  }

  /** The four writes of a binding. */
  private static void bindByHand(TestCluster cluster, int number, String size)
      throws InterruptedException {
    String name = called(number);
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

  private static void node(TestCluster cluster, int number) throws InterruptedException {
    cluster.create(
        Kind.NODE,
        PREFIX + "node-" + number,
        Document.empty()
            .set(
                "true",
                "metadata",
                "annotations",
                "volumes.kubernetes.io/controller-managed-attach-detach"));
  }

  private static void pod(TestCluster cluster, int number) throws InterruptedException {
    cluster.create(
        Kind.POD,
        called(number),
        Document.empty()
            .set(PREFIX + "node-" + number % NODES, "spec", "nodeName")
            .set(0, "spec", "terminationGracePeriodSeconds")
            .set(false, "spec", "automountServiceAccountToken")
            .set(List.of(Map.of("name", "c", "image", "none")), "spec", "containers")
            .set(
                List.of(
                    Map.of(
                        "name", "v", "persistentVolumeClaim", Map.of("claimName", called(number)))),
                "spec",
                "volumes"));
  }

  private static Set<String> bound(TestCluster cluster) {
    Set<String> bound = new HashSet<>();
    for (Claim claim : cluster.claims.snapshot().all()) {
      if (claim.phase() == ClaimPhase.BOUND && claim.key().name().startsWith(PREFIX)) {
        bound.add(claim.key().name());
      }
    }
    return bound;
  }
}
