package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.OwnMark;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Finding;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Does what can be done about findings without losing anything. */
public record Mending(String driver, CsiConnection connection, ClusterWriter writer) {
  /** Label of volumes that were made for what a driver holds and no object named. */
  public static final OwnMark ORPHAN =
      OwnMark.label(
          Kind.VOLUME,
          "mooring.dev/orphan",
          "people find volumes by it that a driver holds and no object named");

  /**
   * Mends it, if it can be; says what was done, or what a person has to do.
   *
   * @param nodes every Node, as the server has them now
   */
  public String mend(Finding finding, Collection<Node> nodes) throws InterruptedException {
    return switch (finding) {
      case Finding.UnknownVolume(String id, long bytes) -> quarantine(id, bytes);
      case Finding.UnknownPublication(String _, String id, String node, String nodeId) ->
          isInUse(id, node, nodes)
              ? "nothing is done: the kubelet of node " + node + " reports that it uses the volume"
              : unpublish(id, nodeId);
      case Finding.MissingVolume _ ->
          "nothing is done: its data is gone, or the driver does not list it; look for it in the storage";
      case Finding.LostPublication _ ->
          "nothing is done: a running bridge publishes it again, within --csi-reconcile-sync";
      case Finding.UnknownNode _ ->
          "nothing is done: the node may belong to another cluster; if the machine is gone, detach the volume from it in the storage";
      case Finding.DanglingAttachment _ ->
          "nothing is done: if the node does not use it any more, delete the VolumeAttachment";
    };
  }

  private boolean isInUse(String id, String node, Collection<Node> nodes) {
    String name = "kubernetes.io/csi/" + driver + "^" + id;
    return nodes.stream()
        .anyMatch(n -> n.meta().name().equals(node) && n.volumesInUse().contains(name));
  }

  private String unpublish(String id, String nodeId) {
    return switch (connection.unpublish(id, nodeId, Secrets.NONE)) {
      case Reply.Ok<Done> _ -> "taken back";
      case Reply.Refused<Done> refused -> "not taken back: " + refused.text();
    };
  }

  /**
   * Nobody can tell whether it is this cluster's: it gets a PersistentVolume that nothing binds and
   * nothing destroys, so that a person sees it and decides.
   */
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
          "it has PersistentVolume "
              + name
              + " now, which keeps it: set its reclaim policy to Delete to destroy it";
      case WriteResult.Rejected<?>(int code, String message) ->
          "it was not given a PersistentVolume: the server refused it (" + code + "): " + message;
      case WriteResult.Unreachable<?>(String message) ->
          "it was not given a PersistentVolume: " + message;
      case WriteResult.Gone<?> _ -> "it was not given a PersistentVolume";
    };
  }
}
