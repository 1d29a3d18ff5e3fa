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
    List<Attachment> attachments = server.list(Kind.ATTACHMENT);
    if (!attachments.isEmpty()) {
      process(simulation.pick(attachments));
    }
  }

  /** Attaches or detaches as the attachment requests, or fails before or after that. */
  void process(Attachment attachment) {
    NodeVolume nodeVolume = new NodeVolume(attachment.nodeName(), AttachActors.handle(attachment));
    int chance = simulation.areFaultsOver() ? 99 : random.nextInt(100);
    if (attachment.meta().isBeingDeleted()) {
      detach(attachment, nodeVolume, chance);
    } else if (!attachment.attached()) {
      attach(attachment, nodeVolume, chance);
    }
  }

  private void attach(Attachment attachment, NodeVolume nodeVolume, int chance) {
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
    if ((actors.hasLateWrites() || nodes.hasUnmanaged()) && isElsewhere(nodeVolume)) {
      // two writes in flight, or a kubelet that bypasses the controller: only the storage sees the
      // other node
      refuse(attachment);
      return;
    }
    if (chance < 15) {
      simulation.addToHistory("driver: fails to attach " + nodeVolume);
      attachError(attachment);
    } else if (chance < 30) {
      simulation.addToHistory("driver: attaches " + nodeVolume + " and reports a failure");
      published.add(nodeVolume);
      attachError(attachment);
    } else {
      simulation.addToHistory("driver: attaches " + nodeVolume);
      published.add(nodeVolume);
      server.changeStatus(
          Kind.ATTACHMENT, attachment.key(), "{'status':{'attached':true,'attachError':null}}");
    }
    actors.check();
  }

  /** Returns whether the volume is exclusive and published to another node. */
  boolean isElsewhere(NodeVolume nodeVolume) {
    return !AttachActors.isShared(nodeVolume.handle())
        && published.stream()
            .anyMatch(
                other -> other.handle().equals(nodeVolume.handle()) && !other.equals(nodeVolume));
  }

  /** Reports an attach error once. */
  private void refuse(Attachment attachment) {
    if (attachment.attachError().isEmpty()) {
      simulation.addToHistory(
          "driver: rejects " + AttachActors.handle(attachment) + " on " + attachment.nodeName());
      attachError(attachment);
    }
  }

  private void attachError(Attachment attachment) {
    server.changeStatus(
        Kind.ATTACHMENT,
        attachment.key(),
        "{'status':{'attached':false,'attachError':{'message':'device is busy'}}}");
  }

  private void detach(Attachment attachment, NodeVolume nodeVolume, int chance) {
    if (chance < 15) {
      simulation.addToHistory("driver: fails to detach " + nodeVolume);
      server.changeStatus(
          Kind.ATTACHMENT,
          attachment.key(),
          "{'status':{'detachError':{'message':'device is busy'}}}");
      return;
    }
    simulation.addToHistory(
        "driver: detaches " + nodeVolume + (chance < 30 ? " and reports a failure" : ""));
    verify(
        !nodes.mounted().contains(nodeVolume)
            || nodes.forceDetached().contains(nodeVolume)
            || actors.removesAttachments()
            || simulation.compat().isKubernetes() && nodes.wasNotReadyForLong(nodeVolume.node()),
        nodeVolume + " is detached while its node has it mounted");
    published.remove(nodeVolume);
    if (chance < 30) {
      server.changeStatus(
          Kind.ATTACHMENT,
          attachment.key(),
          "{'status':{'detachError':{'message':'device is busy'}}}");
    } else {
      server.change(Kind.ATTACHMENT, attachment.key(), "{'metadata':{'finalizers':null}}");
    }
  }
}
