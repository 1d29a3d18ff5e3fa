package dev.mooring.spi;

import dev.mooring.model.VolumeSource;
import java.util.Optional;
import java.util.Set;

/**
 * Makes volumes reachable from nodes. Only for storage that a central authority has to hand to a
 * node before it can be mounted; volumes of CSI drivers are attached through VolumeAttachment
 * objects and need none of this.
 *
 * <p>Threads: many; for one volume and node never twice at once. Idempotence: attaching what is
 * attached to that node, and detaching what is not, is {@link Attempt.Done}. Blocking is fine; on
 * interrupt give up promptly and return {@link Failure.Uncertain}, or {@link Failure.Unreachable}
 * if nothing was done. After {@link Failure.Uncertain} the host takes the volume for possibly
 * attached: it asks again, or detaches, and gives an exclusive volume to no other node before a
 * detach has succeeded.
 */
public interface Attacher {
  /**
   * The volume's name in the backend: equal for all sources that address the same volume, for ever,
   * and enough to detach it when its PersistentVolume is gone. Must not block.
   *
   * @return empty if volumes of this source need no attaching
   */
  Optional<String> volumeName(VolumeSource source);

  /** Makes the volume reachable from the node. */
  Attempt<Attached> attach(Request request);

  /** Makes the volume unreachable from the node. */
  Attempt<Detached> detach(String volumeName, String node);

  /**
   * Which of these volumes are attached to the node at this moment. A volume that is left out of
   * the answer counts as not attached, so an answer that is not known must be a failure. Before the
   * first {@link #attach} it is asked of each node for all volumes of the plugin's of which nobody
   * knows that the node has them: what a host that was killed had attached is known to the backend
   * alone. Until that is answered no exclusive volume is attached; about a node of which nothing is
   * said nobody waits for longer than some six minutes (for ever with {@code
   * --disable-force-detach-on-timeout}). Of a node that the backend does not know, say that it has
   * none.
   */
  Attempt<Set<String>> attached(String node, Set<String> volumeNames);

  /**
   * What to attach, and where.
   *
   * @param volumeName the name that {@link #volumeName} gave
   * @param source how the volume is addressed
   * @param node the node's name
   */
  record Request(String volumeName, VolumeSource source, String node) {}

  /**
   * It is reachable.
   *
   * @param devicePath where on the node, "" if that is not known here
   */
  record Attached(String devicePath) {}

  /** It is not reachable (any more). */
  record Detached() {}
}
