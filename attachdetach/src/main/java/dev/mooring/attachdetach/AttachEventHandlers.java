package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.execute.AttachDetachOperations;
import dev.mooring.attachdetach.execute.NodeStatusWriter;
import dev.mooring.attachdetach.execute.VolumeAttachments;
import dev.mooring.attachdetach.observe.AttachmentRecovery;
import dev.mooring.attachdetach.observe.DesiredStatePopulator.Trigger;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.informer.Change;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

record AttachEventHandlers(SharedInformers informers, ChangeListeners to) {
  record ChangeListeners(
      Consumer<Trigger> triggers,
      ActualStateOfWorld actual,
      SuspectNodes suspects,
      NodeStatusWriter statuses,
      VolumeAttachments attachments,
      AttachmentRecovery recovery,
      AttachDetachOperations operations,
      Consumer<Change<CsiDriver>> drivers,
      Consumer<Attachment> appeared,
      BiConsumer<VolumeId, String> vanished) {}

  void begin() {
    // pods come last: their first pass then sees every change made while handlers are added
    watchNodes();
    // existing objects of the other kinds are no news: the pods lead to them
    informers
        .of(Kind.VOLUME)
        .onChange(change -> {
          if (change instanceof Change.Added<Volume>(Volume now) && now.claimRef() != null
              || change instanceof Change.Updated<Volume>(Volume before, Volume after)
                  && !Objects.equals(before.claimRef(), after.claimRef())) {
            to.triggers().accept(new Trigger.OfVolume(change.key()));
          }
        });
    informers
        .of(Kind.CLAIM)
        .onChange(change -> {
          if (change.object().phase() == ClaimPhase.BOUND
              && !(change instanceof Change.Deleted<Claim>)) {
            to.triggers().accept(new Trigger.OfClaim(change.key()));
          }
        });
    informers.of(Kind.CSI_DRIVER).onChange(to.drivers());
    informers.of(Kind.ATTACHMENT).onChange(this::attachmentChanged);
    informers
        .of(Kind.POD)
        .addHandler(change -> to.triggers().accept(new Trigger.OfPod(change.key())));
  }

  private void watchNodes() {
    informers
        .of(Kind.NODE)
        .addHandler(change -> {
          String name = change.key().name();
          switch (change) {
            case Change.Added<Node>(Node now) -> {
              if (now.isReady()) {
                to.suspects().forgetNode(name);
              }
              reportNode(now);
              to.triggers().accept(new Trigger.OfNode(name));
            }
            case Change.Updated<Node>(Node before, Node now) -> {
              if (now.isReady()) {
                to.suspects().forgetNode(name);
              }
              if (!before.meta().uid().equals(now.meta().uid())) {
                to.actual().nodeDeleted(name, before.volumesInUse());
                reportNode(now);
              } else if (!before.isReady() || !isListSame(before, now)) {
                reportNode(now);
              }
              if (!isSame(before, now)) {
                to.triggers().accept(new Trigger.OfNode(name));
              } else if (!isListSame(before, now)) {
                to.triggers().accept(new Trigger.OfReport(name));
              }
            }
            case Change.Deleted<Node>(Node last) -> {
              to.actual().nodeDeleted(name, last.volumesInUse());
              to.statuses().forget(name);
              to.triggers().accept(new Trigger.OfNode(name));
            }
          }
        });
  }

  // Before a new Node is ready, its kubelet may not have reported volumes in use. Until then the
  // old report counts.
  private void reportNode(Node now) {
    String name = now.meta().name();
    if (now.isReady()) {
      to.actual().nodeIsReady(name);
    }
    to.actual().recordList(name, now.volumesAttached().keySet());
  }

  private static boolean isListSame(Node before, Node now) {
    return before.volumesAttached().equals(now.volumesAttached());
  }

  // heartbeats and our own list of attached volumes do not change a decision
  private static boolean isSame(Node before, Node now) {
    return before.meta().uid().equals(now.meta().uid())
        && Objects.equals(before.ready(), now.ready())
        && before.taints().equals(now.taints())
        && before.volumesInUse().equals(now.volumesInUse())
        && before.meta().hasAnnotation(DesiredStateOfWorld.MANAGED)
            == now.meta().hasAnnotation(DesiredStateOfWorld.MANAGED);
  }

  private void attachmentChanged(Change<Attachment> change) {
    VolumeNode freed = to.attachments().changed(change);
    if (freed != null) {
      to.operations().retryAttach(freed);
    }
    if (change instanceof Change.Added<Attachment>(Attachment now)) {
      to.appeared().accept(now);
      return;
    }
    AttachTarget target = to.recovery().targetOf(change.object());
    String node = change.object().nodeName();
    if (target == null) {
      to.triggers().accept(new Trigger.OfReport(node)); // any volume on the node may be concerned
      return;
    }
    if (change instanceof Change.Updated<Attachment>(Attachment before, Attachment now)
        && now.attached()
        && !before.attached()) {
      to.operations().attachSucceededLate(target.id(), node);
      to.appeared()
          .accept(now); // when the attachment appeared, the actual state may have known more of the
      // node than it does now
    } else if (change instanceof Change.Deleted<Attachment>) {
      to.operations().retryDetach(target.id(), node);
      to.vanished().accept(target.id(), node);
    }
  }
}
