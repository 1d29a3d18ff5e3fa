package dev.mooring.it.sim;

import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.Optional;

/** A kubelet of an {@link AttachWorkload} that makes and deletes its VolumeAttachments itself. */
final class UnmanagedKubelet {
  /** Its node, if a schedule has such a kubelet. */
  static final String NODE = "n2";

  private final Simulation simulation;
  private final SimServer server;
  private long attachments;

  UnmanagedKubelet(Simulation simulation) {
    this.simulation = simulation;
    this.server = simulation.server();
  }

  private static ObjectKey key(String handle) {
    return ObjectKey.cluster(Attachment.nameOf("d", handle, NODE));
  }

  /** Whether the driver has attached the volume, and nobody has asked to detach it. */
  boolean isAttached(String handle) {
    Attachment found = server.find(Kind.ATTACHMENT, key(handle));
    return found != null && found.attached() && !found.meta().isBeingDeleted();
  }

  /** What it does next about a volume that is not mounted; empty for nothing. */
  Optional<Runnable> step(String handle, boolean wanted) {
    Attachment found = server.find(Kind.ATTACHMENT, key(handle));
    if (wanted && found == null) {
      return Optional.of(() -> attach(handle));
    }
    return wanted || found == null || found.meta().isBeingDeleted()
        ? Optional.empty()
        : Optional.of(() -> detach(handle));
  }

  private void attach(String handle) {
    simulation.note("kubelet: asks for " + handle + " on " + NODE);
    attachments++;
    server.create(
        Kind.ATTACHMENT,
        "",
        "{'metadata':{'name':'%s'},'spec':{'attacher':'d','nodeName':'%s','source':{'persistentVolumeName':'v%s'}}}"
            .formatted(key(handle).name(), NODE, handle.substring(1)));
  }

  private void detach(String handle) {
    simulation.note("kubelet: gives back " + handle + " on " + NODE);
    server.delete(Kind.ATTACHMENT, key(handle));
  }

  /** How many attachments it has made. */
  long attachments() {
    return attachments;
  }
}
