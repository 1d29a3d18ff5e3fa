package dev.mooring.benchmarks.scale;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Fills a server with a cluster of attached volumes that needs no reconciliation. */
final class AttachedClusterFill {
  static final String DRIVER = "bench.example.com";
  static final int PER_NODE = 20;
  private static final String PADDING = "x".repeat(4000);

  private final ServerObjects objects;

  AttachedClusterFill(ObjectHandlers handlers) {
    this.objects = new ServerObjects(handlers);
  }

  static String attachmentName(int volume, int node) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(("h-" + volume + DRIVER + "n-" + node).getBytes(StandardCharsets.UTF_8));
      return "csi-" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String uniqueName(int volume) {
    return "kubernetes.io/csi/" + DRIVER + "^h-" + volume;
  }

  /**
   * Creates nodes with attached volumes.
   *
   * @param unusedPerNode volumes of each node that are not in use, so that they can be detached at
   *     once
   */
  void createNodes(int count, int unusedPerNode) throws StatusException {
    for (int n = 0; n < count; n++) {
      objects.create(
          KindCatalogue.NODES,
          "",
          "{'metadata': {'name': 'n-%d', 'annotations': {'volumes.kubernetes.io/controller-managed-attach-detach': 'true'}}}"
              .formatted(n));
      JsonObject status = objects.json("{'conditions': [{'type': 'Ready', 'status': 'True'}]}");
      JsonArray volumesAttached = new JsonArray();
      JsonArray volumesInUse = new JsonArray();
      for (int i = 0; i < PER_NODE; i++) {
        int volume = n * PER_NODE + i;
        createBoundVolume(volume);
        createPod("p-" + volume, volume, n);
        createAttachment(volume, n);
        JsonObject entry = new JsonObject();
        entry.addProperty("name", uniqueName(volume));
        entry.addProperty("devicePath", "");
        volumesAttached.add(entry);
        if (i >= unusedPerNode) {
          volumesInUse.add(uniqueName(volume));
        }
      }
      status.add("volumesAttached", volumesAttached);
      status.add("volumesInUse", volumesInUse);
      objects.setStatus(KindCatalogue.NODES, "", "n-" + n, status);
    }
  }

  void createNodesWithoutVolumes(int first, int count) throws StatusException {
    for (int n = first; n < first + count; n++) {
      objects.create(
          KindCatalogue.NODES,
          "",
          "{'metadata': {'name': 'n-%d', 'annotations': {'volumes.kubernetes.io/controller-managed-attach-detach': 'true'}}}"
              .formatted(n));
      objects.setStatus(
          KindCatalogue.NODES,
          "",
          "n-" + n,
          objects.json("{'conditions': [{'type': 'Ready', 'status': 'True'}]}"));
    }
  }

  void createBoundVolume(int number) throws StatusException {
    StoredObject claim =
        objects.create(
            KindCatalogue.CLAIMS,
            "default",
            "{'metadata': {'name': 'c-%1$d', 'finalizers': ['kubernetes.io/pvc-protection'], 'annotations': {'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes', 'volume.kubernetes.io/storage-provisioner': '%2$s'}}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '', 'volumeName': 'v-%1$d', 'resources': {'requests': {'storage': '1Gi'}}}}"
                .formatted(number, DRIVER));
    String uid = claim.tree().getAsJsonObject("metadata").get("uid").getAsString();
    objects.create(
        KindCatalogue.VOLUMES,
        "",
        "{'metadata': {'name': 'v-%1$d', 'finalizers': ['kubernetes.io/pv-protection', 'external-provisioner.volume.kubernetes.io/finalizer'], 'annotations': {'pv.kubernetes.io/provisioned-by': '%2$s'}}, 'spec': {'persistentVolumeReclaimPolicy': 'Delete', 'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'], 'csi': {'driver': '%2$s', 'volumeHandle': 'h-%1$d'}, 'claimRef': {'namespace': 'default', 'name': 'c-%1$d', 'uid': '%3$s'}}}"
            .formatted(number, DRIVER, uid));
    objects.setStatus(
        KindCatalogue.CLAIMS,
        "default",
        "c-" + number,
        objects.json(
            "{'phase': 'Bound', 'accessModes': ['ReadWriteOnce'], 'capacity': {'storage': '1Gi'}}"));
    objects.setStatus(KindCatalogue.VOLUMES, "", "v-" + number, objects.json("{'phase': 'Bound'}"));
  }

  void createPod(String name, int volume, int node) throws StatusException {
    objects.create(
        KindCatalogue.PODS,
        "default",
        "{'metadata': {'name': '%s'}, 'spec': {'nodeName': 'n-%d', 'containers': [{'name': 'c', 'image': 'i'}], 'volumes': [{'name': 'v', 'persistentVolumeClaim': {'claimName': 'c-%d'}}]}}"
            .formatted(name, node, volume));
  }

  void createPodWithoutVolumes(int number, int node) throws StatusException {
    objects.create(
        KindCatalogue.PODS,
        "default",
        "{'metadata': {'name': 'web-%1$d', 'labels': {'app': 'web-%1$d'}, 'annotations': {'example.com/config': '%3$s'}}, 'spec': {'nodeName': 'n-%2$d', 'containers': [{'name': 'c', 'image': 'i', 'env': [{'name': 'A', 'value': '%3$s'}]}], 'volumes': [{'name': 'v', 'configMap': {'name': 'web'}}]}}"
            .formatted(number, node, PADDING));
  }

  private void createAttachment(int volume, int node) throws StatusException {
    String name = attachmentName(volume, node);
    objects.create(
        KindCatalogue.ATTACHMENTS,
        "",
        "{'metadata': {'name': '%s'}, 'spec': {'attacher': '%s', 'nodeName': 'n-%d', 'source': {'persistentVolumeName': 'v-%d'}}}"
            .formatted(name, DRIVER, node, volume));
    markAttached(name);
  }

  void markAttached(String attachment) throws StatusException {
    objects.setStatus(
        KindCatalogue.ATTACHMENTS, "", attachment, objects.json("{'attached': true}"));
  }

  void deletePod(String name) throws StatusException {
    objects.handlers().delete(KindCatalogue.PODS, "default", name, WriteOptions.NOW);
  }
}
