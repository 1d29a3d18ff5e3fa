package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.PluginAnswers;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import java.util.HashMap;
import java.util.Map;

/** Fills the states of world once from caches, as a controller that starts now does. */
public final class SnapshotReader {
  // Requeues nothing.
  private static final AttachRequeue NO_QUEUES =
      new AttachRequeue() {
        @Override
        public void requeueVolume(VolumeNode volumeNode) {}

        @Override
        public void requeueStatus(String node) {}

        @Override
        public void requeueBatchedStatus(String node) {}

        @Override
        public void requeueForeignStatus(String node) {}

        @Override
        public void addTrigger(PopulatorTrigger trigger) {}
      };

  private final AttachCaches caches;
  private final VolumeResolver resolver;
  private final StateOfWorld state;

  public SnapshotReader(AttachCaches caches, VolumeResolver resolver, StateOfWorld state) {
    this.caches = caches;
    this.resolver = resolver;
    this.state = state;
  }

  /**
   * Fills the states.
   *
   * @return attachment of each volume on each node; the controller's own if there are several
   */
  public Map<VolumeNode, Attachment> read() {
    Map<VolumeNode, Attachment> attachments = new HashMap<>();
    new AttachmentRecovery(caches, resolver, state.actual(), NO_QUEUES).recover();
    for (Attachment attachment : caches.attachments().snapshot().objects()) {
      AttachTarget target = resolver.target(attachment);
      if (target != null) {
        attachments.merge(
            new VolumeNode(target.id(), attachment.nodeName()),
            attachment,
            (existing, candidate) -> target.id().isNamedByUs(existing) ? existing : candidate);
      }
    }
    populate();
    recoverInline();
    return attachments;
  }

  private void populate() {
    DesiredStatePopulator populator =
        new DesiredStatePopulator(
            caches, resolver, state, new PluginAnswers(resolver, NO_QUEUES), NO_QUEUES);
    for (Node node : caches.nodes().snapshot().objects()) {
      populator.apply(new PopulatorTrigger.OfNode(node.meta().name()));
    }
    for (Pod pod : caches.pods().snapshot().objects()) {
      if (!pod.nodeName().isEmpty() && caches.node(pod.nodeName()) == null) {
        populator.apply(new PopulatorTrigger.OfPod(pod.key()));
      }
    }
  }

  // an attached inline volume is certainly attached while a pod uses it
  private void recoverInline() {
    for (Pod pod : caches.pods().snapshot().objects()) {
      if (pod.inline().isEmpty() || pod.nodeName().isEmpty()) {
        continue;
      }
      for (AttachTarget target : resolver.resolve(pod).targets()) {
        target
            .id()
            .csi()
            .flatMap(csi -> caches.attachments().get(csi.attachment(pod.nodeName())))
            .filter(Attachment::attached)
            .ifPresent(
                attachment -> state.actual().setAttached(target.id(), pod.nodeName(), "", target));
      }
    }
  }
}
