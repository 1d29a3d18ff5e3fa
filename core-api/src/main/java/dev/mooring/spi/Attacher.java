package dev.mooring.spi;

import dev.mooring.model.VolumeSource;
import java.util.Optional;
import java.util.Set;

/**
 * Attaches volumes to nodes. Needed only for storage that a central authority must attach to a node
 * before the node can mount it. CSI volumes are attached through VolumeAttachment objects and do
 * not use this interface.
 *
 * <p>Threads: called from many threads, but never concurrently for the same volume and node.
 * Idempotence: attaching a volume that is attached to that node, and detaching a volume that is not
 * attached, return {@link Attempt.Done}. Calls may block. On interrupt, return promptly: {@link
 * Failure.Uncertain}, or {@link Failure.Unreachable} if nothing was done. After {@link
 * Failure.Uncertain} the host treats the volume as possibly attached. It repeats the call or
 * detaches, and attaches an exclusive volume to another node only after a detach has succeeded.
 */
public interface Attacher {
  /**
   * Returns the volume's name in the backend. Sources that address the same volume must have the
   * same name, and the name must never change. The name alone must suffice to detach the volume
   * after its PersistentVolume is deleted. Must not block.
   *
   * @return empty if volumes of this source need no attachment
   */
  Optional<String> volumeName(VolumeSource source);

  /** Attaches the volume to the node. */
  Attempt<Attached> attach(Request request);

  /** Detaches the volume from the node. */
  Attempt<Detached> detach(String volumeName, String node);

  /**
   * Returns which of these volumes are attached to the node now. The host treats a volume that is
   * missing from the answer as detached, so return a failure if the answer is unknown. For a node
   * that the backend does not know, return an empty set.
   *
   * <p>Before the first {@link #attach} the host queries each node for all volumes of the plugin
   * that are not known to be attached there. Only the backend knows what a killed host had
   * attached. Until the answers arrive, the host attaches no exclusive volume. It waits for a
   * node's answer for about six minutes, or without limit with {@code
   * --disable-force-detach-on-timeout}.
   */
  Attempt<Set<String>> attached(String node, Set<String> volumeNames);

  /**
   * Volume to attach and its target node.
   *
   * @param volumeName name returned by {@link #volumeName}
   * @param source address of the volume
   * @param node name of the node
   */
  record Request(String volumeName, VolumeSource source, String node) {}

  /**
   * Result of a successful attach.
   *
   * @param devicePath device path on the node; "" if the plugin does not know it
   */
  record Attached(String devicePath) {}

  /** Result of a successful detach. */
  record Detached() {}
}
