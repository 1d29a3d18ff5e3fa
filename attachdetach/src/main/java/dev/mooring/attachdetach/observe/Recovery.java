package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes over what is attached although nobody here has attached it. Thread-safe.
 *
 * @param wake is called with every volume that was taken over
 */
public record Recovery(
    Sources sources, Resolver resolver, ActualStateUpdater actual, Consumer<VolumeNode> wake) {
  /**
   * Where it is looked for.
   *
   * @param nodes nodes, whose statuses list volumes
   * @param attachments VolumeAttachments
   * @param volumes the volumes that they name
   */
  public record Sources(
      Informer<Node> nodes, Informer<Attachment> attachments, Informer<Volume> volumes) {}

  /**
   * What an earlier run has left: what nodes' statuses list is attached; attachments that they do
   * not list may be, whatever they say themselves (spec/attachdetach.md 6).
   */
  public void recover() {
    for (Node node : sources.nodes().snapshot().all()) {
      new TreeMap<>(node.volumesAttached()) // in an order that does not depend on the process
          .forEach((name, path) -> {
            if (name.equals(VolumeId.NONE)) {
              return;
            }
            VolumeNode found = new VolumeNode(new VolumeId(name), node.meta().name());
            actual.update(new WorldUpdate.Attached(found.volume(), found.node(), path, null));
            wake.accept(found);
          });
    }
    for (Attachment attachment : sources.attachments().snapshot().all()) {
      recover(attachment, targetOf(attachment));
    }
  }

  /**
   * Attachments by which we would have attached their volume, and of which nothing is known: they
   * came while nobody looked. In Kubernetes they stay until the next start.
   */
  public void recoverOurs() {
    sources.attachments().snapshot().all().forEach(this::recoverIfOurs);
  }

  /**
   * The same, of one that has just come: of another process of ours, whose request was still under
   * way when this one took over.
   */
  public void recoverIfOurs(Attachment attachment) {
    AttachTarget target = targetOf(attachment);
    // almost all are known, and to tell whose an attachment is takes longer
    if (target != null && isUnknown(attachment, target) && isOurs(attachment, target.id())) {
      recover(attachment, target);
    }
  }

  private boolean isUnknown(Attachment attachment, AttachTarget target) {
    return actual.held(target.id(), attachment.nodeName()) == Held.NO;
  }

  /**
   * Whether it is called as this controller, and Kubernetes', calls an attachment of that volume.
   */
  public static boolean isOurs(Attachment attachment, VolumeId volume) {
    return volume
        .csi()
        .filter(csi ->
            csi.driver().equals(attachment.attacher())
                && csi.attachment(attachment.nodeName()).equals(attachment.key()))
        .isPresent();
  }

  private void recover(Attachment attachment, @Nullable AttachTarget target) {
    if (target != null && resolver.isAttachable(target.id()) && isUnknown(attachment, target)) {
      actual.update(new WorldUpdate.Uncertain(target.id(), attachment.nodeName(), target));
      wake.accept(new VolumeNode(target.id(), attachment.nodeName()));
    }
  }

  /** The volume that an attachment attaches; null if it is not known. */
  public @Nullable AttachTarget targetOf(Attachment attachment) {
    return sources
        .volumes()
        .get(ObjectKey.cluster(attachment.volumeName()))
        .map(resolver::target)
        .orElse(null);
  }
}
