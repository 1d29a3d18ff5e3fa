package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.Target;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.Fencing;
import dev.mooring.attachdetach.execute.Operations;
import dev.mooring.attachdetach.execute.VolumeAttachments;
import dev.mooring.attachdetach.observe.Adoption;
import dev.mooring.attachdetach.observe.Intake;
import dev.mooring.attachdetach.observe.Intake.News;
import dev.mooring.attachdetach.world.ActualWorld;
import dev.mooring.informer.Change;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Node;
import dev.mooring.model.Volume;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Tells those who have to know what has changed in the cluster. */
final class Watch {
  /**
   * Who has to know.
   *
   * @param news takes what the desired world may have to learn from
   * @param actual hears of nodes that come and go
   * @param fencing hears of nodes that are well
   * @param attachments hears of every VolumeAttachment
   * @param adoption tells which volume a VolumeAttachment is about
   * @param operations hears of attaches and detaches that ended after all
   * @param drivers hears of every CSIDriver
   * @param vanished has a volume on a node looked at whose VolumeAttachment is gone
   */
  record Listeners(
      Consumer<News> news,
      ActualWorld actual,
      Fencing fencing,
      VolumeAttachments attachments,
      Adoption adoption,
      Operations operations,
      Consumer<Change<CsiDriver>> drivers,
      BiConsumer<VolumeId, String> vanished) {}

  private final AttachDetachController.Informers informers;
  private final Listeners to;

  Watch(AttachDetachController.Informers informers, Listeners to) {
    this.informers = informers;
    this.to = to;
  }

  /** Begins to watch. */
  void begin() {
    // pods come last: whatever changes while handlers are added is seen when pods are looked at
    watchNodes();
    // of the others what is there already is no news: pods lead to it
    informers
        .volumes()
        .onChange(change -> {
          if (change instanceof Change.Added<Volume>(Volume now) && now.claimRef() != null
              || change instanceof Change.Updated<Volume>(Volume before, Volume after)
                  && !Objects.equals(before.claimRef(), after.claimRef())) {
            to.news().accept(new News.OfVolume(change.key()));
          }
        });
    informers
        .claims()
        .onChange(change -> {
          if (change.object().phase() == ClaimPhase.BOUND
              && !(change instanceof Change.Deleted<Claim>)) {
            to.news().accept(new News.OfClaim(change.key()));
          }
        });
    informers.drivers().onChange(to.drivers());
    informers.attachments().onChange(this::attachmentChanged);
    informers.pods().addHandler(change -> to.news().accept(new News.OfPod(change.key())));
  }

  private void watchNodes() {
    informers
        .nodes()
        .addHandler(change -> {
          String name = change.key().name();
          switch (change) {
            case Change.Added<Node>(Node now) -> {
              if (now.isReady()) {
                to.fencing().isWell(name);
              }
              to.actual().nodeBack(name);
              to.news().accept(new News.OfNode(name));
            }
            case Change.Updated<Node>(Node before, Node now) -> {
              if (now.isReady()) {
                to.fencing().isWell(name);
              }
              if (!isSame(before, now)) {
                to.news().accept(new News.OfNode(name));
              } else if (!before.volumesAttached().equals(now.volumesAttached())) {
                to.news().accept(new News.OfReport(name));
              }
            }
            case Change.Deleted<Node>(Node last) -> {
              to.actual().nodeGone(name, last.volumesInUse());
              to.news().accept(new News.OfNode(name));
            }
          }
        });
  }

  /** A heartbeat is no news for volumes, nor is the list that we write ourselves. */
  private static boolean isSame(Node before, Node now) {
    return before.meta().uid().equals(now.meta().uid())
        && Objects.equals(before.ready(), now.ready())
        && before.taints().equals(now.taints())
        && before.volumesInUse().equals(now.volumesInUse())
        && before.meta().has(Intake.MANAGED) == now.meta().has(Intake.MANAGED);
  }

  private void attachmentChanged(Change<Attachment> change) {
    to.attachments().changed(change);
    if (change instanceof Change.Added<Attachment>) {
      return; // our own, or adopted by the next verification
    }
    Target target = to.adoption().targetOf(change.object());
    if (target == null) {
      return;
    }
    String node = change.object().nodeName();
    if (change instanceof Change.Updated<Attachment>(Attachment before, Attachment now)
        && now.attached()
        && !before.attached()) {
      to.operations().attachedAfterAll(target.id(), node);
    } else if (change instanceof Change.Deleted<Attachment>) {
      to.operations().retryDetach(target.id(), node);
      to.vanished().accept(target.id(), node);
    }
  }
}
