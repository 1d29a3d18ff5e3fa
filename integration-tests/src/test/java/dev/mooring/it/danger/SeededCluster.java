package dev.mooring.it.danger;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.manager.simulate.CopiedObject;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** A cluster of up to 12 objects that a seed determines. Claim {@code shop/data} has a volume. */
final class SeededCluster {
  static final ObjectKey CLAIM = ObjectKey.of("shop", "data-db-0");

  private static final List<String> POLICIES = List.of("Delete", "Retain", "Retain", "Recycle");

  /** Shapes that the simulated provisioner treats like the controllers. */
  enum Shapes {
    ALL,
    SIMULATED
  }

  private final Random random;
  private final Shapes shapes;
  private final List<CopiedObject> objects = new ArrayList<>();

  private SeededCluster(int seed, Shapes shapes) {
    this.random = new Random(seed);
    this.shapes = shapes;
  }

  static List<CopiedObject> of(int seed, Shapes shapes) {
    SeededCluster cluster = new SeededCluster(seed, shapes);
    cluster.create();
    return cluster.objects;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String uid() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  private JsonObject add(ResourceType type, String json) {
    JsonObject tree = JsonParser.parseString(json).getAsJsonObject();
    JsonObject metadata = tree.getAsJsonObject("metadata");
    if (!metadata.has("uid")) {
      metadata.addProperty("uid", uid());
    }
    metadata.addProperty("creationTimestamp", "2026-01-01T00:00:00Z");
    objects.add(new CopiedObject(type, tree, "seed"));
    return tree;
  }

  private void create() {
    add(
        KindCatalogue.NAMESPACES,
        "{'metadata': {'name': 'shop'}, 'spec': {'finalizers': ['kubernetes']}, 'status': {'phase': 'Active'}}");
    int nodes = 1 + random.nextInt(2);
    for (int i = 1; i <= nodes; i++) {
      add(
          KindCatalogue.NODES,
          "{'metadata': {'name': 'n%d'}, 'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}}"
              .formatted(i));
    }
    boolean isSimulated = shapes == Shapes.SIMULATED;
    JsonObject storageClass =
        add(
            KindCatalogue.CLASSES,
            "{'metadata': {'name': 'fast'}, 'provisioner': 'csi.example.com', 'reclaimPolicy': 'Delete', 'volumeBindingMode': 'Immediate'}");
    if (!isSimulated && chance(20)) {
      annotate(storageClass, "mooring.dev/deletion-delay", "72h");
    }
    String claimUid = uid();
    String volume = "pvc-" + claimUid;
    String policy = POLICIES.get(random.nextInt(isSimulated ? 3 : 4));
    createVolume(volume, claimUid, "data-db-0", policy);
    String ownerUid = uid();
    boolean hasSet = chance(40);
    JsonObject claim = createClaim("data-db-0", claimUid, volume);
    if (hasSet && chance(20)) {
      own(claim, "StatefulSet", "db", ownerUid);
    }
    if (chance(25)) {
      finalize(claim, "example.com/hold");
    }
    if (hasSet) {
      createSet(ownerUid);
      own(createPod("db-0", "n1"), "StatefulSet", "db", ownerUid);
    } else if (chance(50)) {
      createPod("web", chance(80) ? "n1" : "");
    }
    if (chance(15)) {
      createPod("job", "n1");
    }
    if (!isSimulated && chance(20)) {
      String otherUid = uid();
      createVolume("copy", otherUid, "other", POLICIES.get(random.nextInt(3)));
      share(volume);
      createClaim("other", otherUid, "copy");
    }
  }

  private void share(String volume) {
    JsonObject original = find("persistentvolume", volume);
    JsonObject copy = find("persistentvolume", "copy");
    JsonObject spec = copy.getAsJsonObject("spec");
    List.of("csi", "hostPath", "nfs").forEach(spec::remove);
    for (String source : List.of("csi", "hostPath", "nfs")) {
      if (original.getAsJsonObject("spec").has(source)) {
        spec.add(source, original.getAsJsonObject("spec").get(source).deepCopy());
      }
    }
  }

  private JsonObject find(String kind, String name) {
    return objects.stream()
        .filter(object -> object.type().singular().equals(kind))
        .map(CopiedObject::tree)
        .filter(tree -> tree.getAsJsonObject("metadata").get("name").getAsString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void createVolume(String name, String claimUid, String claim, String policy) {
    JsonObject volume =
        add(
            KindCatalogue.VOLUMES,
            "{'metadata': {'name': '%s', 'finalizers': ['kubernetes.io/pv-protection']}, 'spec': {'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], 'persistentVolumeReclaimPolicy': '%s', 'storageClassName': 'fast', 'volumeMode': 'Filesystem', 'claimRef': {'kind': 'PersistentVolumeClaim', 'namespace': 'shop', 'name': '%s', 'uid': '%s'}}, 'status': {'phase': 'Bound'}}"
                .formatted(name, policy, claim, claimUid));
    JsonObject spec = volume.getAsJsonObject("spec");
    int origin = policy.equals("Recycle") ? 2 : shapes == Shapes.SIMULATED ? 0 : random.nextInt(3);
    switch (origin) {
      case 0 -> {
        annotate(volume, "pv.kubernetes.io/provisioned-by", "csi.example.com");
        spec.add(
            "csi",
            JsonParser.parseString(
                "{'driver': 'csi.example.com', 'volumeHandle': 'h-%s'}".formatted(name)));
        if (policy.equals("Delete")) {
          finalize(volume, "external-provisioner.volume.kubernetes.io/finalizer");
        }
      }
      case 1 -> {
        annotate(volume, "pv.kubernetes.io/provisioned-by", "kubernetes.io/host-path");
        spec.add("hostPath", JsonParser.parseString("{'path': '/tmp/%s'}".formatted(name)));
      }
      default -> {
        annotate(volume, "pv.kubernetes.io/bound-by-controller", "yes");
        spec.add("nfs", JsonParser.parseString("{'server': 's', 'path': '/%s'}".formatted(name)));
      }
    }
    if (shapes == Shapes.ALL && chance(15)) {
      annotate(volume, "mooring.dev/deletion-delay", chance(50) ? "24h" : "0");
    }
  }

  private JsonObject createClaim(String name, String uid, String volume) {
    return add(
        KindCatalogue.CLAIMS,
        "{'metadata': {'name': '%s', 'namespace': 'shop', 'uid': '%s', 'finalizers': ['kubernetes.io/pvc-protection'], 'annotations': {'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes'}}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'fast', 'volumeMode': 'Filesystem', 'volumeName': '%s', 'resources': {'requests': {'storage': '1Gi'}}}, 'status': {'phase': 'Bound', 'accessModes': ['ReadWriteOnce'], 'capacity': {'storage': '1Gi'}}}"
            .formatted(name, uid, volume));
  }

  private void createSet(String uid) {
    add(
        KindCatalogue.STATEFUL_SETS,
        "{'metadata': {'name': 'db', 'namespace': 'shop', 'uid': '%s'}, 'spec': {'replicas': 1, 'serviceName': 'db', 'selector': {'matchLabels': {'app': 'db'}}, 'template': {'metadata': {'labels': {'app': 'db'}}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}]}}, 'volumeClaimTemplates': [{'metadata': {'name': 'data'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'fast', 'resources': {'requests': {'storage': '1Gi'}}}}], 'updateStrategy': {'type': 'OnDelete'}}, 'status': {'replicas': 1}}"
            .formatted(uid));
  }

  private JsonObject createPod(String name, String node) {
    String assigned = node.isEmpty() ? "" : ", 'nodeName': '" + node + "'";
    return add(
        KindCatalogue.PODS,
        "{'metadata': {'name': '%s', 'namespace': 'shop', 'labels': {'app': 'db'}}, 'spec': {'containers': [{'name': 'c', 'image': 'i'}], 'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'data-db-0'}}], 'nodeSelector': {%s}%s}, 'status': {'phase': '%s', 'conditions': [{'type': 'Ready', 'status': 'True'}], 'containerStatuses': [{'name': 'c', 'ready': true, 'state': {'running': {}}}]}}"
            .formatted(
                name,
                node.isEmpty() ? "'never': 'matches'" : "",
                assigned,
                node.isEmpty() ? "Pending" : "Running"));
  }

  private static void own(JsonObject object, String kind, String name, String uid) {
    JsonArray owners = new JsonArray();
    owners.add(
        JsonParser.parseString(
            "{'apiVersion': 'apps/v1', 'kind': '%s', 'name': '%s', 'uid': '%s', 'controller': true, 'blockOwnerDeletion': true}"
                .formatted(kind, name, uid)));
    object.getAsJsonObject("metadata").add("ownerReferences", owners);
  }

  private static void annotate(JsonObject object, String name, String value) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    if (!metadata.has("annotations")) {
      metadata.add("annotations", new JsonObject());
    }
    metadata.getAsJsonObject("annotations").addProperty(name, value);
  }

  private static void finalize(JsonObject object, String name) {
    JsonObject metadata = object.getAsJsonObject("metadata");
    if (!metadata.has("finalizers")) {
      metadata.add("finalizers", new JsonArray());
    }
    metadata.getAsJsonArray("finalizers").add(name);
  }
}
