package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.ContestCheck;
import dev.mooring.attachdetach.decide.ContestCheck.ContestVerdict;
import dev.mooring.attachdetach.decide.ContestedNodes;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Attachment;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Asks the server and the caches about contested volumes. Thread-safe; blocks. */
public record ContestQuestions(AttachViews views, VolumeResolver resolver, LiveReader reader) {
  // Asks whether the node has the volume, and none of the other contested nodes has it.
  ContestVerdict askHolder(VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested)
      throws InterruptedException {
    return LiveDecisions.decide(
        reader,
        LiveFacts.NONE,
        live -> ContestCheck.decide(id, facts(id, volume, node, contested), live));
  }

  // Asks whether a node that was known only from an attachment certainly lacks the volume.
  ContestVerdict askFound(VolumeId id, VolumeId.Csi volume, String node)
      throws InterruptedException {
    return LiveDecisions.decide(
        reader,
        LiveFacts.NONE,
        live -> ContestCheck.decideFound(id, other(id, volume, node), live));
  }

  private ContestCheck.ContestFacts facts(
      VolumeId id, VolumeId.Csi volume, String node, ContestedNodes contested) {
    List<ContestCheck.OtherNode> others =
        contested.nodes().stream()
            .filter(other -> !other.equals(node))
            .map(other -> other(id, volume, other))
            .toList();
    boolean byHand =
        hasAttachment(id, volume, one -> one.attached() && !one.nodeName().equals(node));
    return new ContestCheck.ContestFacts(volume.attachment(node), others, byHand);
  }

  private ContestCheck.OtherNode other(VolumeId id, VolumeId.Csi volume, String node) {
    return new ContestCheck.OtherNode(node, volume.attachment(node), views.isMounted(id, node));
  }

  boolean hasAnyAttachment(VolumeId id, VolumeId.Csi volume, String node) {
    return hasAttachment(id, volume, one -> one.nodeName().equals(node));
  }

  // Attachments of other clients may have any name; the cache contains all of them. An attachment
  // of the same driver with an unknown volume may be of this volume.
  private boolean hasAttachment(VolumeId id, VolumeId.Csi volume, Predicate<Attachment> condition) {
    for (Attachment one : views.caches().attachments().snapshot().all()) {
      if (one.attacher().equals(volume.driver()) && condition.test(one)) {
        AttachTarget target = resolver.target(one);
        if (target == null || target.id().equals(id)) {
          return true;
        }
      }
    }
    return false;
  }

  Optional<Attachment> cached(VolumeId.Csi volume, String node) {
    return views.caches().attachments().get(volume.attachment(node));
  }
}
