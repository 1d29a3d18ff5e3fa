package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.OwnedKey;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.DriverFinding;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Repairs differences between driver and cluster where no data can be lost. */
public record OrphanRepair(String driver, CsiConnection connection, ClusterWriter writer) {
  public static final OwnedKey ORPHAN =
      OwnedKey.label(
          Kind.VOLUME,
          "mooring.dev/orphan",
          "marks volumes created for storage that only the driver had");

  public String repair(DriverFinding finding, Collection<Node> nodes) throws InterruptedException {
    return switch (finding) {
      case DriverFinding.UnknownVolume(String id, long bytes) -> quarantine(id, bytes);
      case DriverFinding.UnknownPublication(String _, String id, String node, String nodeId) ->
          isInUse(id, node, nodes)
              ? "not repaired: the kubelet of node " + node + " reports that it uses the volume"
              : unpublish(id, nodeId);
      case DriverFinding.MissingVolume _ ->
          "not repaired: its data is gone, or the driver does not list it; search the storage for it";
      case DriverFinding.LostPublication _ ->
          "not repaired: a running controller publishes it again, within --csi-reconcile-sync";
      case DriverFinding.UnknownNode _ ->
          "not repaired: the node may belong to another cluster; if the machine is gone, detach the volume from it in the storage";
      case DriverFinding.DanglingAttachment _ ->
          "not repaired: if the node no longer uses it, delete the VolumeAttachment";
    };
  }

  private boolean isInUse(String id, String node, Collection<Node> nodes) {
    String name = "kubernetes.io/csi/" + driver + "^" + id;
    return nodes.stream()
        .anyMatch(n -> n.meta().name().equals(node) && n.volumesInUse().contains(name));
  }

  private String unpublish(String id, String nodeId) {
    return switch (connection.unpublish(id, nodeId, DriverSecrets.NONE)) {
      case DriverReply.Ok<Done> _ -> "unpublished";
      case DriverReply.Refused<Done> refusal -> "not unpublished: " + refusal.text();
    };
  }

  // The volume may belong to another cluster. It gets a PersistentVolume that is never bound nor
  // deleted, so that a person can decide.
  private String quarantine(String id, long bytes) throws InterruptedException {
    String uid =
        UUID.nameUUIDFromBytes((driver + " " + id).getBytes(StandardCharsets.UTF_8)).toString();
    String name = "orphan-" + uid;
    Document object =
        Document.empty()
            .set(name, "metadata", "name")
            .set("true", "metadata", "labels", ORPHAN.text())
            .set(Long.toString(Math.max(1, bytes)), "spec", "capacity", "storage")
            .set(List.of("ReadWriteOnce"), "spec", "accessModes")
            .set("Retain", "spec", "persistentVolumeReclaimPolicy")
            .set(driver, "spec", "csi", "driver")
            .set(id, "spec", "csi", "volumeHandle")
            .set("PersistentVolumeClaim", "spec", "claimRef", "kind")
            .set("v1", "spec", "claimRef", "apiVersion")
            .set("default", "spec", "claimRef", "namespace")
            .set(name, "spec", "claimRef", "name")
            .set(uid, "spec", "claimRef", "uid");
    return switch (writer.create(Kind.VOLUME, ObjectKey.cluster(name), object)) {
      case WriteResult.Written<?> _, WriteResult.Conflict<?> _ ->
          "created PersistentVolume "
              + name
              + " with policy Retain; to destroy the storage, set the policy to Delete";
      case WriteResult.Rejected<?>(int code, String message) ->
          "no PersistentVolume was created: the API server refused it (" + code + "): " + message;
      case WriteResult.Unreachable<?>(String message) ->
          "no PersistentVolume was created: " + message;
      case WriteResult.Gone<?> _ -> "no PersistentVolume was created";
    };
  }
}
