package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.it.sim.SimNodes.At;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * External attacher and storage back end of an {@link AttachWorkload}'s CSI driver.
 *
 * <p>Fault: 15 % of its calls fail, and another 15 % succeed but report a failure.
 *
 * <p>Invariant: no volume is detached while its node has it mounted, unless it was force-detached.
 */
final class AttachDriver {
  private final Simulation simulation;
  private final AttachOthers others;
  private final Random random;
  private final SimServer server;
  private final SimNodes nodes;
  private final Set<At> published = new HashSet<>();

  AttachDriver(Simulation simulation, AttachOthers others, SimNodes nodes) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.others = others;
    this.nodes = nodes;
  }

  /** Returns the nodes to which the storage has published volumes. */
  Set<At> published() {
    return published;
  }

  /** Lets the attacher process one random attachment. */
  void act() {
    List<Attachment> all = server.all(Kind.ATTACHMENT);
    if (!all.isEmpty()) {
      see(simulation.any(all));
    }
  }

  /** Attaches or detaches as the attachment requests, or fails before or after that. */
  void see(Attachment attachment) {
    String handle = AttachOthers.handleOf(attachment.volumeName());
    At at = new At(attachment.nodeName(), handle);
    int luck = simulation.isCalm() ? 99 : random.nextInt(100);
    if (attachment.meta().isBeingDeleted()) {
      detach(attachment, at, luck);
    } else if (!attachment.attached()) {
      attach(attachment, at, luck);
    }
  }

  private void attach(Attachment attachment, At at, int luck) {
    if (server.find(Kind.VOLUME, ObjectKey.cluster(attachment.volumeName())) == null) {
      refuse(attachment); // the real attacher checks this before it adds its finalizer
      return;
    }
    if (attachment.meta().finalizers().isEmpty()) {
      server.change(
          Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':['external-attacher/d']}}");
      return;
    }
    if ((others.isAnyWriteLate() || nodes.anyUnmanaged()) && isElsewhere(at)) {
      // two writes in flight, or a kubelet that bypasses the controller: only the storage sees the
      // other node
      refuse(attachment);
      return;
    }
    if (luck < 15) {
      simulation.note("driver: fails to attach " + at);
      attachError(attachment);
    } else if (luck < 30) {
      simulation.note("driver: attaches " + at + " and reports a failure");
      published.add(at);
      attachError(attachment);
    } else {
      simulation.note("driver: attaches " + at);
      published.add(at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'attached':true,'attachError':null}}");
    }
    others.check();
  }

  /** Returns whether the volume is exclusive and published to another node. */
  boolean isElsewhere(At at) {
    return !AttachOthers.isShared(at.handle())
        && published.stream()
            .anyMatch(other -> other.handle().equals(at.handle()) && !other.equals(at));
  }

  /** Reports an attach error once. */
  private void refuse(Attachment attachment) {
    if (attachment.attachError().isEmpty()) {
      simulation.note(
          "driver: rejects " + attachment.volumeName() + " on " + attachment.nodeName());
      attachError(attachment);
    }
  }

  private void attachError(Attachment attachment) {
    server.changeStatus(
        Kind.ATTACHMENT,
        attachment.key(),
        "{'status':{'attached':false,'attachError':{'message':'no luck'}}}");
  }

  private void detach(Attachment attachment, At at, int luck) {
    if (luck < 15) {
      simulation.note("driver: fails to detach " + at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
      return;
    }
    simulation.note("driver: detaches " + at + (luck < 30 ? " and reports a failure" : ""));
    verify(
        !nodes.mounted().contains(at) || nodes.forced().contains(at) || others.removesAttachments(),
        at + " is detached while its node has it mounted");
    published.remove(at);
    if (luck < 30) {
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
    } else {
      server.change(Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':null}}");
    }
  }
}
