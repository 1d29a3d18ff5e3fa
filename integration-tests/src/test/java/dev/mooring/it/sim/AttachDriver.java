package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.it.sim.SimNodes.NodeVolume;
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
  private final AttachActors actors;
  private final Random random;
  private final SimServer server;
  private final SimNodes nodes;
  private final Set<NodeVolume> published = new HashSet<>();

  AttachDriver(Simulation simulation, AttachActors actors, SimNodes nodes) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.actors = actors;
    this.nodes = nodes;
  }

  /** Returns the nodes to which the storage has published volumes. */
  Set<NodeVolume> published() {
    return published;
  }

  /** Lets the attacher process one random attachment. */
  void act() {
    List<Attachment> all = server.list(Kind.ATTACHMENT);
    if (!all.isEmpty()) {
      process(simulation.pick(all));
    }
  }

  /** Attaches or detaches as the attachment requests, or fails before or after that. */
  void process(Attachment attachment) {
    NodeVolume at = new NodeVolume(attachment.nodeName(), AttachActors.handle(attachment));
    int chance = simulation.areFaultsOver() ? 99 : random.nextInt(100);
    if (attachment.meta().isBeingDeleted()) {
      detach(attachment, at, chance);
    } else if (!attachment.attached()) {
      attach(attachment, at, chance);
    }
  }

  private void attach(Attachment attachment, NodeVolume at, int chance) {
    if (!attachment.volumeName().isEmpty()
        && server.find(Kind.VOLUME, ObjectKey.cluster(attachment.volumeName())) == null) {
      refuse(attachment); // the real attacher checks this before it adds its finalizer
      return;
    }
    if (attachment.meta().finalizers().isEmpty()) {
      server.change(
          Kind.ATTACHMENT,
          attachment.key(),
          "{'metadata':{'finalizers':['external-attacher/%s']}}".formatted(AttachActors.DRIVER));
      return;
    }
    if ((actors.hasLateWrites() || nodes.hasUnmanaged()) && isElsewhere(at)) {
      // two writes in flight, or a kubelet that bypasses the controller: only the storage sees the
      // other node
      refuse(attachment);
      return;
    }
    if (chance < 15) {
      simulation.note("driver: fails to attach " + at);
      attachError(attachment);
    } else if (chance < 30) {
      simulation.note("driver: attaches " + at + " and reports a failure");
      published.add(at);
      attachError(attachment);
    } else {
      simulation.note("driver: attaches " + at);
      published.add(at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'attached':true,'attachError':null}}");
    }
    actors.check();
  }

  /** Returns whether the volume is exclusive and published to another node. */
  boolean isElsewhere(NodeVolume at) {
    return !AttachActors.isShared(at.handle())
        && published.stream()
            .anyMatch(other -> other.handle().equals(at.handle()) && !other.equals(at));
  }

  /** Reports an attach error once. */
  private void refuse(Attachment attachment) {
    if (attachment.attachError().isEmpty()) {
      simulation.note(
          "driver: rejects " + AttachActors.handle(attachment) + " on " + attachment.nodeName());
      attachError(attachment);
    }
  }

  private void attachError(Attachment attachment) {
    server.changeStatus(
        Kind.ATTACHMENT,
        attachment.key(),
        "{'status':{'attached':false,'attachError':{'message':'no luck'}}}");
  }

  private void detach(Attachment attachment, NodeVolume at, int chance) {
    if (chance < 15) {
      simulation.note("driver: fails to detach " + at);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
      return;
    }
    simulation.note("driver: detaches " + at + (chance < 30 ? " and reports a failure" : ""));
    verify(
        !nodes.mounted().contains(at)
            || nodes.forceDetached().contains(at)
            || actors.removesAttachments()
            || simulation.compat().isKubernetes() && nodes.wasNotReadyForLong(at.node()),
        at + " is detached while its node has it mounted");
    published.remove(at);
    if (chance < 30) {
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'detachError':{'message':'no luck'}}}");
    } else {
      server.change(Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':null}}");
    }
  }
}
