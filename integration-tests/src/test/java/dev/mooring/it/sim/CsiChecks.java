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

/** What a CSI driver must never be asked for, whatever else happens: looked at when it is asked. */
final class CsiChecks {
  private static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";

  private final SimServer server;
  private final Map<Uid, String> publications = new HashMap<>(); // by attachment
  private final DeletionChecks deletions;

  CsiChecks(SimServer server, DeletionChecks deletions) {
    this.server = server;
    this.deletions = deletions;
  }

  /** Nothing is made for nobody. */
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

  /** Data goes only when no claim has it. */
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

  /** Whether the id is, or was, one of the node's. */
  private static boolean isOf(String nodeId, Attachment attachment) {
    String first = "id-" + attachment.nodeName();
    return nodeId.equals(first) || nodeId.startsWith(first + ".");
  }

  /** A volume is published only where an attachment asks for it, and on one machine at a time. */
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

  /** It was published for these attachments. */
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

  /** No attachment that stays has it there. */
  void unpublishing(CsiStorage.Item item, String nodeId) {
    String where = item.id + " on " + nodeId;
    verify(
        server.all(Kind.ATTACHMENT).stream()
            .filter(a -> where.equals(publications.get(a.meta().uid())))
            .allMatch(a -> a.meta().isBeingDeleted() || !a.attached()),
        item + " is taken from " + nodeId + ", where it is wanted");
  }
}
