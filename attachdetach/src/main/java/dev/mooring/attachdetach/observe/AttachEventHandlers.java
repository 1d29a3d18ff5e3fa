package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.informer.Change;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import java.util.Objects;

/** Turns watch events into triggers of the populator, and updates the state. Thread-safe. */
public record AttachEventHandlers(
    AttachCaches caches, VolumeResolver resolver, StateOfWorld state, AttachRequeue queues) {
  // Registers the handlers.
  public void register() {
    // pods come last: their first pass then sees every change made while handlers are added
    watchNodes();
    // Existing objects of the other kinds need no event: pods that use them requeue the volumes.
    caches
        .volumes()
        .onChange(change -> {
          if (change instanceof Change.Added<Volume>(Volume current) && current.claimRef() != null
              || change instanceof Change.Updated<Volume>(Volume old, Volume after)
                  && (!old.meta().uid().equals(after.meta().uid())
                      || !Objects.equals(old.claimRef(), after.claimRef()))) {
            queues.addTrigger(new PopulatorTrigger.OfVolume(change.key()));
          }
        });
    caches
        .claims()
        .onChange(change -> {
          if (change.object().phase() == ClaimPhase.BOUND
              && !(change instanceof Change.Deleted<Claim>)) {
            queues.addTrigger(new PopulatorTrigger.OfClaim(change.key()));
          }
        });
    caches.attachments().onChange(this::attachmentChanged);
    caches.pods().addHandler(change -> queues.addTrigger(new PopulatorTrigger.OfPod(change.key())));
  }

  private void watchNodes() {
    caches
        .nodes()
        .addHandler(change -> {
          switch (change) {
            case Change.Added<Node>(Node current) -> {
              recordReadiness(current);
              recordNode(current);
              queues.addTrigger(new PopulatorTrigger.OfNode(current.meta().name()));
            }
            case Change.Updated<Node>(Node old, Node current) -> nodeUpdated(old, current);
            case Change.Deleted<Node>(Node last, boolean isFoundByList) ->
                nodeDeleted(last, isFoundByList);
          }
        });
  }

  private void nodeUpdated(Node old, Node current) {
    String name = current.meta().name();
    recordReadiness(current);
    if (old.isReplacedBy(current)) {
      state.actual().recordUnseenDeletion(name);
      recordNode(current);
    } else if (!old.isReady()
        || !hasSameList(old, current)
        || !old.volumesInUse().equals(current.volumesInUse())) {
      recordNode(current);
    }
    if (!hasSameInputs(old, current)) {
      queues.addTrigger(new PopulatorTrigger.OfNode(name));
    } else if (!hasSameList(old, current)) {
      queues.addTrigger(new PopulatorTrigger.OfStatusList(name));
    }
  }

  private void nodeDeleted(Node last, boolean isFoundByList) {
    String name = last.meta().name();
    if (isFoundByList) {
      state.actual().recordUnseenDeletion(name);
    } else {
      state.actual().recordDeletedNode(name, last.volumesInUse());
    }
    state.writes().forget(name);
    queues.addTrigger(new PopulatorTrigger.OfNode(name));
  }

  private void recordReadiness(Node current) {
    if (current.isReady()) {
      state.suspects().forgetNode(current.meta().name());
    }
  }

  // Before a new Node is ready, its kubelet may not have reported volumes in use. Until then the
  // old report counts.
  private void recordNode(Node node) {
    String name = node.meta().name();
    if (node.isReady()) {
      state.actual().recordReadyNode(name);
    }
    state.actual().recordReport(name, node.volumesInUse(), node.volumesAttached().keySet());
  }

  private static boolean hasSameList(Node old, Node current) {
    return old.volumesAttached().equals(current.volumesAttached());
  }

  // heartbeats and our own list of attached volumes do not change a decision
  private static boolean hasSameInputs(Node old, Node current) {
    return !old.isReplacedBy(current)
        && Objects.equals(old.ready(), current.ready())
        && old.taints().equals(current.taints())
        && old.volumesInUse().equals(current.volumesInUse())
        && old.meta().hasAnnotation(DesiredStateOfWorld.MANAGED)
            == current.meta().hasAnnotation(DesiredStateOfWorld.MANAGED);
  }

  // If the attachment's volume is unknown, the change may affect any volume on its node.
  private void attachmentChanged(Change<Attachment> change) {
    if (!(change instanceof Change.Added<Attachment>) && resolver.target(change.object()) == null) {
      queues.addTrigger(new PopulatorTrigger.OfStatusList(change.object().nodeName()));
    }
  }
}
