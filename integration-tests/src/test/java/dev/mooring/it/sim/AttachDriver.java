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

/** The driver of an {@link AttachWorkload}, and its storage: what it lets whom write to. */
final class AttachDriver {
  private final Simulation simulation;
  private final AttachOthers others;
  private final Random random;
  private final SimServer server;
  private final SimNodes nodes;
  private final Set<At> published = new HashSet<>();

  /** Nothing is published. */
  AttachDriver(Simulation simulation, AttachOthers others, SimNodes nodes) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.others = others;
    this.nodes = nodes;
  }

  /** What the storage lets whom write to. */
  Set<At> published() {
    return published;
  }

  /** One step of the driver's attacher: it looks at one attachment. */
  void act() {
    List<Attachment> all = server.all(Kind.ATTACHMENT);
    if (!all.isEmpty()) {
      see(simulation.any(all));
    }
  }

  /** It does what it is asked, or fails before or after. */
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
      refuse(attachment); // as it finds out before it puts its finalizer there
      return;
    }
    if (attachment.meta().finalizers().isEmpty()) {
      server.change(
          Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':['external-attacher/d']}}");
      return;
    }
    if ((others.isAnyWriteLate() || nodes.anyUnmanaged()) && isElsewhere(at)) {
      // two writes under way at once, or a kubelet that asks no controller: only the storage sees
      // it
      refuse(attachment);
      return;
    }
    if (luck < 15) {
      simulation.note("driver: fails to attach " + at);
      attachError(attachment);
    } else if (luck < 30) {
      simulation.note("driver: attaches " + at + " and says that it failed");
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

  /** Whether it is attached to another node, and may be to one only. */
  boolean isElsewhere(At at) {
    return !AttachOthers.isShared(at.handle())
        && published.stream()
            .anyMatch(other -> other.handle().equals(at.handle()) && !other.equals(at));
  }

  /** Says no, once. */
  private void refuse(Attachment attachment) {
    if (attachment.attachError().isEmpty()) {
      simulation.note(
          "driver: refuses " + attachment.volumeName() + " on " + attachment.nodeName());
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
    simulation.note("driver: detaches " + at + (luck < 30 ? " and says that it failed" : ""));
    verify(
        !nodes.mounted().contains(at) || nodes.forced().contains(at) || others.removesAttachments(),
        at + " is detached while its node writes to it");
    published.remove(at);
    if (luck < 30) {
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
    } else {
      server.change(Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':null}}");
    }
  }
}
