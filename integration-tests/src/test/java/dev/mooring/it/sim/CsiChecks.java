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

/** Invariants of the calls to a CSI driver, checked at each call. */
final class CsiChecks {
  private static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";

  private final SimServer server;
  private final Map<Uid, String> publications = new HashMap<>(); // by attachment
  private final DeletionChecks deletions;

  CsiChecks(SimServer server, DeletionChecks deletions) {
    this.server = server;
    this.deletions = deletions;
  }

  /** Creates volumes only for claims that exist. */
  void making(String name) {
    verify(
        server.all(Kind.CLAIM).stream().anyMatch(c -> name.equals("pvc-" + c.meta().uid())),
        name + " is made for a claim that is gone");
  }

  private List<Volume> volumesOf(CsiStorage.Item item) {
    return server.all(Kind.VOLUME).stream()
        .filter(v -> v.source().attribute("volumeHandle").equals(item.id))
        .toList();
  }

  /** Destroys data only if no claim has it. */
  void destroying(CsiStorage.Item item) {
    List<Volume> volumes = volumesOf(item);
    deletions.destroying(
        volumes.stream()
            .filter(volume -> volume.meta().isBeingDeleted())
            .findFirst()
            .orElse(volumes.isEmpty() ? null : volumes.getFirst()));
    for (Volume volume : volumes) {
      ClaimRef ref = volume.claimRef();
      Claim claim = ref == null ? null : server.find(Kind.CLAIM, ref.claim());
      verify(
          claim == null
              || !claim.meta().uid().equals(ref.uid())
              || !claim.volumeName().equals(volume.meta().name()),
          item + " is destroyed under " + claim);
    }
  }

  /** Returns whether the id is, or was, an id of the attachment's node. */
  private static boolean isOf(String nodeId, Attachment attachment) {
    String first = "id-" + attachment.nodeName();
    return nodeId.equals(first) || nodeId.startsWith(first + ".");
  }

  /** Publishes a volume only for an attachment, and on one machine at a time. */
  void publishing(CsiStorage.Item item, String nodeId) {
    verify(
        server.all(Kind.ATTACHMENT).stream()
            .filter(a -> isOf(nodeId, a))
            .anyMatch(a -> handleOf(a).equals(item.id) || recorded(a).equals(item.id)),
        item + " is published on " + nodeId + " for no attachment");
    verify(
        item.nodes.isEmpty() || item.nodes.contains(nodeId),
        item + " is to be published on " + nodeId + " as well");
  }

  /** Records the attachments for which the volume is published. */
  void published(CsiStorage.Item item, String nodeId) {
    server.all(Kind.ATTACHMENT).stream()
        .filter(a -> isOf(nodeId, a) && a.meta().annotation(NODE_ID).equals(nodeId))
        .filter(a -> recorded(a).equals(item.id))
        .forEach(a -> publications.put(a.meta().uid(), item.id + " on " + nodeId));
  }

  private static String recorded(Attachment attachment) {
    return attachment.meta().annotation("mooring.dev/volume-handle");
  }

  private String handleOf(Attachment attachment) {
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(attachment.volumeName()));
    return volume == null ? "" : volume.source().attribute("volumeHandle");
  }

  /** Unpublishes a volume only if no remaining attachment needs it there. */
  void unpublishing(CsiStorage.Item item, String nodeId) {
    String where = item.id + " on " + nodeId;
    verify(
        server.all(Kind.ATTACHMENT).stream()
            .filter(a -> where.equals(publications.get(a.meta().uid())))
            .allMatch(a -> a.meta().isBeingDeleted() || !a.attached()),
        item + " is taken from " + nodeId + ", where it is wanted");
  }
}
