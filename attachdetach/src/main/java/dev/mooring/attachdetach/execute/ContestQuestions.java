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
  ContestVerdict askHolder(VolumeId id, VolumeId.Csi csi, String node, ContestedNodes contest)
      throws InterruptedException {
    return LiveDecisions.decide(
        reader,
        LiveFacts.NONE,
        live -> ContestCheck.decide(id, createFacts(id, csi, node, contest), live));
  }

  // Asks whether a node that was known only from an attachment certainly lacks the volume.
  ContestVerdict askAttachmentOnlyNode(VolumeId id, VolumeId.Csi csi, String node)
      throws InterruptedException {
    return LiveDecisions.decide(
        reader,
        LiveFacts.NONE,
        live -> ContestCheck.decideAttachmentOnly(id, createOtherNode(id, csi, node), live));
  }

  private ContestCheck.ContestFacts createFacts(
      VolumeId id, VolumeId.Csi csi, String node, ContestedNodes contest) {
    List<ContestCheck.OtherNode> otherNodes =
        contest.nodes().stream()
            .filter(otherName -> !otherName.equals(node))
            .map(otherName -> createOtherNode(id, csi, otherName))
            .toList();
    boolean hasForeignAttachment =
        hasAttachment(
            id, csi, attachment -> attachment.attached() && !attachment.nodeName().equals(node));
    return new ContestCheck.ContestFacts(csi.attachment(node), otherNodes, hasForeignAttachment);
  }

  private ContestCheck.OtherNode createOtherNode(VolumeId id, VolumeId.Csi csi, String node) {
    return new ContestCheck.OtherNode(node, csi.attachment(node), views.isMounted(id, node));
  }

  boolean hasAnyAttachment(VolumeId id, VolumeId.Csi csi, String node) {
    return hasAttachment(id, csi, attachment -> attachment.nodeName().equals(node));
  }

  // Attachments of other clients may have any name; the cache contains all of them. An attachment
  // of the same driver with an unknown volume may be of this volume.
  private boolean hasAttachment(VolumeId id, VolumeId.Csi csi, Predicate<Attachment> condition) {
    for (Attachment attachment : views.caches().attachments().snapshot().objects()) {
      if (attachment.attacher().equals(csi.driver()) && condition.test(attachment)) {
        AttachTarget target = resolver.target(attachment);
        if (target == null || target.id().equals(id)) {
          return true;
        }
      }
    }
    return false;
  }

  Optional<Attachment> findCached(VolumeId.Csi csi, String node) {
    return views.caches().attachments().get(csi.attachment(node));
  }
}
