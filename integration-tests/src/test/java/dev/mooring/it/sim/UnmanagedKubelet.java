package dev.mooring.it.sim;

import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.Optional;

/**
 * Kubelet of an {@link AttachWorkload} that creates and deletes its VolumeAttachments itself, as
 * with {@code --enable-controller-attach-detach=false}.
 */
final class UnmanagedKubelet {
  /** The node of this kubelet, in schedules that have one. */
  static final String NODE = "n2";

  private final Simulation simulation;
  private final SimServer server;
  private long attachments;

  UnmanagedKubelet(Simulation simulation) {
    this.simulation = simulation;
    this.server = simulation.server();
  }

  private static ObjectKey key(String handle) {
    return ObjectKey.cluster(Attachment.nameOf(AttachActors.DRIVER, handle, NODE));
  }

  /**
   * Returns whether the driver has attached the volume, and its attachment is not being deleted.
   */
  boolean isAttached(String handle) {
    Attachment attachment = server.find(Kind.ATTACHMENT, key(handle));
    return attachment != null && attachment.attached() && !attachment.meta().isBeingDeleted();
  }

  /** Returns the next step for a volume that is not mounted; empty if there is nothing to do. */
  Optional<Runnable> nextStep(String handle, boolean isNeeded) {
    Attachment attachment = server.find(Kind.ATTACHMENT, key(handle));
    if (isNeeded && attachment == null) {
      return Optional.of(() -> attach(handle));
    }
    return isNeeded || attachment == null || attachment.meta().isBeingDeleted()
        ? Optional.empty()
        : Optional.of(() -> detach(handle));
  }

  private void attach(String handle) {
    simulation.addToHistory("kubelet: requests " + handle + " on " + NODE);
    attachments++;
    server.create(
        Kind.ATTACHMENT,
        "",
        "{'metadata':{'name':'%s'},'spec':{'attacher':'%s','nodeName':'%s','source':{'persistentVolumeName':'v%s'}}}"
            .formatted(key(handle).name(), AttachActors.DRIVER, NODE, handle.substring(1)));
  }

  private void detach(String handle) {
    simulation.addToHistory("kubelet: releases " + handle + " on " + NODE);
    server.delete(Kind.ATTACHMENT, key(handle));
  }

  long attachmentCount() {
    return attachments;
  }
}
