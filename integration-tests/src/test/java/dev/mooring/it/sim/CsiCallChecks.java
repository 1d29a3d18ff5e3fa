package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Invariants of calls to the CSI driver, checked at every call.
 *
 * <p>Invariant: no volume is created for a deleted claim, or destroyed while its claim is bound to
 * it.
 *
 * <p>Invariant: a volume is published for an attachment and to one node at a time, and unpublished
 * only when its attachment is deleted or not attached.
 */
final class CsiCallChecks {
  private static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";

  private final SimServer server;
  private final Map<Uid, String> publications = new HashMap<>(); // by attachment
  private final DeletionChecks deletions;
  private final Map<String, Volume> sentDeletions = new HashMap<>();

  CsiCallChecks(SimServer server, DeletionChecks deletions) {
    this.server = server;
    this.deletions = deletions;
  }

  /** Invariant: a volume is created only for an existing claim. */
  void onCreate(String name) {
    verify(
        server.list(Kind.CLAIM).stream().anyMatch(c -> name.equals("pvc-" + c.meta().uid())),
        name + " is created for a claim that does not exist");
  }

  private List<Volume> volumesOf(String id) {
    return server.list(Kind.VOLUME).stream()
        .filter(v -> v.source().attribute("volumeHandle").equals(id))
        .toList();
  }

  /** Records which deletion a DeleteVolume call carries out. Later writes do not forbid it. */
  void onDeleteSent(String id) {
    Optional<Volume> deleted = findDeleted(volumesOf(id)).filter(deletions::isCommitted);
    deleted.ifPresentOrElse(
        volume -> sentDeletions.put(id, volume), () -> sentDeletions.remove(id));
  }

  private static Optional<Volume> findDeleted(List<Volume> volumes) {
    return volumes.stream().filter(volume -> volume.meta().isBeingDeleted()).findFirst();
  }

  /** Invariant: storage is destroyed only if no claim is bound to its volume. */
  void onDestroy(CsiDriverStorage.StoredVolume item) {
    List<Volume> volumes = volumesOf(item.id);
    Volume deletedVolume = sentDeletions.remove(item.id);
    if (deletedVolume != null) {
      deletions.onDestroy(deletedVolume, true);
    } else {
      deletions.onDestroy(
          findDeleted(volumes).orElse(volumes.isEmpty() ? null : volumes.getFirst()));
    }
    for (Volume volume : volumes) {
      ClaimRef ref = volume.claimRef();
      Claim claim = ref == null ? null : server.find(Kind.CLAIM, ref.claim());
      verify(
          claim == null
              || !claim.meta().uid().equals(ref.uid())
              || !claim.volumeName().equals(volume.meta().name()),
          item + " is destroyed although it is bound to " + claim);
    }
  }

  /** Returns whether the ID is or was the ID of the attachment's node. */
  private static boolean isOf(String nodeId, Attachment attachment) {
    String firstNodeId = "id-" + attachment.nodeName();
    return nodeId.equals(firstNodeId) || nodeId.startsWith(firstNodeId + ".");
  }

  /** Invariant: a volume is published only for an attachment, and to one node at a time. */
  void onPublish(CsiDriverStorage.StoredVolume item, String nodeId) {
    verify(
        server.list(Kind.ATTACHMENT).stream()
            .filter(a -> isOf(nodeId, a))
            .anyMatch(a -> handleOf(a).equals(item.id) || recordedHandle(a).equals(item.id)),
        item + " is published on " + nodeId + " without an attachment");
    verify(
        item.nodes.isEmpty() || item.nodes.contains(nodeId),
        item + " is published to a second node, " + nodeId);
  }

  /** Records the attachments for which the volume was published. */
  void recordPublication(CsiDriverStorage.StoredVolume item, String nodeId) {
    server.list(Kind.ATTACHMENT).stream()
        .filter(a -> isOf(nodeId, a) && a.meta().annotation(NODE_ID).equals(nodeId))
        .filter(a -> recordedHandle(a).equals(item.id))
        .forEach(a -> publications.put(a.meta().uid(), item.id + " on " + nodeId));
  }

  private static String recordedHandle(Attachment attachment) {
    return attachment.meta().annotation("mooring.dev/volume-handle");
  }

  private String handleOf(Attachment attachment) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(attachment.volumeName()));
    return volume == null ? "" : volume.source().attribute("volumeHandle");
  }

  /** Invariant: no volume is unpublished whose attachment is attached and not being deleted. */
  void onUnpublish(CsiDriverStorage.StoredVolume item, String nodeId) {
    String publication = item.id + " on " + nodeId;
    verify(
        server.list(Kind.ATTACHMENT).stream()
            .filter(a -> publication.equals(publications.get(a.meta().uid())))
            .allMatch(a -> a.meta().isBeingDeleted() || !a.attached()),
        item + " is unpublished from " + nodeId + ", where an attachment needs it");
  }
}
